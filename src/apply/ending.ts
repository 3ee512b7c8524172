import { formatAddress } from "../model/address.js";
import { same } from "../model/json.js";
import { formatKey } from "../model/key.js";
import type { Plan, Planned } from "../plan/plan.js";
import type { Recalled, Request } from "../plan/request.js";
import { effectOf } from "../plan/saved/effect.js";
import { isOfWhole, lastAppliedIn } from "../plan/since/unapplied.js";
import type { Step } from "../plan/step.js";
import { withName } from "../state/belonging.js";
import { type Entry, newSnapshot, type Snapshot } from "../state/snapshot.js";
import type { Ending } from "../state/store.js";
import { nameFor } from "./belonging.js";
import { withRecord } from "./history.js";
import type { RunHeld } from "./hold.js";
import type { Order } from "./order.js";
import type { Refusal, SessionResult } from "./result.js";
import type { Session } from "./session.js";
import type { WorkResult } from "./underLock.js";

/** A result with what the store keeps of it as the lock is given up; nothing of an apply that was refused. */
export function ended(
  value: SessionResult,
  order: Order,
  recalled: Recalled,
  held: RunHeld,
  session: Session,
): WorkResult<SessionResult> {
  if (value.as === "refused") return { value, ending: {} };
  const ending = endingOf(value, order, recalled);
  if (value.as !== "applied") return { value, ending };
  return { value, ending: endingWithRecord(ending, value, order, held, session) };
}

/**
 * Adds to what is kept the commit of an apply that left nothing, where its manifests stand, and the project's name in a
 * state of this project.
 */
function endingOf(
  value: Exclude<SessionResult, Refusal>,
  { appliedFolder, lineage, request, plan: saved }: Order,
  recalled: Recalled,
): Ending {
  const snapshot = value.as === "applied" ? value.snapshot : recalled.snapshot;
  const ending = value.as === "applied" ? value.ending : {};
  // Another run has the lock, or keeps another state.
  if (value.as === "applied" && snapshot === null) return ending;
  // A saved plan does not say what of the project it was selected from, nor where its manifests stand now.
  const isNew = saved === null && (value.as !== "applied" || value.fault === null);
  const folder = saved === null && leavesNothing(value) ? appliedFolder : null;
  const project = nameFor(request, value.plan, snapshot);
  const { steps } = value.plan;
  const placed = isNew ? steps : [];
  const labelled = steps.filter(({ action }) => action === "keep");
  const recorded = withLastApplied({
    folder,
    plan: value.plan,
    placed,
    labelled,
    request,
    project,
    snapshot,
    lineage,
  });
  if (recorded === null) return ending;
  const isOpen = (ending.snapshot ?? null) !== null;
  return { ...ending, snapshot: isOpen ? recorded : { ...recorded, serial: recorded.serial + 1 } };
}

/** Whether nothing is left of what an apply was for. */
function leavesNothing(result: Exclude<SessionResult, Refusal>): boolean {
  if (result.plan.steps.some(({ action }) => action === "blocked")) return false;
  if (result.as !== "applied") return true;
  const { done: _, ...others } = result.summary.outcomes;
  return result.fault === null && Object.values(others).every((count) => count === 0);
}

/** An apply that was carried out. */
interface AppliedRun {
  readonly plan: Planned;
  readonly effect: string;
  /** Null where another run has the lock. */
  readonly snapshot: Snapshot | null;
}

/** What a run ends with, and its record where it sent something: the last snapshot names it. */
function endingWithRecord(
  ending: Ending,
  { plan, effect, snapshot }: AppliedRun,
  { run, expected, plan: saved, request, pullRequest }: Order,
  { heard, lock }: RunHeld,
  session: Session,
): Ending {
  const steps = heard.steps(plan);
  if (snapshot === null || steps.length === 0 || session.store.history === null) return ending;
  const asked = expected ?? (saved === null ? null : effectOf(saved.plan));
  // A run that goes on where another ended has the effect of both.
  const of = { expected: asked, applied: snapshot.applying?.effect ?? effect };
  const { commit } = plan;
  const { name: project } = request.project;
  const unwritten = heard.unwritten(plan);
  const ended = { run, as: "apply", project, pullRequest, commit, effect: of, steps, unwritten } as const;
  const open = ending.snapshot ?? null;
  const last = open ?? { ...snapshot, serial: snapshot.serial + 1 };
  return { ...ending, snapshot: withRecord(last, ended, lock, session).snapshot };
}

