import type { Planned } from "../plan/plan.js";
import type { Recalled } from "../plan/request.js";
import { effectOf } from "../plan/saved/effect.js";
import type { Snapshot } from "../state/snapshot.js";
import type { Ending } from "../state/store.js";
import { nameFor } from "./belonging.js";
import { withRecord } from "./history.js";
import type { RunHeld } from "./hold.js";
import { withLastApplied } from "./lastApplied.js";
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
