import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { checkServer } from "../../api/server.js";
import { dataFolderOf } from "../../manifest/contexts.js";
import { isWithin } from "../../manifest/files.js";
import { publicServer } from "../../plan/server.js";
import { readStateAddress, shownAddress } from "../../state/address.js";
import { memoryContents, memoryStore } from "../../state/memory.js";
import type { Snapshot } from "../../state/snapshot.js";
import { StateError, type Store } from "../../state/store.js";
import { openStore } from "../open/store.js";
import type { Project } from "../settings/project.js";
import { projectName } from "../settings/projectName.js";
import type { World } from "../world/world.js";

/**
 * The store of a run that plans. Throws a `StateError` beside a state from the time before the project had contexts. It
 * also does for a context that the working tree no longer has, as long as its state has objects.
 */
export async function storeToPlan(world: World, project: Project, store: Store): Promise<Store> {
  const { current } = project.contexts;
  if (current === null) return store;
  const beside = await namelessState(world, project);
  if (beside !== null) throw new StateError(besideFault(beside, project, current));
  if (!project.isDeparted) return store;
  const own = await projectName(world, project);
  const snapshot = await snapshotOf(store);
  if (snapshot === null || snapshot.project !== own) return memoryStore(memoryContents(), world.clock);
  const count = Object.keys(snapshot.entries).length;
  if (count === 0) return store;
  throw new StateError({
    code: "context/departed",
    severity: "error",
    message: `remit.yaml of the working tree no longer has the context ${current}, and its state (${store.name}) has ${count} ${count === 1 ? "object" : "objects"}`,
    hint:
      "Remove its manifests first, in a change of its own, and decide on their objects; or give its state to another context: `remit state move --context NAME --from-project " +
      `'${own}'\`.`,
  });
}

/** Null where it is not there any more: it was moved, or never made. */
async function snapshotOf(store: Store): Promise<Snapshot | null> {
  try {
    return (await store.read()).snapshot;
  } catch (error) {
    if (error instanceof StateError && error.diagnostic.code === "state/moved") return null;
    throw error;
  }
}

/** The state that a project had without contexts, and where. */
export interface NamelessState {
  readonly project: Project;
  readonly store: Store;
  readonly snapshot: Snapshot;
}

/** The state of the project without contexts, where it is beside those of the contexts; null where there is none. */
export async function namelessState(world: World, project: Project): Promise<NamelessState | null> {
  const { nameless } = project;
  if (nameless === null) return null;
  const former = withoutContext(world, project, nameless);
  const address = readStateAddress(nameless.state.value);
  const isThere = (path: string) => isWithin(project.root, path) && existsSync(path);
  if (address.as === "file" && !isThere(resolve(project.root, address.path))) return null;
  if (address.as === "git" && address.name === null && former.settings.server.value === null) return null;
  const store = await openStore(world, former);
  const snapshot = await snapshotOf(store);
  return snapshot === null ? null : { project: former, store, snapshot };
}

/** The project as it was without contexts. */
export function withoutContext({ env }: World, project: Project, settings: Project["settings"]): Project {
  const contexts = { ...project.contexts, current: null };
  return { ...project, settings, contexts, env, dataFolder: dataFolderOf(null) };
}

function besideFault({ store, snapshot, project }: NamelessState, { settings }: Project, context: string) {
  const server = publicServer(snapshot.server);
  const isOwn = isServer(settings.server.value, snapshot.server);
  const name = isOwn ? context : "NAME";
  return {
    code: "context/nameless-state",
    severity: "error",
    message: `the project has a state that belongs to no context: ${shownAddress(project.settings.state.value)} (${store.name}), of ${server}`,
    hint: `Give it to the context of that server: \`remit state move --context ${name}\`.`,
  } as const;
}

/** Whether a setting names the server that a state belongs to. */
export function isServer(setting: string | null, server: string): boolean {
  if (setting === null || setting === "sandbox") return setting === server;
  const checked = checkServer(setting, { plain: true });
  return "server" in checked && publicServer(checked.server) === publicServer(server);
}
