import { kinds } from "../kinds/index.js";
import { kindFinder } from "../kinds/kindOf.js";
import { formatAddress } from "../model/address.js";
import { callsAhead, estimate } from "../plan/estimate.js";
import type { Plan } from "../plan/plan.js";
import type { Snapshot } from "../state/snapshot.js";
import type { Summary } from "./summary.js";

/**
 * What an apply left to do, as a plan that can be applied: every step that changes something and is not done. It
 * belongs to the state as the apply left it. Null when nothing is left.
 */
export function remainingPlan(plan: Plan, summary: Summary, kept: Snapshot | null): Plan | null {
  const undone = new Set(
    summary.remarks.filter(({ outcome }) => outcome !== "done").map(({ address }) => formatAddress(address)),
  );
  if (undone.size === 0) return null;
  const isUndone = ({ address }: { readonly address: Plan["steps"][number]["address"] }) =>
    undone.has(formatAddress(address));
  const steps = plan.steps.filter(isUndone).map((step) => ({
    ...step,
    needs: step.needs.filter((need) => undone.has(formatAddress(need))),
    follows: step.follows.filter((other) => undone.has(formatAddress(other))),
  }));
  const ahead = callsAhead(
    steps,
    ({ address }) => plan.interface.kinds[address.kind]?.source === "live",
    kindFinder(kinds),
  );
  return {
    ...plan,
    state: kept === null ? plan.state : { lineage: kept.lineage, serial: kept.serial },
    steps,
    findings: plan.findings.filter(({ address }) => address === null || undone.has(formatAddress(address))),
    rewritten: plan.rewritten.filter(isUndone),
    calls: { made: plan.calls.made, ahead },
    estimate: estimate(ahead, plan.estimate.width),
  };
}
