import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { dataFolderOf } from "../../manifest/contexts.js";
import { isWithin } from "../../manifest/files.js";
import type { Diagnostic } from "../../model/diagnostic.js";
import { publicServer } from "../../plan/server.js";
import { memoryContents, memoryStore } from "../../state/memory.js";
import type { Snapshot } from "../../state/snapshot.js";
import { StateError, type Store } from "../../state/store.js";
import { readStateAddress, shownAddress } from "../../state/stores.js";
import { checkServer } from "../../tenant/client/server.js";
import { say } from "../../words/say.js";
import { openStore } from "../open/store.js";
import type { Project } from "../settings/project.js";
import { projectName } from "../settings/projectName.js";
import type { World } from "../world/world.js";

/** The store of a run that plans, and who has the state now where it was given to someone else; null for no one. */
interface StoreToPlan {
  readonly store: Store;
  readonly givenTo: string | null;
}

/**
 * The store of a run that plans. Throws a `StateError` beside a state from the time before the project had contexts. It
 * also does for a context that the working tree no longer has, as long as its state has objects.
 */
export async function storeToPlan(world: World, project: Project, store: Store): Promise<StoreToPlan> {
  const { current } = project.contexts;
  const own = { store, givenTo: null };
  if (current === null) return own;
  const beside = await namelessState(world, project);
  if (beside !== null) throw new StateError(besideFault(beside, project, current));
  if (!project.isDeparted) return own;
  const name = await projectName(world, project);
  const found = await snapshotOf(store);
  if ("movedTo" in found || found.snapshot?.project !== name) {
    const givenTo = "movedTo" in found ? found.movedTo : contextWith(found.snapshot, name);
    return { store: memoryStore(memoryContents(), world.clock), givenTo };
  }
  const count = Object.keys(found.snapshot.entries).length;
  if (count === 0) return own;
  throw new StateError(say("context/departed", { current, name: store.name, count, context: name }));
}

/** What a store has; the sentence that names the new place where the state was moved. */
async function snapshotOf(
  store: Store,
): Promise<{ readonly snapshot: Snapshot | null } | { readonly movedTo: string }> {
  try {
    return { snapshot: (await store.read()).snapshot };
  } catch (error) {
    if (error instanceof StateError && error.diagnostic.code === "state/moved")
      return { movedTo: error.diagnostic.message };
    throw error;
  }
}

/** The context of the same project to which a state belongs; null where it belongs to none. */
function contextWith(snapshot: Snapshot | null, own: string | null): string | null {
  const project = own?.slice(0, own.lastIndexOf("#") + 1) ?? "";
  const name = snapshot?.project ?? "";
  if (project === "" || !name.startsWith(project)) return null;
  return `the state belongs to the context ${name.slice(project.length)} now`;
}

/** That the objects of a context are managed elsewhere, so that no change removes them. */
export function givenAway({ contexts: { current } }: Pick<Project, "contexts">, givenTo: string): Diagnostic {
  return say("context/given-away", { current: String(current), givenTo });
}

/** The state that a project had without contexts, and where. */
interface NamelessState {
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
  const found = await snapshotOf(store);
  const snapshot = "movedTo" in found ? null : found.snapshot;
  return snapshot === null ? null : { project: former, store, snapshot };
}

/** The project as it was without contexts. */
function withoutContext({ env }: World, project: Project, settings: Project["settings"]): Project {
  const contexts = { ...project.contexts, current: null };
  return { ...project, settings, contexts, env, dataFolder: dataFolderOf(null) };
}

function besideFault({ store, snapshot, project }: NamelessState, { settings }: Project, context: string) {
  const server = publicServer(snapshot.server);
  const isOwn = isServer(settings.server.value, snapshot.server);
  const name = isOwn ? context : "NAME";
  return say("context/nameless-state", {
    value: shownAddress(project.settings.state.value),
    name: store.name,
    server,
    context: name,
  });
}

/** Whether a setting names the server that a state belongs to. */
export function isServer(setting: string | null, server: string): boolean {
  if (setting === null || setting === "sandbox") return setting === server;
  const checked = checkServer(setting, { plain: true });
  return "server" in checked && publicServer(checked.server) === publicServer(server);
}
