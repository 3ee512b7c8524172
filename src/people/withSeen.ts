import type { Current } from "../current/known.js";
import { formatKey } from "../model/key.js";
import type { Plan } from "../plan/plan.js";

/** What a plan saw, object by object. */
export type SeenObjects = Current["objects"];

/** The same plan with the values of the objects that it leaves as they are: a rule of one can then be asked about people. */
export function withSeen(plan: Plan, objects: SeenObjects): Plan {
  const steps = plan.steps.map((step) => {
    if (step.action !== "keep" || step.key === null || step.before !== null) return step;
    const seen = objects.get(formatKey(step.address.kind, step.key));
    return seen?.as === "present" ? { ...step, before: seen.fields } : step;
  });
  return { ...plan, steps };
}
