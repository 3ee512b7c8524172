import type { Plan } from "../plan/plan.js";
import { effectOf } from "../plan/saved/effect.js";
import type { Snapshot } from "../state/snapshot.js";
import type { Ending, Lock } from "../state/store.js";
import type { HeardSteps } from "./heardSteps.js";
import { withRecord } from "./history.js";
import type { Order } from "./order.js";
import type { Session } from "./session.js";

/** An apply that was carried out. */
interface AppliedRun {
  readonly plan: Plan;
  readonly effect: string;
  /** Null where another run has the lock. */
  readonly snapshot: Snapshot | null;
}

/** What a run ends with, and its record where it sent something: the last snapshot names it. */
export function endingWithRecord(
  ending: Ending,
  { plan, effect, snapshot }: AppliedRun,
  { run, expected, plan: saved, request, pullRequest }: Order,
  heard: HeardSteps,
  lock: Lock,
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
