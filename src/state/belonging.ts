import { fault } from "./fault.js";
import type { Snapshot } from "./snapshot.js";
import type { Owner, StateError } from "./store.js";

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
  const whose = snapshot.project === undefined ? "names no project" : `belongs to ${snapshot.project}`;
  throw fault(
    "state/other-project",
    `the state (${store}) does not belong to the project ${from}: it ${whose}`,
    "Nothing was changed. Name the project that `remit state list` shows, or `none` where it shows none.",
  );
}

/** The project that a state belonged to, and the one that it belongs to now. */
export interface Renaming {
  readonly from: string;
  readonly to: string;
}

function otherProject(store: string, kept: string, project: string | null): StateError {
  if (project?.startsWith(`${kept}#`) === true) return withoutContext(store, project.slice(kept.length + 1));
  const own = project === null ? "this project has no name" : `this project is ${project}`;
  const take = `If ${kept} is an earlier name of this project, write \`project: ${kept}\` in remit.yaml`;
  const rename = project === null ? "" : `, or run \`remit state move --from-project ${kept}\` once`;
  return fault(
    "state/other-project",
    `the state (${store}) belongs to the project ${kept}, and ${own}`,
    `Give each project its own \`state\`. ${take}${rename}.`,
  );
}

/** A state of the time before the project had contexts. */
function withoutContext(store: string, context: string): StateError {
  return fault(
    "state/other-project",
    `the state (${store}) belongs to the project as it was without contexts`,
    `If it is of the server of ${context}, give it to that context: \`remit state move --context ${context}\`.`,
  );
}
