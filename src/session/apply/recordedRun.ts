import type { HeardSteps } from "../../apply/heardSteps.js";
import type { Plan } from "../../plan/plan.js";
import { effectOf } from "../../plan/saved/effect.js";
import type { Snapshot } from "../../state/snapshot.js";
import type { Ending, Lock } from "../../state/store.js";
import { withRecord } from "../history.js";
import type { Session } from "../session.js";
import type { Order } from "./order.js";

/** An apply that was carried out. */
interface AppliedRun {
  readonly plan: Plan;
  readonly effect: string;
  /** Null where another run has the lock. */
  readonly snapshot: Snapshot | null;
}

/** What a run ends with, and its record where it sent something: the last snapshot names it. */
export async function endingWithRecord(
  ending: Ending,
  { plan, effect, snapshot }: AppliedRun,
  { run, expected, plan: saved, request }: Order,
  heard: HeardSteps,
  lock: Lock,
  session: Session,
): Promise<Ending> {
  const steps = heard.steps(plan);
  if (snapshot === null || steps.length === 0) return ending;
  const asked = expected ?? (saved === null ? null : effectOf(saved.plan));
  const of = { expected: asked, applied: effect };
  const { commit } = plan;
  const ended = { run, as: "apply", project: request.project.name, commit, effect: of, steps } as const;
  const open = ending.snapshot ?? null;
  const last = open ?? snapshot;
  const next = await withRecord(last, ended, lock, session);
  if (next === last) return ending;
  return { ...ending, snapshot: open === null ? { ...next, serial: next.serial + 1 } : next };
}