/** An apply that ended. */
interface EndedApply {
  /** The folder of the project in its checkout; null where something is left to do, or no folder is recorded. */
  readonly folder: string | null;
  readonly plan: Plan;
  /** The steps whose manifests stand where the steps say; none of a plan that was saved. */
  readonly placed: readonly Pick<Step, "address" | "key" | "managed">[];
  /** The steps whose objects have the labels that the steps say, and that write nothing. */
  readonly labelled: readonly Pick<Step, "address" | "key" | "managed">[];
  readonly request: Pick<Request, "project" | "mode" | "tenant">;
  /** The project's name, which the state takes where it has none; null where it takes none. */
  readonly project: string | null;
  /** The state as it is now; null where there is none. */
  readonly snapshot: Snapshot | null;
  /** The name of a new state. */
  readonly lineage: string;
}

/**
 * The state with the commit of an apply that did all of its project, so that the merges after it can be found. It also has
 * whose the state is, in which files the manifests stand now, and their labels. A plan of one change counts where the change began at the
 * recorded commit, or where none is recorded: otherwise a merge between them is not applied yet. Null where nothing is new.
 */
export function withLastApplied(ended: EndedApply): Snapshot | null {
  const { project, request, lineage, snapshot, placed, labelled } = ended;
  const commit = commitOf(ended);
  const filed = snapshot === null ? null : withLabels(withFiles(snapshot, placed), labelled);
  const isNamed = snapshot === null || snapshot.project !== undefined || project === null;
  if (commit === null && isNamed && filed === snapshot) return null;
  const known = withName(filed ?? newSnapshot(lineage, request.tenant.server), project);
  return commit === null ? known : { ...known, lastApplied: { ...known.lastApplied, ...commit } };
}

/** The commit that is the last one applied completely, by its folder; null where it stays what it is. */
function commitOf({ folder, plan, request, snapshot }: EndedApply): Snapshot["lastApplied"] | null {
  if (folder === null || !isOfWhole(request)) return null;
  const last = lastAppliedIn(snapshot, folder);
  const isNext = plan.since === null || last === null || last === plan.since.commit;
  return plan.commit === null || !isNext || last === plan.commit ? null : { [folder]: plan.commit };
}

/** The state with the file that each manifest stands in: a step that writes nothing records it nowhere else. */
function withFiles(snapshot: Snapshot, placed: EndedApply["placed"]): Snapshot {
  return withEntries(snapshot, placed, (entry, { managed: { span } }) =>
    span === null || span.file === "-" || span.file === entry.file ? entry : { ...entry, file: span.file },
  );
}

/** The same with the labels of manifests. */
function withLabels(snapshot: Snapshot, labelled: EndedApply["labelled"]): Snapshot {
  return withEntries(snapshot, labelled, (entry, { managed: { labels } }) => {
    const { labels: before, ...rest } = entry;
    if (labels === null || same({ ...before }, { ...labels })) return entry;
    return Object.keys(labels).length === 0 ? rest : { ...rest, labels };
  });
}

/** The state with other entries of the objects that some steps are about; the same state where none differs. */
function withEntries<S extends Pick<Step, "address" | "key">>(
  snapshot: Snapshot,
  steps: readonly S[],
  change: (entry: Entry, step: S) => Entry,
): Snapshot {
  const changed = steps.flatMap((step) => {
    const { address, key } = step;
    const name = key === null ? "" : formatKey(address.kind, key);
    const entry = Object.hasOwn(snapshot.entries, name) ? snapshot.entries[name] : undefined;
    if (entry === undefined || formatAddress(entry.address) !== formatAddress(address)) return [];
    const other = change(entry, step);
    return other === entry ? [] : [[name, other] as const];
  });
  if (changed.length === 0) return snapshot;
  return { ...snapshot, entries: { ...snapshot.entries, ...Object.fromEntries(changed) } };
}
