import type { Clock } from "../../model/clock.js";
import { say } from "../../words/say.js";
import { decodeHead, RECORDS, type StateHead } from "../head.js";
import { holdStore } from "../hold.js";
import { HEAD, type Objects, type Tagged } from "../objects.js";
import type { Kept } from "../snapshot.js";
import { PROMPT, StateError, type Store } from "../store.js";
import type { StoredState } from "../stores.js";
import type { PostgresAddress } from "./address.js";
import { type Connection, connectionTo, type DatabaseLogin } from "./connection.js";
import { hasNoTables, isMadeAtOnce } from "./fault.js";

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

/** Milliseconds after which the lock of a silent holder may be taken over. */
const LEASE = 30_000;
/** Milliseconds between two renewals of a quiet holder. */
const BEAT = 5_000;
const POLL = 500;
/** What comes in this time shares one statement. */
const PACE = 20;
/** An outcome may wait so many milliseconds for the next intent, and shares its statement. */
const LINGER = 50;
/** Where a state is kept that has no name. */
const DEFAULT = "default";

/** Keeps the state in a PostgreSQL database. Reading needs no right to write. */
export function postgresStore(options: PostgresStoreOptions): Store<Kept> {
  const { at, version, clock, requestTimeout, pace = PACE } = options;
  const own = options.project ?? DEFAULT;
  let found: Promise<string> | null = null;
  /** Which state of the database this is. What a database keeps under `default` counts before a name of its own. */
  async function stateIn(connection: Connection): Promise<string> {
    if (at.state !== null || own === DEFAULT) return at.state ?? DEFAULT;
    found ??= isKept(connection, own)
      .then(async (isOwn) => (isOwn || !(await isKept(connection, DEFAULT)) ? own : DEFAULT))
      .catch((error) => {
        found = null;
        throw error;
      });
    return found;
  }
  async function isKept(connection: Connection, state: string): Promise<boolean> {
    const row = await rowsIn(connection, at.shown, async () => state).get(HEAD);
    if (row === null) return false;
    const { snapshot, journal } = decodeHead(row.text, at.shown);
    return snapshot !== null || journal.lines.length + journal.batches.length > 0;
  }
  return holdStore(
    () => {
      const connection = connectionOf(options);
      return rowsIn(connection, at.shown, () => stateIn(connection));
    },
    {
      ...{ name: at.shown, clock, version, requestTimeout, pace },
      rhythm: { ...PROMPT, trip: 10 },
      openTo: "everyone who may write to the database",
      keepsHistory: true,
      lease: LEASE,
      beat: BEAT,
      poll: POLL,
      linger: LINGER,
      place: `${at.host}:${at.port}/${at.database}`,
      conditions: {
        create: "that a row of that name exists: two runs got one lock",
        replace: "which version a row has: one write took effect twice",
      },
    },
  );
}

function connectionOf({ at, credentials, clock, connect }: PostgresStoreOptions): Connection {
  return connect === undefined ? connectionTo(at, credentials, clock) : connect();
}

/** The objects of one state as rows. A database without tables has none; the first write makes them. */
function rowsIn(connection: Connection, name: string, stateNow: () => Promise<string>): Objects {
  async function read(object: string): Promise<Tagged | null> {
    const { rows } = await connection.query(get(object), [await stateNow(), object]);
    const [row] = rows;
    return row === undefined ? null : { text: String(row.text), tag: String(row.tag), age: Number(row.age) };
  }
  /** The tag that a write gave a row; also that of an earlier attempt whose answer was lost. */
  async function written(
    {
      object,
      before,
      text,
    }: { readonly object: string; readonly before: string | null; readonly text: string },
    statement: string,
    more: readonly unknown[],
  ): Promise<string | null> {
    const values = [await stateNow(), object, text, ...more];
    const { rows } = await withTables(connection, () => connection.query(statement, values));
    if (rows[0] !== undefined) return String(rows[0].tag);
    const kept = await read(object);
    if (kept?.text === text) return kept.tag;
    if ((kept?.tag ?? null) === before) throw new StateError(say("state/refused#notKept", { name }));
    return null;
  }
  return {
    get: (object) => orEmpty(null, () => read(object)),
    swap: (object, before, text) =>
      before === null
        ? written({ object, before, text }, make(object), [])
        : written({ object, before, text }, replace(object), [before]),
    async put(object, text) {
      const values = [await stateNow(), object, text];
      await withTables(connection, () => connection.query(make(object), values));
    },
    async drop(objects) {
      await connection.query(DROP, [await stateNow(), objects]);
    },
    all(before, text, { put, drop }) {
      const isRecord = ([object]: readonly [string, string]) => object.startsWith(RECORDS);
      const records = [...put].filter(isRecord);
      const parts = [...put].filter((part) => !isRecord(part));
      const more = [before, drop, ...[...parts, ...records].flat()];
      return written({ object: HEAD, before, text }, all(parts.length, records.length), more);
    },
    close: connection.close,
  };
}

