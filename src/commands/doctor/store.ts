import { openStore } from "../../cli/open/store.js";
import type { Project } from "../../cli/settings/project.js";
import type { World } from "../../cli/world/world.js";
import { aboutState, ownerInWords } from "../../state/owner.js";
import type { AppliedBy, Snapshot } from "../../state/snapshot.js";
import { StateError } from "../../state/store.js";
import { shownAddress } from "../../state/stores.js";

/** The store of the state, and whether it can be read. */
export interface StoreHealth {
  /** Its path or address, without a password. */
  readonly name: string;
  readonly isReachable: boolean;
  /** Why it cannot be read; null where it can. */
  readonly why: string | null;
  /** How many objects it remembers; null where it contains no state. */
  readonly objects: number | null;
  /** Which run writes to it now; null for no run. */
  readonly lockedBy: string | null;
  /** How often the state was saved, the project that it belongs to, and who applied last; null where it does not say. */
  readonly serial: number | null;
  readonly project: string | null;
  readonly appliedBy: AppliedBy | null;
}

/** Reads the store that the project names, and takes no lock. */
export async function lookAtStore(
  world: World,
  project: Project,
): Promise<{ readonly health: StoreHealth; readonly snapshot: Snapshot | null }> {
  let name = shownAddress(project.settings.state.value);
  try {
    const store = await openStore(world, project);
    name = store.name;
    const { snapshot, held } = await store.read();
    const objects = snapshot === null ? null : Object.keys(snapshot.entries).length;
    const lockedBy = held === null ? null : ownerInWords(held.by);
    const { serial = null, project: own = null, appliedBy = null } = snapshot ?? {};
    const whose = { serial, project: own, appliedBy };
    return { health: { name, isReachable: true, why: null, objects, lockedBy, ...whose }, snapshot };
  } catch (error) {
    if (!(error instanceof StateError)) throw error;
    const why = error.diagnostic.message;
    const unknown = { objects: null, lockedBy: null, serial: null, project: null, appliedBy: null };
    return { health: { name, isReachable: false, why, ...unknown }, snapshot: null };
  }
}

/** The same as a sentence. */
export function aboutStore(health: StoreHealth): string {
  const { name, isReachable, why, objects, lockedBy } = health;
  if (!isReachable) return `Store: ${name} cannot be read: ${why}.`;
  const content = objects === null ? "it contains no state" : `it remembers ${counted(objects)}`;
  const whose = objects === null ? "" : ` ${aboutState(health)}`;
  return `Store: ${name} can be read; ${content}.${whose}${lockedBy === null ? "" : ` Locked by ${lockedBy}.`}`;
}

function counted(objects: number): string {
  return objects === 1 ? "1 object" : `${objects} objects`;
}
