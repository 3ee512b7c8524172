import { formatKey } from "../model/key.js";
import type { Plan } from "../plan/plan.js";
import type { Current } from "../tenant/known.js";

/** The same plan with the values of the objects that it leaves as they are: a rule of one can then be asked about people. */
export function withSeen<P extends Plan>(plan: P, objects: Current["objects"]): P {
  const steps = plan.steps.map((step) => {
    if (step.action !== "keep" || step.key === null || step.before !== null) return step;
    const seen = objects.get(formatKey(step.address.kind, step.key));
    return seen?.as === "present" ? { ...step, before: seen.fields } : step;
  });
  return { ...plan, steps };
}
