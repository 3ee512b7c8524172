/*
 * Every statement is a transaction of its own, so that a pooler in transaction mode changes nothing. The lock is a row
 * with a lease that the server's clock times. Each write of its holder has the next number, `turn`, and takes effect
 * only while the row has the token and the number before. So it takes effect once, however often it is sent.
 */

/** What an administrator, or the first apply, makes in the database. */
export const TABLES = [
  `CREATE TABLE IF NOT EXISTS remit_state (
  name text PRIMARY KEY,
  probed timestamptz NOT NULL,
  lineage text,
  serial integer,
  snapshot text,
  writer text
)`,
  `CREATE TABLE IF NOT EXISTS remit_lock (
  name text PRIMARY KEY,
  token text NOT NULL,
  owner text NOT NULL,
  turn integer NOT NULL,
  beat timestamptz NOT NULL
)`,
  `CREATE TABLE IF NOT EXISTS remit_journal (
  place bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  name text NOT NULL,
  lines text NOT NULL
)`,
  `CREATE TABLE IF NOT EXISTS remit_history (
  name text NOT NULL,
  hash text NOT NULL,
  record text NOT NULL,
  PRIMARY KEY (name, hash)
)`,
] as const;

/** A record: $1 name, $2 its hash. */
export const RECORD = "SELECT record FROM remit_history WHERE name = $1 AND hash = $2";

/** Milliseconds since the holder was last heard of, by the server's clock. */
const SILENT = "extract(epoch FROM clock_timestamp() - beat) * 1000";

const SNAPSHOT = "SELECT snapshot FROM remit_state WHERE name = $1";
const JOURNAL = "SELECT string_agg(lines, E'\\n' ORDER BY place) FROM remit_journal WHERE name = $1";
const HELD = `SELECT owner, (${SILENT})::float8 AS silent FROM remit_lock WHERE name = $1`;

/** Snapshot, journal and lock at one instant: a single statement sees one version of all tables. */
export const READ = `SELECT (${SNAPSHOT}) AS snapshot, (${JOURNAL}) AS journal, held.owner, held.silent
FROM (VALUES (1)) AS always LEFT JOIN (${HELD}) AS held ON true`;

/** All states, and the beginning of each, which names its project. */
export const LIST = `SELECT remit_state.name, remit_state.serial, left(remit_state.snapshot, 20000) AS head,
  remit_lock.owner, (${SILENT})::float8 AS silent
FROM remit_state LEFT JOIN remit_lock USING (name) ORDER BY name`;

/** Which of two names have a state, or a journal of one: $1 and $2. */
export const KEPT = `SELECT name FROM remit_state WHERE name IN ($1, $2) AND snapshot IS NOT NULL
UNION SELECT name FROM remit_journal WHERE name IN ($1, $2)`;

/** Whether this store was probed before: $1 name. */
export const PROBED = "SELECT probed FROM remit_state WHERE name = $1";

/** Remembers that it was: $1 name. */
export const REMEMBER = `INSERT INTO remit_state (name, probed) VALUES ($1, clock_timestamp())
ON CONFLICT (name) DO NOTHING`;

const SILENT_FOR = "remit_lock.beat < clock_timestamp() - $4::float8 * interval '1 millisecond'";
const TAKE_OVER = `DO UPDATE SET token = excluded.token, owner = excluded.owner, turn = 0, beat = excluded.beat
WHERE remit_lock.token = excluded.token OR ${SILENT_FOR}`;

/** Takes a lock that is free, or whose holder was silent for $4 milliseconds: $1 name, $2 token, $3 owner. */
export const TAKE = `INSERT INTO remit_lock (name, token, owner, turn, beat)
VALUES ($1, $2, $3, 0, clock_timestamp())
ON CONFLICT (name) ${TAKE_OVER}`;

/** Who holds the lock: $1 name. */
export const HOLDER = "SELECT owner FROM remit_lock WHERE name = $1";

/** Renews the lease: $1 name, $2 token. */
export const RENEW = "UPDATE remit_lock SET beat = clock_timestamp() WHERE name = $1 AND token = $2";

/** Gives the lock up: $1 name, $2 token. */
export const RELEASE = "DELETE FROM remit_lock WHERE name = $1 AND token = $2";

