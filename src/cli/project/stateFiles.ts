import { isAbsolute, relative, resolve } from "node:path";
import packageFile from "../../../package.json" with { type: "json" };
import type { Backend } from "../../state/backend.js";
import { fileBackend } from "../../state/file.js";
import { fileLog } from "../../state/fileLog.js";
import type { Log } from "../../state/log.js";
import { endOf } from "../outside/links.js";
import type { World } from "../outside/world.js";
import type { Project } from "./project.js";

/**
 * Where a project's state is kept, and what a run under way notes beside it. A link is followed: by whatever way a
 * state is reached, it has one lock and one journal.
 */
export async function stateFiles(
  { clock }: World,
  { root, settings }: Project,
): Promise<{ readonly backend: Backend; readonly journal: Log }> {
  const given = resolve(root, settings.state.value);
  const inside = relative(root, given);
  const name = inside.startsWith("..") || isAbsolute(inside) ? given : inside;
  // What stands in the way of following is said by whoever opens it.
  const path = await endOf(given).catch(() => given);
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
