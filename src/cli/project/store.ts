import { isAbsolute, relative, resolve } from "node:path";
import packageFile from "../../../package.json" with { type: "json" };
import { fileStore, type Owner, type Store } from "../../entry/stores.js";
import { endOf } from "../outside/links.js";
import type { World } from "../outside/world.js";
import type { Project } from "./project.js";

/**
 * Opens the store that a project names. A link is followed, so that a state has one lock and one journal, whatever
 * path leads to it.
 */
export async function openStore(world: World, { root, settings }: Project): Promise<Store> {
  const given = resolve(root, settings.state.value);
  const inside = relative(root, given);
  const name = inside.startsWith("..") || isAbsolute(inside) ? given : inside;
  // A link that cannot be followed is reported when the file is opened.
  const path = await endOf(given).catch(() => given);
  const isDead = ({ host, pid }: Owner) => host === world.process.host && !isRunning(pid);
  return fileStore({ path, name, version: packageFile.version, clock: world.clock, isDead });
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // This user cannot signal a process of another user, which runs all the same.
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
