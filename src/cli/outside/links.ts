import { lstat, readlink, realpath } from "node:fs/promises";
import { dirname, join, relative, resolve, sep } from "node:path";
import { findCheckout, isWithin } from "../../entry/documents.js";
import { codeOf } from "../../entry/stores.js";
import type { Diagnostic } from "../../entry/values.js";

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

/**
 * The first link on the way to a path inside the checkout, or inside the folder where there is no checkout; null where
 * there is none. Links outside were made by the operator.
 */
export async function linkInProject(folder: string, path: string): Promise<string | null> {
  const base = findCheckout(folder)?.root ?? folder;
  if (!isWithin(base, path)) return null;
  let here = base;
  for (const name of relative(base, path).split(sep)) {
    here = join(here, name);
    const about = await lstat(here).catch(() => null);
    if (about === null) return null;
    if (about.isSymbolicLink()) return here;
  }
  return null;
}

/** Why remit does not write to a path: `link` stands on the way to it. */
export function throughLink(shown: string, link: string, folder: string): Diagnostic {
  const where = relative(folder, link).split(sep).join("/");
  const subject = where === shown ? `${shown} is a symbolic link` : `${shown} leads through a symbolic link`;
  return {
    code: "file/link",
    severity: "error",
    message: `${subject}, and remit writes through no link inside the project`,
    hint: `Remove the link ${where}, or name the file that it leads to.`,
  };
}
