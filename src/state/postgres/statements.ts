import { RECORDS } from "../head.js";
import { HEAD } from "../objects.js";

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
export const get = (name: string) =>
  `SELECT text, ${TAG}, ${AGE} FROM ${tableOf(name)} WHERE state = $1 AND name = $2`;

/** $1 state, $2 name, $3 text. */
export const make = (name: string) => `INSERT INTO ${tableOf(name)} (state, name, text, written)
VALUES ($1, $2, $3, clock_timestamp()) ON CONFLICT (state, name) DO NOTHING RETURNING ${TAG}`;

/** $1 state, $2 name, $3 text, $4 the tag that is replaced. */
export const replace = (name: string) => `UPDATE ${tableOf(name)} SET text = $3, written = clock_timestamp()
WHERE state = $1 AND name = $2 AND md5(text) = $4 RETURNING ${TAG}`;

/** $1 state, $2 names. */
export const DROP = `DELETE FROM ${PARTS} WHERE state = $1 AND name = ANY($2)`;

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
export function all(parts: number, records: number): string {
  const tables = [
    `head AS (${replace(HEAD)})`,
    `gone AS (DELETE FROM ${PARTS} USING head WHERE state = $1 AND name = ANY($5::text[]))`,
    ...(parts === 0 ? [] : [`parts AS ${put(PARTS, parts, 6)}`]),
    ...(records === 0 ? [] : [`records AS ${put(HISTORY, records, 6 + 2 * parts)}`]),
  ];
  return `WITH ${tables.join(",\n")}\nSELECT tag FROM head`;
}

/** All states: the head of each. */
export const LIST = `SELECT state, text, ${AGE} FROM ${HEADS} ORDER BY state`;
