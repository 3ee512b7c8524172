import { realpathSync } from "node:fs";
import { stat } from "node:fs/promises";
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import packageFile from "../../../package.json" with { type: "json" };
import { findCheckout, trackedAmong } from "../../manifest/git/git.js";
import type { Diagnostic } from "../../model/diagnostic.js";
import { gitEnvironment, isEmptyVariable } from "../../model/variables.js";
import { readStateAddress } from "../../state/address.js";
import { readStateKeys, type StateKey } from "../../state/encryption/key.js";
import { type Encryption, withKeys } from "../../state/encryption/store.js";
import { fileStore } from "../../state/file.js";
import type { Kept } from "../../state/snapshot.js";
import { type Owner, StateError, type Store } from "../../state/store.js";
import { give, THIS_MACHINE } from "../credentials/give.js";
import type { Project } from "../settings/project.js";
import { endOf, linkInProject, throughLink } from "../world/links.js";
import { isOnlyOf } from "../world/owner.js";
import { isRunning } from "../world/runMark.js";
import type { World } from "../world/world.js";
import { makeDataFolder } from "./dataFolder.js";

/** What is kept beside a state, by the ending of its name. */
const BESIDE = ["", ".backup", ".lock", ".journal", ".history"];

/** A store as the address names it, and how what it keeps is encrypted. */
export interface OpenedStore {
  readonly kept: Store<Kept>;
  readonly encryption: Encryption;
}

/** What a store keeps, and the place in it that it keeps that at: copied to another place, it does not verify. */
interface PlacedStore extends Pick<Encryption, "place"> {
  readonly kept: Store<Kept>;
}

/** Opens the store that a project names. Throws a `StateError` for an address or a key that cannot be used. */
export async function openStore(world: World, project: Project): Promise<Store> {
  const { kept, encryption } = await openKept(world, project);
  return withKeys(kept, encryption);
}

/** The same before it is decrypted. */
export async function openKept(world: World, project: Project): Promise<OpenedStore> {
  if (isEmptyVariable(project.env, "REMIT_STATE_KEY")) throw new StateError(EMPTY_KEY);
  const keys = stateKeys(project);
  const { kept, ...place } = await openPlace(world, project);
  return {
    kept,
    encryption: { keys, ...place, version: packageFile.version, valuesFor: project.settings.history.value },
  };
}

/** The keys of the state: the first one encrypts. */
export function stateKeys({ env }: Pick<Project, "env">): readonly StateKey[] {
  const { value } = give(env, "REMIT_STATE_KEY", THIS_MACHINE);
  return value === null ? [] : readStateKeys(value);
}

const EMPTY_KEY: Diagnostic = {
  code: "state/key",
  severity: "error",
  message: "REMIT_STATE_KEY is set and empty",
  hint: "Without a key, unset it. A pipeline leaves the variable empty where its secret is missing.",
};

async function openPlace(world: World, project: Project): Promise<PlacedStore> {
  const { state } = project.settings;
  const address = readStateAddress(state.value);
  if (address.as === "file") return { kept: await openFile(world, project), place: filePlace(project) };
  if (address.as === "git") {
    const { gitOptions } = await import("./gitStore.js");
    const options = await gitOptions(world, project, address);
    const { gitStore } = await import("../../state/git/store.js");
    return { kept: gitStore(options), place: `git:${options.refs.state}` };
  }
  if (address.as === "s3") {
    const { openBucketStore } = await import("./bucketStore.js");
    const kept = await openBucketStore(world, project, address);
    return { kept, place: `s3:${address.bucket}/${address.key}` };
  }
  if (address.as === "http") {
    const { openWebStore } = await import("./webStore.js");
    return { kept: await openWebStore(world, project, address), place: `http:${address.shown}` };
  }
  const { openDatabase } = await import("./databaseStore.js");
  return openDatabase(world, project, address);
}

/**
 * The path from the root of the checkout on: two projects of one repository have two places. A path outside of it is another on
 * each machine, so only the name of the file counts there.
 */
function filePlace({ root, settings }: Project): string {
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
async function openFile(world: World, project: Project): Promise<Store<Kept>> {
  const { root, settings, dataFolder } = project;
  const given = resolve(root, settings.state.value);
  for (const ending of BESIDE) {
    const link = await linkInProject(root, `${given}${ending}`);
    if (link !== null) throw new StateError(throughLink(`${settings.state.value}${ending}`, link, root));
  }
  const inside = relative(root, given);
  const name = inside.startsWith("..") || isAbsolute(inside) ? given : inside;
  // A link that cannot be followed is reported when the file is opened.
  const path = await endOf(given).catch(() => given);
  const tracked = await trackedAmong(
    root,
    BESIDE.map((ending) => `${path}${ending}`),
    gitEnvironment(world.env),
  );
  const [first] = tracked;
  if (first !== undefined) throw new StateError(isTracked(first));
  const isDead = ({ host, pid }: Owner) => host === world.process.host && !isRunning(pid);
  const store = fileStore({ path, name, version: packageFile.version, clock: world.clock, isDead });
  const isOwn = await isWrittenByThisUser(path);
  const isKeptInside = dirname(given) === join(root, dataFolder) || settings.server.value === "sandbox";
  return isKeptInside ? withDataFolder({ ...store, isOwn }, project) : { ...store, isOwn };
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

function isTracked(path: string): Diagnostic {
  return {
    code: "state/tracked",
    severity: "error",
    message: `git tracks ${path}, so remit does not use it as a state`,
    hint: `A state in the repository is written by the author of each change. Run \`git rm --cached ${path}\`, and add it to .gitignore.`,
  };
}