async function orEmpty<T>(empty: T, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (hasNoTables(error)) return empty;
    throw error;
  }
}

/** Sends a statement; makes the tables where there are none. */
async function withTables<T>(connection: Connection, send: () => Promise<T>): Promise<T> {
  try {
    return await send();
  } catch (error) {
    if (!hasNoTables(error)) throw error;
    // Sent together, the statements are one transaction: another run sees all tables or none.
    await connection.query(TABLES.join(";\n"), []).catch((fault) => {
      if (!isMadeAtOnce(fault)) throw fault;
    });
    return send();
  }
}

/** The states of the database that a store is in. */
export async function listPostgresStates(options: PostgresStoreOptions): Promise<readonly StoredState[]> {
  const { at, requestTimeout } = options;
  const connection = connectionOf(options);
  const [base] = at.shown.split("?");
  try {
    const { rows } = await orEmpty({ count: 0, rows: [] }, () => connection.query(LIST, []));
    return rows.map(({ state, text, age }) => {
      const { snapshot, lock }: StateHead = decodeHead(String(text), at.shown);
      return {
        address: `${base}?state=${encodeURIComponent(String(state))}`,
        project: snapshot?.project ?? null,
        serial: snapshot?.serial ?? null,
        held: lock === null || Number(age) > LEASE + requestTimeout ? null : { by: lock.owner },
      };
    });
  } finally {
    await connection.close();
  }
}

/*
 * Every statement is a transaction of its own, so that a pooler in transaction mode changes nothing. The tag of a row is
 * the hash of its text. A write names the tag that it replaces, so it takes effect once, however often it is sent.
 */

/** Heads, which no run removes; what they name; and records, which no run changes. */
const HEADS = "remit_state";
const PARTS = "remit_part";
const HISTORY = "remit_history";

/** The table that an object is a row of. */
function tableOf(name: string): string {
  if (name === HEAD) return HEADS;
  return name.startsWith(RECORDS) ? HISTORY : PARTS;
}

/** What an administrator, or the first apply, makes in the database. */
export const TABLES = [HEADS, PARTS, HISTORY].map(
  (table) => `CREATE TABLE IF NOT EXISTS ${table} (
  state text NOT NULL,
  name text NOT NULL,
  text text NOT NULL,
  written timestamptz NOT NULL,
  PRIMARY KEY (state, name)
)`,
);

/** Milliseconds since a row was written, by the server's clock. */
const AGE = "(extract(epoch FROM clock_timestamp() - written) * 1000)::float8 AS age";
const TAG = "md5(text) AS tag";

/** $1 state, $2 name. */
const get = (name: string) =>
  `SELECT text, ${TAG}, ${AGE} FROM ${tableOf(name)} WHERE state = $1 AND name = $2`;

/** $1 state, $2 name, $3 text. */
const make = (name: string) => `INSERT INTO ${tableOf(name)} (state, name, text, written)
VALUES ($1, $2, $3, clock_timestamp()) ON CONFLICT (state, name) DO NOTHING RETURNING ${TAG}`;

/** $1 state, $2 name, $3 text, $4 the tag that is replaced. */
const replace = (name: string) => `UPDATE ${tableOf(name)} SET text = $3, written = clock_timestamp()
WHERE state = $1 AND name = $2 AND md5(text) = $4 RETURNING ${TAG}`;

/** $1 state, $2 names. */
const DROP = `DELETE FROM ${PARTS} WHERE state = $1 AND name = ANY($2)`;

/** Rows of a table, from a parameter on: a name and a text for each. A list in one parameter costs its escapes. */
function put(table: string, count: number, from: number): string {
  const rows = Array.from(
    { length: count },
    (_, at) => `($${from + 2 * at}::text, $${from + 2 * at + 1}::text)`,
  );
  return `(INSERT INTO ${table} (state, name, text, written)
  SELECT $1, one.name, one.text, clock_timestamp() FROM head, (VALUES ${rows.join(", ")}) AS one (name, text)
  ON CONFLICT (state, name) DO NOTHING)`;
}

/** The head, with so many parts that it names and so many records, and without what no head names any more: $5. */
function all(parts: number, records: number): string {
  const tables = [
    `head AS (${replace(HEAD)})`,
    `gone AS (DELETE FROM ${PARTS} USING head WHERE state = $1 AND name = ANY($5::text[]))`,
    ...(parts === 0 ? [] : [`parts AS ${put(PARTS, parts, 6)}`]),
    ...(records === 0 ? [] : [`records AS ${put(HISTORY, records, 6 + 2 * parts)}`]),
  ];
  return `WITH ${tables.join(",\n")}\nSELECT tag FROM head`;
}

/** All states: the head of each. */
const LIST = `SELECT state, text, ${AGE} FROM ${HEADS} ORDER BY state`;
