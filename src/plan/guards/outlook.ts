import { writes } from "../calls.js";
import type { Planned } from "../plan.js";
import type { Step } from "../step.js";
import { undecidedFindings } from "./guards.js";

/** What an apply of a plan would come to, as far as its exit code says it. */
export type Outlook = "cannot be applied" | "changes the tenant" | "changes nothing";

/**
 * Whether a plan can be applied as it is, and whether the tenant would change. Recording what is already true in the
 * tenant is not a change. Where only drift is looked for, the tenant differs from the record where it drifted.
 */
export function outlookOf(plan: Planned): Outlook {
  const { steps, mode } = plan;
  const isBlocked = steps.some(({ action }) => action === "blocked");
  if (isBlocked || undecidedFindings(plan).length > 0) return "cannot be applied";
  const differs = mode.refreshOnly ? isDrift : writes;
  return steps.some(differs) ? "changes the tenant" : "changes nothing";
}

function isDrift({ reason, changes }: Step): boolean {
  return changes.length > 0 || reason === "gone from tenant";
}
