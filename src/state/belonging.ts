import { say } from "../words/say.js";
import type { Snapshot } from "./snapshot.js";
import { type Owner, StateError } from "./store.js";

/** Whether a state may belong to any project, and this one has a name to give it. */
export function isUnnamed(snapshot: Pick<Snapshot, "project"> | null, project: string | null): boolean {
  return snapshot !== null && snapshot.project === undefined && project !== null;
}

/** The state with the name of its project, where it has none yet. */
export function withName(snapshot: Snapshot, project: string | null): Snapshot {
  return snapshot.project !== undefined || project === null ? snapshot : { ...snapshot, project };
}

/** The state as an apply takes it over: with the name of its project, and who applies. */
export function takenBy(snapshot: Snapshot, project: string | null, owner: Owner): Snapshot {
  const { host, user, job, since } = owner;
  return { ...withName(snapshot, project), appliedBy: { host, user, job, since } };
}

/** Throws a `StateError` where what is kept names another project than this one. */
export function checkProject(store: string, kept: string | undefined, project: string | null): void {
  if (kept !== undefined && kept !== project) throw otherProject(store, kept, project);
}

/** What names no project, where a person names the project that a state belonged to. */
const UNNAMED = "none";

/**
 * The state for another project, or for the project that it gets its first name from. Throws a `StateError` where it does
 * not belong to the one that a person named.
 */
export function renamed(store: string, snapshot: Snapshot, { from, to }: Renaming): Snapshot {
  if ((snapshot.project ?? UNNAMED) === from) return { ...snapshot, project: to };
  const { project } = snapshot;
  const diagnostic =
    project === undefined
      ? say("state/other-project#ofNone", { store, from })
      : say("state/other-project#ofOther", { store, from, project });
  throw new StateError(diagnostic);
}

/** The project that a state belonged to, and the one that it belongs to now. */
export interface Renaming {
  readonly from: string;
  readonly to: string;
}

function otherProject(store: string, kept: string, project: string | null): StateError {
  if (project?.startsWith(`${kept}#`) === true)
    return new StateError(
      say("state/other-project#withoutContext", { store, context: project.slice(kept.length + 1) }),
    );
  const diagnostic =
    project === null
      ? say("state/other-project#nameless", { store, kept })
      : say("state/other-project#named", { store, kept, project });
  return new StateError(diagnostic);
}
