import { realpathSync } from "node:fs";
import { mkdir, stat, writeFile } from "node:fs/promises";
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import packageFile from "../../../package.json" with { type: "json" };
import { DATA_FOLDER } from "../../manifest/contexts.js";
import { findCheckout, trackedAmong } from "../../manifest/git/git.js";
import { gitEnvironment } from "../../model/variables.js";
import { fileStore, listFileStates } from "../../state/file.js";
import type { LockWorld } from "../../state/lock.js";
import type { Kept } from "../../state/snapshot.js";
import { StateError, type Store } from "../../state/store.js";
import type { StoredState } from "../../state/stores.js";
import { say } from "../../words/say.js";
import type { Project } from "../settings/project.js";
import { endOf, linkInProject, throughLink } from "../world/links.js";
import { isOnlyOf } from "../world/owner.js";
import { isRunning } from "../world/runMark.js";
import type { World } from "../world/world.js";

/** What is kept beside a state, by the ending of its name. */
const BESIDE = ["", ".backup", ".lock", ".journal", ".history"];

/** Only the schemas that `remit init` writes for editors are for git. */
const IGNORED = "# What remit keeps here is not for git; the schemas for editors are.\n/*\n!/schemas/\n";

/**
 * The path from the root of the checkout on: two projects of one repository have two places. A path outside of it is another on
 * each machine, so only the name of the file counts there.
 */
export function filePlace({ root, settings }: Project): string {
  const inside = insideOf(findCheckout(root)?.root ?? root, resolve(root, settings.state.value));
  return `file:${inside ?? basename(settings.state.value)}`;
}

function insideOf(root: string, path: string): string | null {
  const found = relative(realOf(root), realOf(path));
  return found.startsWith("..") || isAbsolute(found) ? null : found.split(sep).join("/");
}

/** Where a path leads, as far as it exists. */
function realOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return dirname(path) === path ? path : join(realOf(dirname(path)), basename(path));
  }
}

/**
 * Opens the store in a file. A link outside the project is followed, so that a state has one lock and one
 * journal, whatever path leads to it. Throws a `StateError` for a link inside the project, and for a file that git
 * tracks: their author is the author of the repository.
 */
export async function openFile(world: World, project: Project): Promise<Store<Kept>> {
  const { root, settings, dataFolder } = project;
  const given = resolve(root, settings.state.value);
  for (const ending of BESIDE) {
    const link = await linkInProject(root, `${given}${ending}`);
    if (link !== null) throw new StateError(throughLink(`${settings.state.value}${ending}`, link, root));
  }
  const name = nameIn(root, given);
  // A link that cannot be followed is reported when the file is opened.
  const path = await endOf(given).catch(() => given);
  const tracked = await trackedAmong(
    root,
    BESIDE.map((ending) => `${path}${ending}`),
    gitEnvironment(world.env),
  );
  const [first] = tracked;
  if (first !== undefined) throw new StateError(say("state/tracked", { path: first }));
  const store = fileStore({ path, name, version: packageFile.version, ...lockWorld(world) });
  const isOwn = await isWrittenByThisUser(path);
  const isKeptInside = dirname(given) === join(root, dataFolder) || settings.server.value === "sandbox";
  return isKeptInside ? withDataFolder({ ...store, isOwn }, project) : { ...store, isOwn };
}

/** The states in the folder of that file. */
export function listFolder(world: World, { root, settings }: Project): Promise<readonly StoredState[]> {
  const path = resolve(root, settings.state.value);
  return listFileStates(path, (file) => nameIn(root, file), lockWorld(world));
}

/** A file as messages and `state:` name it: relative to the project where it is inside. */
function nameIn(root: string, file: string): string {
  const inside = relative(root, file);
  return inside.startsWith("..") || isAbsolute(inside) ? file : inside;
}

function lockWorld({ clock, process: { host } }: World): LockWorld {
  return { clock, isDead: (holder) => holder.host === host && !isRunning(holder.pid) };
}

/** Whether no other user may write a file that is there. */
async function isWrittenByThisUser(path: string): Promise<boolean> {
  const about = await stat(path).catch(() => null);
  return about === null || isOnlyOf(about, process.getuid?.() ?? about.uid);
}

/** The same store, which makes the project's data folder before the first write to it. */
function withDataFolder(store: Store<Kept>, project: Project): Store<Kept> {
  return {
    ...store,
    async lock(owner, options) {
      await makeDataFolder(project);
      return store.lock(owner, options);
    },
  };
}

/**
 * Makes a project's data folder with a file that keeps it out of git. An existing folder stays as it is. What prevents
 * it also prevents the write that needs the folder, and is reported there.
 */
async function makeDataFolder({ root, dataFolder }: Pick<Project, "root" | "dataFolder">): Promise<void> {
  const folder = join(root, DATA_FOLDER);
  try {
    const isNew = await mkdir(folder, { mode: 0o700 }).then(
      () => true,
      () => false,
    );
    if (isNew) await writeFile(join(folder, ".gitignore"), IGNORED, { flag: "wx" });
    await mkdir(join(root, dataFolder), { mode: 0o700, recursive: true });
  } catch {
    return;
  }
}