/** Removes the lock of any holder: $1 name. */
export const BREAK = "DELETE FROM remit_lock WHERE name = $1 RETURNING owner";

/** What a holder reads back where a write changed nothing: $1 name, $2 token. */
export const STANDING = `SELECT remit_lock.turn, remit_state.lineage, remit_state.serial, remit_state.writer
FROM remit_lock LEFT JOIN remit_state USING (name)
WHERE name = $1 AND token = $2`;

/** The swap that every write of a holder begins with: $1 name, $2 token, $3 the number of the write. */
export const TURN = `UPDATE remit_lock SET turn = $3::integer, beat = clock_timestamp()
  WHERE name = $1 AND token = $2 AND turn = $3::integer - 1 RETURNING name`;

/** Adds a batch of lines: $4. */
export const APPEND = `WITH mine AS (${TURN})
INSERT INTO remit_journal (name, lines) SELECT name, $4 FROM mine`;

/** The same of lines that nothing waits for: the server need not have them on its disk when it answers. */
export const NOTE = `${APPEND}
RETURNING set_config('synchronous_commit', 'off', true)`;

/** A statement sees the tables as they were before it: lines that it removes are never those that it adds. */
const ADD = "INSERT INTO remit_journal (name, lines) SELECT name";
const REMOVE = "DELETE FROM remit_journal USING";

/** Removes every line, and adds a batch where one comes after that: $4, or null. */
export const CLEAR = `WITH mine AS (${TURN}),
gone AS (${REMOVE} mine WHERE remit_journal.name = mine.name),
added AS (${ADD}, $4::text FROM mine WHERE $4::text IS NOT NULL)
SELECT name FROM mine`;

const IS_NEXT = "(remit_state.lineage = $4 AND remit_state.serial = $5::integer - 1)";
const FOLLOWED = `(remit_state.serial IS NULL OR ${IS_NEXT})`;

const UPDATE =
  "UPDATE remit_state SET lineage = $4, serial = $5::integer, snapshot = $6, writer = $7 FROM mine";
const UPDATED = `${UPDATE}
  WHERE remit_state.name = mine.name AND ${FOLLOWED} RETURNING remit_state.name`;
const KEPT_ROW = `kept AS (${UPDATED}),
gone AS (${REMOVE} kept WHERE remit_journal.name = kept.name AND $8::boolean),
added AS (${ADD}, $9::text FROM kept WHERE $9::text IS NOT NULL)`;
const RECORDED = `recorded AS (INSERT INTO remit_history (name, hash, record)
  SELECT kept.name, one.hash, one.record FROM kept, unnest($10::text[], $11::text[]) AS one (hash, record)
  ON CONFLICT (name, hash) DO NOTHING)`;
const KEEP = `${KEPT_ROW}
SELECT name FROM kept`;
const KEEP_RECORDED = `${KEPT_ROW},
${RECORDED}
SELECT name FROM kept`;

/**
 * Swaps the snapshot by lineage $4 and serial $5: $6 is the snapshot, and $7 names this write. With it, every line is
 * removed where $8 is set, and a batch is added: $9, or null.
 */
export const SAVE = `WITH mine AS (${TURN}),
${KEEP}`;

const LAST = `WITH mine AS (DELETE FROM remit_lock USING remit_state
  WHERE remit_lock.name = $1 AND token = $2 AND turn = $3::integer - 1
  AND remit_state.name = remit_lock.name AND ${FOLLOWED} RETURNING remit_lock.name)`;

/** The same as the last write of a holder, which gives the lock up by it; changes nothing where it cannot be kept. */
export const SAVE_AND_RELEASE = `${LAST},
${KEEP}`;

/** Both with run records, which are kept where the snapshot is: $10 their hashes, $11 their texts. */
export const SAVE_RECORDED = `WITH mine AS (${TURN}),
${KEEP_RECORDED}`;
export const SAVE_RECORDED_AND_RELEASE = `${LAST},
${KEEP_RECORDED}`;

/** Which write the snapshot is of, and whether a run has the lock: $1 name. */
export const LAST_WRITE = `SELECT writer, EXISTS (SELECT FROM remit_lock WHERE remit_lock.name = $1) AS held
FROM remit_state WHERE name = $1`;
