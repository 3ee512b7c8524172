import { randomUUID } from "node:crypto";
import type { Clock } from "../../model/clock.js";
import type { PostgresAddress } from "../address.js";
import { decode } from "../codec.js";
import { BY_LEASE, lockedBy, parseOwner } from "../owner.js";
import { PROMPT } from "../rhythm.js";
import type { Kept } from "../snapshot.js";
import type { Contents, Owner, Store } from "../store.js";
import { projectIn, type StoredState } from "../stored.js";
import { type Connection, connectionTo, type DatabaseLogin } from "./connection.js";
import { hasNoTables } from "./fault.js";
import { LEASE, lockOf } from "./lock.js";
import { prepareDatabase } from "./probe.js";
import { BREAK, HOLDER, KEPT, LIST, READ, RECORD, TAKE } from "./statements.js";

/** Where and as whom a state is kept in a database. */
export interface PostgresStoreOptions {
  readonly at: PostgresAddress;
  readonly credentials: DatabaseLogin;
  /** The version of remit that writes. */
  readonly version: string;
  readonly clock: Clock;
  /** Milliseconds that a request of a dead holder may be under way: a taker waits for it after the lease. */
  readonly requestTimeout: number;
  /** Names a new state where the address names none; a database that keeps one under `default` keeps it there. */
  readonly project?: string | null;
  /** The least milliseconds from one write of a run to its next; 20 where it is left out. */
  readonly pace?: number;
  /** Makes a connection; a test counts the statements of its own. */
  readonly connect?: () => Connection;
}

const EMPTY: Contents<Kept> = { snapshot: null, trace: null, journal: [], held: null };
const PAUSE = 500;
/** What comes in this time shares one statement. */
const PACE = 20;
/** Where a state is kept that has no name. */
const DEFAULT = "default";

/** Keeps the state in a PostgreSQL database. Reading needs no right to write. */
export function postgresStore(options: PostgresStoreOptions): Store<Kept> {
  const { at, credentials, version, clock, requestTimeout, pace = PACE } = options;
  const connect = options.connect ?? (() => connectionTo(at, credentials, clock));
  const name = at.shown;
  const silence = LEASE + requestTimeout;

  let found: Promise<string> | null = null;
  /** Which state of the database this is. What a database keeps under `default` counts before a name of its own. */
  function stateIn(connection: Connection): Promise<string> {
    const own = options.project ?? DEFAULT;
    if (at.state !== null || own === DEFAULT) return Promise.resolve(at.state ?? DEFAULT);
    found ??= keptIn(connection, own).then(
      (kept) => (kept.has(own) || !kept.has(DEFAULT) ? own : DEFAULT),
      (error) => {
        found = null;
        throw error;
      },
    );
    return found;
  }

  /** A database without tables has no state. */
  async function connected<T>(empty: T, work: (connection: Connection) => Promise<T>): Promise<T> {
    const connection = connect();
    try {
      return await work(connection);
    } catch (error) {
      if (hasNoTables(error)) return empty;
      throw error;
    } finally {
      await connection.close();
    }
  }

  async function take(
    connection: Connection,
    token: string,
    owner: Owner,
    { timeout, signal }: Parameters<Store["lock"]>[1],
  ): Promise<void> {
    const began = clock.elapsed();
    const state = await stateIn(connection);
    for (;;) {
      signal?.throwIfAborted();
      const values = [state, token, JSON.stringify(owner), silence];
      if ((await connection.query(TAKE, values)).count === 1) return;
      if (clock.elapsed() - began >= timeout) {
        const { rows } = await connection.query(HOLDER, [state]);
        throw lockedBy(name, parseOwner(rows[0]?.owner), timeout, BY_LEASE);
      }
      await clock.sleep(PAUSE, signal);
    }
  }

  return {
    name,
    rhythm: { ...PROMPT, trip: 10 },
    openTo: "everyone who may write to the database",
    isOwn: false,
    read: () =>
      connected(EMPTY, async (connection) => {
        const { rows } = await connection.query(READ, [await stateIn(connection)]);
        const { snapshot, journal, owner, silent } = rows[0] ?? {};
        return {
          snapshot: typeof snapshot === "string" ? decode(snapshot, name) : null,
          trace: null,
          journal: typeof journal === "string" ? journal.split("\n") : [],
          held: typeof silent === "number" && silent <= silence ? { by: parseOwner(owner) } : null,
        };
      }),
    async lock(owner, waiting) {
      const connection = connect();
      const token = randomUUID();
      try {
        const state = await stateIn(connection);
        await prepareDatabase(connection, state, token, name);
        await take(connection, token, owner, waiting);
        return lockOf({ connection, owner, token, name, state, version, clock, pace, waiting });
      } catch (error) {
        await connection.close();
        throw error;
      }
    },
    unlock: () =>
      connected<Owner | null>(null, async (connection) => {
        const { rows } = await connection.query(BREAK, [await stateIn(connection)]);
        return parseOwner(rows[0]?.owner);
      }),
    async history(work) {
      const connection = connect();
      try {
        const state = await stateIn(connection);
        return await work({
          async record(hash) {
            const [row] = (await connection.query(RECORD, [state, hash])).rows;
            return typeof row?.record === "string" ? row.record : null;
          },
        });
      } finally {
        await connection.close();
      }
    },
  };
}

/** The states of the database that a store is in. */
export function listPostgresStates(options: PostgresStoreOptions): Promise<readonly StoredState[]> {
  const { at, credentials, clock, requestTimeout } = options;
  const connection = (options.connect ?? (() => connectionTo(at, credentials, clock)))();
  const [base] = at.shown.split("?");
  const addressOf = (name: string) => `${base}?state=${encodeURIComponent(name)}`;
  return listDatabaseStates(connection, LEASE + requestTimeout, addressOf);
}

/** Which of the two names a state may have are taken. */
async function keptIn(connection: Connection, own: string): Promise<ReadonlySet<unknown>> {
  try {
    const { rows } = await connection.query(KEPT, [own, DEFAULT]);
    return new Set(rows.map(({ name }) => name));
  } catch (error) {
    if (hasNoTables(error)) return new Set();
    throw error;
  }
}

/** The states of a database. `addressOf` names one of them as `state:` does. */
async function listDatabaseStates(
  connection: Connection,
  silence: number,
  addressOf: (name: string) => string,
): Promise<readonly StoredState[]> {
  try {
    const { rows } = await connection.query(LIST, []);
    return rows.map(({ name, serial, head, owner, silent }) => ({
      address: addressOf(String(name)),
      project: typeof head === "string" ? projectIn(head) : null,
      serial: typeof serial === "number" ? serial : null,
      held: typeof silent === "number" && silent <= silence ? { by: parseOwner(owner) } : null,
    }));
  } catch (error) {
    if (hasNoTables(error)) return [];
    throw error;
  } finally {
    await connection.close();
  }
}
