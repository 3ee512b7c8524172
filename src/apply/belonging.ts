import { formatAddress } from "../model/address.js";
import type { Diagnostic } from "../model/diagnostic.js";
import { formatKey } from "../model/key.js";
import type { Plan } from "../plan/plan.js";
import type { Request } from "../plan/request.js";
import { isUnnamed } from "../state/belonging.js";
import { nameOfEntry } from "../state/names.js";
import type { Entry, Snapshot } from "../state/snapshot.js";
import { firstOf } from "../words/more.js";
import { say } from "../words/say.js";

/** What a state without the name of its project means for a run: nothing is removed until it has one. */
interface Naming {
  /** The request without anything that removes. */
  readonly request: Request;
  /** Why the run is refused. */
  readonly refused: readonly Diagnostic[];
  readonly notes: readonly Diagnostic[];
}

/** How a run treats the state; null where the state names its project, or is new, or where the project has no name. */
export function namingOf(request: Request, snapshot: Snapshot | null): Naming | null {
  const { mode, project } = request;
  const { name, removals } = project;
  if (name === null || !isUnnamed(snapshot, name)) return null;
  return {
    request: {
      ...request,
      mode: { ...mode, prune: false, cascade: [] },
      project: { ...project, removals: { decisions: [], isPruneStanding: false } },
    },
    refused: mode.prune && !removals.isPruneStanding ? [say("state/unnamed#prune", { project: name })] : [],
    notes: [say("state/takes-name", { project: name })],
  };
}

/** What of the state a plan shows to belong to this project, or not. */
interface Belonging {
  /** Objects of the state that have no manifest in this project. */
  readonly outside: readonly Entry[];
  /** Whether the plan shows all objects of the state to be this project's. */
  readonly isAll: boolean;
}

/** Looks for each object of the state in a plan. A plan of a part of the project does not show the rest. */
export function belongingOf({ steps }: Plan, snapshot: Snapshot | null): Belonging {
  const entries = Object.values(snapshot?.entries ?? {});
  const removed = new Set<string>();
  const described = new Set<string>();
  for (const { action, address, key } of steps) {
    const names = [formatAddress(address), ...(key === null ? [] : [formatKey(address.kind, key)])];
    const isRemoved = REMOVING.has(action);
    for (const name of names) (isRemoved ? removed : described).add(name);
  }
  const placeOf = ({ address, key }: Entry) => formatKey(address.kind, key);
  const outside = entries.filter((entry) => removed.has(placeOf(entry)));
  const isAll = entries.every(
    (entry) =>
      !removed.has(placeOf(entry)) &&
      (described.has(placeOf(entry)) || described.has(formatAddress(entry.address))),
  );
  return { outside, isAll };
}

const REMOVING: ReadonlySet<string> = new Set(["removed", "delete", "forget"]);

/** Objects of another project, or removed ones of this project: only a person can tell. */
export function foreignIn(
  { outside }: Belonging,
  snapshot: Snapshot | null,
  severity: "error" | "warning",
): readonly Diagnostic[] {
  if (outside.length === 0) return [];
  const all = Object.keys(snapshot?.entries ?? {}).length;
  const some = firstOf(outside.map(nameOfEntry), MOST);
  return [say("state/unnamed#foreign", { outside: outside.length, all, some }, { severity })];
}

const MOST = 5;

/** The name that a state takes: where it is new, and where a plan shows that all of it is this project's. */
export function nameFor(
  { project: { name: project } }: Request,
  plan: Plan,
  snapshot: Snapshot | null,
): string | null {
  return !isUnnamed(snapshot, project) || belongingOf(plan, snapshot).isAll ? project : null;
}
