import type { Kind } from "../kinds/kind.js";
import { kindFinder } from "../kinds/kindOf.js";
import type { Checked } from "../model/diagnostic.js";
import type { Snapshot } from "../state/snapshot.js";
import { guard, type Watch } from "./guards.js";
import type { Finding, Plan } from "./plan.js";
import { recordsOf } from "./records.js";

/**
 * The findings of a plan as they stand when it is applied: every rule is asked anew, with the limits and the
 * acknowledgements in force now. What the plan says of itself counts for nothing: whether an object is protected is in
 * the state.
 */
export function findingsNow(
  plan: Plan,
  kinds: readonly Kind[],
  snapshot: Snapshot | null,
  inForce: Pick<Watch, "limits" | "acknowledgements" | "today">,
): Checked<readonly Finding[]> {
  const records = recordsOf(snapshot, kinds);
  const steps = plan.steps.map((step) => {
    const entry = records.entry(step.address.kind, step.key);
    return { ...step, protected: step.protected || entry?.protected === true };
  });
  const { interface: found, mode } = plan;
  return guard(steps, { interface: found, mode, kindOf: kindFinder(kinds), ...inForce });
}
