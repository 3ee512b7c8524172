import type { Diagnostic } from "../model/diagnostic.js";
import type { Finding } from "../plan/plan.js";
import type { Recalled } from "../plan/request.js";
import { plan as planFrom } from "../reconcile.js";
import { confirmedApplying } from "./again/confirmed.js";
import { type ContinuedPlan, continuedPlan, withFound } from "./again/continued.js";
import { unexpected } from "./check.js";
import type { Job } from "./job.js";
import type { Order } from "./order.js";
import { type Refusal, refusal } from "./result.js";
import { type Session, tenantOf } from "./session.js";

/** The steps to be done, or why there are none. */
export type StepsToDo =
  | (ContinuedPlan &
      Pick<Job, "plannedAt"> & {
        /** What the steps trip, by the limits and acknowledgements in force now. */
        readonly findings: readonly Finding[];
        readonly diagnostics: readonly Diagnostic[];
      })
  | ({ readonly plan: null } & Pick<Refusal, "by" | "diagnostics" | "unexpected">);

/** A new plan, where it is the expected one. */
export async function anew(
  { request, expected, mergedAt, progress, planned }: Order,
  session: Session,
  recalled: Recalled,
): Promise<StepsToDo> {
  const told = recalled.snapshot?.applying ?? null;
  const plannedAt = session.clock.elapsed();
  const planning = {
    ...(progress !== undefined && { progress }),
    ...(planned !== undefined && { planned }),
  };
  const { value: plan, diagnostics } = await planFrom(
    request,
    recalled,
    tenantOf(session),
    "at once",
    planning,
  );
  if (plan === null) return { plan, ...refusal("planning", diagnostics) };
  const { applying: before, unconfirmed } =
    expected === null
      ? { applying: told, unconfirmed: [] }
      : await confirmedApplying(
          { plan, isSaved: false, isRecorded: request.history.isRecorded === true, mergedAt },
          withFound(plan, recalled.snapshot),
          session,
        );
  const faults = unexpected(plan, before, expected);
  if (faults.length > 0)
    return { plan: null, ...refusal("check", [...diagnostics, ...unconfirmed, ...faults], plan) };
  return { ...continuedPlan(plan, before, false), plannedAt, findings: plan.findings, diagnostics };
}
