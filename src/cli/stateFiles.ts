import { isAbsolute, relative, resolve } from "node:path";
import packageFile from "../../package.json" with { type: "json" };
import type { Backend } from "../state/backend.js";
import { fileBackend } from "../state/file.js";
import { fileLog } from "../state/fileLog.js";
import type { Log } from "../state/log.js";
import type { Project } from "./project.js";
import type { World } from "./world.js";

/** Where a project's state is kept, and what a run under way notes beside it. */
export function stateFiles(
  { clock }: World,
  { root, settings }: Project,
): { readonly backend: Backend; readonly journal: Log } {
  const path = resolve(root, settings.state.value);
  const inside = relative(root, path);
  const name = inside.startsWith("..") || isAbsolute(inside) ? path : inside;
  return {
    backend: fileBackend({ path, name, version: packageFile.version, clock, isRunning }),
    journal: fileLog({ path: `${path}.journal`, name: `${name}.journal` }),
  };
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // A process of another user cannot be signalled, and runs all the same.
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
