import { randomUUID } from "node:crypto";
import type { Clock } from "../../model/clock.js";
import type { PostgresAddress } from "../address.js";
import { decode } from "../codec.js";
import { BY_LEASE, lockedBy, parseOwner } from "../owner.js";
import { PROMPT } from "../rhythm.js";
import type { Kept } from "../snapshot.js";
import type { Contents, Owner, Store } from "../store.js";
import { type Connection, connectionTo, type DatabaseLogin } from "./connection.js";
import { hasNoTables } from "./fault.js";
import { LEASE, lockOf } from "./lock.js";
import { prepareDatabase } from "./probe.js";
import { BREAK, HOLDER, READ, TAKE } from "./statements.js";

/** Where and as whom a state is kept in a database. */
export interface PostgresStoreOptions {
  readonly at: PostgresAddress;
  readonly credentials: DatabaseLogin;
  /** The version of remit that writes. */
  readonly version: string;
  readonly clock: Clock;
  /** Milliseconds that a request of a dead holder may be under way: a taker waits for it after the lease. */
  readonly requestTimeout: number;
  /** Makes a connection; a test counts the statements of its own. */
  readonly connect?: () => Connection;
}

const EMPTY: Contents<Kept> = { snapshot: null, trace: null, journal: [], held: null };
const PAUSE = 500;

/** Keeps the state in a PostgreSQL database. Reading needs no right to write. */
export function postgresStore(options: PostgresStoreOptions): Store<Kept> {
  const { at, credentials, version, clock, requestTimeout } = options;
  const connect = options.connect ?? (() => connectionTo(at, credentials, clock));
  const name = at.shown;
  const silence = LEASE + requestTimeout;

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
    for (;;) {
      signal?.throwIfAborted();
      const values = [at.state, token, JSON.stringify(owner), silence];
      if ((await connection.query(TAKE, values)).count === 1) return;
      if (clock.elapsed() - began >= timeout) {
        const { rows } = await connection.query(HOLDER, [at.state]);
        throw lockedBy(name, parseOwner(rows[0]?.owner), timeout, BY_LEASE);
      }
      await clock.sleep(PAUSE, signal);
    }
  }

  return {
    name,
    rhythm: { ...PROMPT, trip: 10 },
    openTo: null,
    read: () =>
      connected(EMPTY, async (connection) => {
        const { rows } = await connection.query(READ, [at.state]);
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
        await prepareDatabase(connection, at.state, token, name);
        await take(connection, token, owner, waiting);
      } catch (error) {
        await connection.close();
        throw error;
      }
      return lockOf({ connection, owner, token, name, state: at.state, version, clock });
    },
    unlock: () =>
      connected<Owner | null>(null, async (connection) => {
        const { rows } = await connection.query(BREAK, [at.state]);
        return parseOwner(rows[0]?.owner);
      }),
  };
}
