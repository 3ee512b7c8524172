import type { Connection } from "./connection.js";
import { hasNoTables, isMadeAtOnce, noSwap } from "./fault.js";
import { PROBED, RELEASE, REMEMBER, TABLES, TAKE, TURN } from "./statements.js";

/** Longer than any lease: a probe takes no lock over. */
const NEVER = 1e12;

/**
 * Makes the tables where there are none, and proves that the server carries out conditional writes, once for each
 * state. Throws the `StateError` `state/no-swap` where it does not.
 */
export async function prepareDatabase(
  connection: Connection,
  state: string,
  token: string,
  name: string,
): Promise<void> {
  if (await isProbed(connection, state)) return;
  await probe(connection, token, name);
  await connection.query(REMEMBER, [state]);
}

async function isProbed(connection: Connection, state: string): Promise<boolean> {
  try {
    return (await connection.query(PROBED, [state])).rows.length > 0;
  } catch (error) {
    if (!hasNoTables(error)) throw error;
    await makeTables(connection);
    return false;
  }
}

async function makeTables(connection: Connection): Promise<void> {
  try {
    // Sent together, the statements are one transaction: another run sees all tables or none.
    await connection.query(TABLES.join(";\n"), []);
  } catch (error) {
    if (!isMadeAtOnce(error)) throw error;
  }
}

/** Sends a statement; makes the table that it lacks where an older remit made the others. */
export async function withTables<T>(connection: Connection, send: () => Promise<T>): Promise<T> {
  try {
    return await send();
  } catch (error) {
    if (!hasNoTables(error)) throw error;
    await makeTables(connection);
    return send();
  }
}

/** Two takers want one free lock, and one holder sends the same write twice: of each pair, one may succeed. */
async function probe(connection: Connection, token: string, name: string): Promise<void> {
  const lock = `probe ${token}`;
  const [one, two] = ["one", "two"];
  const take = (taker: string) => connection.query(TAKE, [lock, taker, "{}", NEVER]);
  const write = () => connection.query(TURN, [lock, one, 1]);
  try {
    if (!isWonOnce(await take(one), await take(two))) throw noSwap(name, "two runs got one lock");
    if (!isWonOnce(await write(), await write())) throw noSwap(name, "one write took effect twice");
  } finally {
    for (const taker of [one, two]) await connection.query(RELEASE, [lock, taker]);
  }
}

function isWonOnce(first: { readonly count: number }, second: { readonly count: number }): boolean {
  return first.count === 1 && second.count === 0;
}
