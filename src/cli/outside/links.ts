import { readlink, realpath } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { codeOf } from "../../entry/stores.js";

/** Where a path leads by its symbolic links, though nothing may be there yet. */
export async function endOf(path: string): Promise<string> {
  const end = await realpath(path).catch(noneThere);
  if (end !== null) return end;
  const target = await readlink(path).catch(() => null);
  return target === null ? path : endOf(resolve(await realpath(dirname(path)), target));
}

/** What stands for a file that is not there; any other fault is thrown on. */
export function noneThere(error: unknown): null {
  if (codeOf(error) === "ENOENT") return null;
  throw error;
}
