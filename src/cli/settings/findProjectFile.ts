import { existsSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { PROJECT_FILES } from "../../manifest/contexts.js";
import { findCheckout } from "../../manifest/git/git.js";
import type { Diagnostic } from "../../model/diagnostic.js";
import { say } from "../../words/say.js";

/** The project file that is used, and why one in a folder above is not. */
interface Found {
  readonly path: string | null;
  readonly passed: readonly Diagnostic[];
}

/** Finds the project file here, or in a folder above that is part of the checkout. */
export function findProjectFile(from: string): Found {
  const own = projectFileIn(from);
  if (own !== null) return { path: own, passed: [] };
  const checkout = findCheckout(from)?.root ?? null;
  for (let folder = from; dirname(folder) !== folder && folder !== checkout; ) {
    folder = dirname(folder);
    const path = projectFileIn(folder);
    if (path === null) continue;
    if (checkout === null)
      return { path: null, passed: [notUsed(path, "is in no checkout with this folder")] };
    if (mayOthersWrite(folder) || mayOthersWrite(path))
      return { path: null, passed: [notUsed(path, "may be written by other users")] };
    return { path, passed: [] };
  }
  return { path: null, passed: [] };
}

function projectFileIn(folder: string): string | null {
  return PROJECT_FILES.map((name) => join(folder, name)).find((path) => existsSync(path)) ?? null;
}

const OTHERS_MAY_WRITE = 0o002;

function mayOthersWrite(path: string): boolean {
  return (statSync(path).mode & OTHERS_MAY_WRITE) !== 0;
}

function notUsed(path: string, why: string): Diagnostic {
  return say("config/parent", { path, why, folder: dirname(path) });
}
