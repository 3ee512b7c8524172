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

const put = (
  table: string,
  names: string,
  texts: string,
) => `(INSERT INTO ${table} (state, name, text, written)
  SELECT $1, one.name, one.text, clock_timestamp()
  FROM head, unnest(${names}::text[], ${texts}::text[]) AS one (name, text)
  ON CONFLICT (state, name) DO NOTHING)`;

/** The head, what it names, and what no head names any more: $5 and $6 are parts, $7 and $8 records, $9 what is dropped. */
export const ALL = `WITH head AS (${replace(HEAD)}),
parts AS ${put(PARTS, "$5", "$6")},
records AS ${put(HISTORY, "$7", "$8")},
gone AS (DELETE FROM ${PARTS} USING head WHERE state = $1 AND name = ANY($9::text[]))
SELECT tag FROM head`;

/** All states: the head of each. */
export const LIST = `SELECT state, text, ${AGE} FROM ${HEADS} ORDER BY state`;
