import { mkdir, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { isWithin } from "../../entry/documents.js";
import { PRIVATE, placeFile } from "../../entry/stores.js";
import { isObject, type Json, stateFolder } from "../../entry/values.js";
import type { World } from "../outside/world.js";

/**
 * Whether the operator agrees that this project sends credentials to a server that only its own file names. A terminal
 * is asked once; the answer is kept outside the project. Without a terminal the answer is no.
 */
export async function isConfirmed(world: World, root: string, server: string): Promise<boolean> {
  const folder = stateFolder(world.env);
  const file = folder === null || isWithin(root, folder) ? null : join(folder, "servers.json");
  const known = file === null ? {} : await read(file);
  if (known[root] === server) return true;
  if (!world.stdin.isTerminal) return false;
  const question = `\nThe file remit.yaml names the server ${new URL(server).host}. Send your credentials there? Type "yes" to agree: `;
  const answer = await world.stdin.line(() => world.stderr.write(question));
  if (answer.trim() !== "yes") return false;
  if (file !== null) await write(file, { ...known, [root]: server });
  return true;
}

async function read(file: string): Promise<Readonly<Record<string, Json>>> {
  try {
    const known: Json = JSON.parse(await readFile(file, "utf8"));
    return isObject(known) ? (known as Readonly<Record<string, Json>>) : {};
  } catch {
    return {};
  }
}

/** A file that cannot be written costs one more question at the next run. */
async function write(file: string, known: Readonly<Record<string, Json>>): Promise<void> {
  try {
    await mkdir(dirname(file), { recursive: true, mode: 0o700 });
    await placeFile(file, [`${JSON.stringify(known, null, 2)}\n`], { mode: PRIVATE, owner: null });
  } catch {
    return;
  }
}
