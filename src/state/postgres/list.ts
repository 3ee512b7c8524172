import { parseOwner } from "../owner.js";
import { projectIn, type StoredState } from "../stored.js";
import type { Connection } from "./connection.js";
import { hasNoTables } from "./fault.js";
import { LIST } from "./statements.js";

/** The states of a database. `addressOf` names one of them as `state:` does. */
export async function listDatabaseStates(
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
