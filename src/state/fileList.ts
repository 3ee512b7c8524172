import { open, readdir } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { isObject, parseJson } from "../model/json.js";
import { type LockWorld, livingHolder } from "./lock.js";
import { projectIn, type StoredState } from "./stores.js";

/** So many bytes of a file show whether it is a state, and whose. */
const HEAD = 20_000;

/** The states in the folder of a file; a backup is none. `nameOf` names a file as `state:` does. */
export async function listFileStates(
  path: string,
  nameOf: (file: string) => string,
  world: LockWorld,
): Promise<readonly StoredState[]> {
  const folder = dirname(path);
  const names = (await readdir(folder).catch(() => [])).filter(
    (name) => name === basename(path) || name.endsWith(".json"),
  );
  const states: StoredState[] = [];
  for (const name of names.sort()) {
    const file = join(folder, name);
    const serial = serialIn(await headOf(file));
    if (serial === null) continue;
    const project = projectIn(await headOf(file));
    states.push({ address: nameOf(file), project, serial, held: await livingHolder(`${file}.lock`, world) });
  }
  return states;
}

async function headOf(file: string): Promise<string> {
  const handle = await open(file, "r").catch(() => null);
  if (handle === null) return "";
  try {
    const { buffer, bytesRead } = await handle.read({ buffer: new Uint8Array(HEAD) });
    return new TextDecoder().decode(buffer.subarray(0, bytesRead));
  } catch {
    return "";
  } finally {
    await handle.close();
  }
}

/** Null for a file that does not begin as a state does. */
function serialIn(head: string): number | null {
  const lines =
    /^\{\n {2}"formatVersion": \d+,\n {2}"writtenBy": .*,\n {2}("lineage": .*,\n {2}"serial": \d+),/;
  const version = parseJson(`{${lines.exec(head)?.[1] ?? '"serial":null'}}`);
  return isObject(version) && typeof version.serial === "number" ? version.serial : null;
}
