import { lstatSync, realpathSync } from "node:fs";
import { lstat, readlink, realpath } from "node:fs/promises";
import { dirname, join, relative, resolve, sep } from "node:path";
import { isWithin } from "../../manifest/files.js";
import { findCheckout } from "../../manifest/git/git.js";
import type { Diagnostic } from "../../model/diagnostic.js";
import { codeOf } from "../../state/fault.js";
import { say } from "../../words/say.js";

/** The path after its symbolic links are followed; the file need not exist yet. */
export async function endOf(path: string): Promise<string> {
  const end = await realpath(path).catch(noneThere);
  if (end !== null) return end;
  const target = await readlink(path).catch(() => null);
  return target === null ? path : endOf(resolve(await realpath(dirname(path)), target));
}

/** The value to use for a file that does not exist; any other error is thrown again. */
export function noneThere(error: unknown): null {
  if (codeOf(error) === "ENOENT") return null;
  throw error;
}

/**
 * The first link in a path inside the checkout, or inside the folder if it is not a checkout; null without one.
 * The operator made the links outside.
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

/** The first link in a path that is itself inside a checkout; null without one. The operator made the links outside. */
export function linkOfCheckout(path: string): string | null {
  const folder = dirname(path);
  if (folder === path) return null;
  const above = linkOfCheckout(folder);
  if (above !== null || !lstatSync(path).isSymbolicLink()) return above;
  return findCheckout(realpathSync(folder)) === null ? null : path;
}

/** Why remit does not write to a path: `link` stands on the way to it. */
export function throughLink(shown: string, link: string, folder: string): Diagnostic {
  const where = relative(folder, link).split(sep).join("/");
  const subject = where === shown ? `${shown} is a symbolic link` : `${shown} leads through a symbolic link`;
  return say("file/link", { subject, where });
}
