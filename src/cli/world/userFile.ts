import { mkdir, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { isWithin } from "../../manifest/files.js";
import { isObject, type Json, type JsonObject } from "../../model/json.js";
import { stateFolder } from "../../model/variables.js";
import { PRIVATE, placeFile } from "../../state/durable.js";
import type { World } from "./world.js";

/** Reads what remit remembers for its user outside the project; empty where nothing is remembered. */
export async function readUserFile(world: World, root: string, name: string): Promise<JsonObject> {
  const file = pathOf(world, root, name);
  if (file === null) return {};
  try {
    const value: Json = JSON.parse(await readFile(file, "utf8"));
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}

/** Remembers it for the next runs. A file that cannot be written costs one more question or explanation. */
export async function writeUserFile(
  world: World,
  root: string,
  name: string,
  value: JsonObject,
): Promise<void> {
  const file = pathOf(world, root, name);
  if (file === null) return;
  try {
    await mkdir(dirname(file), { recursive: true, mode: 0o700 });
    await placeFile(file, [`${JSON.stringify(value, null, 2)}\n`], { mode: PRIVATE, owner: null });
  } catch {
    return;
  }
}

/** Null where the user has no such folder, or has it inside the project. */
function pathOf({ env }: World, root: string, name: string): string | null {
  const folder = stateFolder(env);
  return folder === null || isWithin(root, folder) ? null : join(folder, name);
}
