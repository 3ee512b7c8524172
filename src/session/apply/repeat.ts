import { kinds } from "../../kinds/index.js";
import { kindFinder } from "../../kinds/kindOf.js";
import type { Plan } from "../../plan/plan.js";
import { effectOf, isWriting, nameOfStep, stepHashes } from "../../plan/saved/effect.js";
import { keepSteps } from "../../plan/saved/keepSteps.js";
import type { Applying } from "../../state/snapshot.js";

/** A plan, and how far an apply of its effect has come before. */
export interface ContinuedPlan {
  /** The steps that are left. */
  readonly plan: Plan;
  readonly applying: Applying;
}

/**
 * Continues an apply that ended early: a plan whose steps, together with the steps that are done, have the effect of
 * that apply. Any other plan begins anew. A saved plan does no step again. A new plan does all that it shows.
 */
export function continuedPlan(plan: Plan, before: Applying | null, isSaved: boolean): ContinuedPlan {
  const effect = effectOf(plan);
  const anew = { plan, applying: { effect, done: [], isComplete: false } };
  if (before === null) return anew;
  if (before.isComplete) {
    if (isSaved) return before.effect === effect ? { plan: without(plan, null), applying: before } : anew;
    return plan.steps.some(isWriting) ? anew : { plan, applying: before };
  }
  if (effectOf(plan, before.done) !== before.effect) return anew;
  return { plan: isSaved ? without(plan, new Set(before.done)) : plan, applying: before };
}

/** The plan without the steps that are done; null stands for all that write. */
function without(plan: Plan, done: ReadonlySet<string> | null): Plan {
  const hashes = stepHashes(plan);
  const isDone = (hash: string) => done === null || done.has(hash);
  return keepSteps(
    plan,
    (step) => !isWriting(step) || !isDone(hashes.get(nameOfStep(step)) ?? ""),
    kindFinder(kinds),
  );
}
