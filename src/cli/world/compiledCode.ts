import { mkdirSync, statSync } from "node:fs";
import * as node from "node:module";
import { join } from "node:path";

/** What node has for this from version 22.1 on: what it compiles is kept in a folder, and the next process reads it there. */
interface Keeper {
  readonly enableCompileCache?: (folder: string) => unknown;
}

/** The variables that decide it. Their list is not loaded for this: most runs of `remit version` load nothing else. */
type Surroundings = Readonly<
  Partial<Record<"HOME" | "XDG_CACHE_HOME" | "CI" | "NODE_COMPILE_CACHE", string | undefined>>
>;

/**
 * Lets node keep what it compiles among the caches of the user, where this version can. A runner of a pipeline is new
 * each time, so nothing is kept there. Where the user named another folder for node, that one counts.
 */
export function keepCompiled(env: Surroundings, { enableCompileCache }: Keeper = node as Keeper): void {
  const { CI: pipeline, NODE_COMPILE_CACHE: given } = env;
  if (enableCompileCache === undefined || pipeline !== undefined || given !== undefined) return;
  const folder = ownFolder(env);
  if (folder !== null) enableCompileCache(folder);
}

/** The folder, which only this user may write to: node runs what it finds there. Null where there can be none. */
function ownFolder({ HOME: home, XDG_CACHE_HOME: caches }: Surroundings): string | null {
  const place = caches?.startsWith("/") ? caches : home?.startsWith("/") ? join(home, ".cache") : null;
  if (place === null) return null;
  const folder = join(place, "remit");
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const { uid, mode } = statSync(folder);
    return uid === process.getuid?.() && (mode & 0o022) === 0 ? folder : null;
  } catch {
    return null;
  }
}
