import { formatAddress } from "../model/address.js";
import type { Planned } from "../plan/plan.js";
import { keepSteps } from "../plan/saved/keepSteps.js";
import type { Snapshot } from "../state/snapshot.js";
import type { Summary } from "./summary.js";

/**
 * What an apply left to do, as a plan that can be applied: every step that changes something and is not done. It
 * belongs to the state as the apply left it. Null when nothing is left.
 */
export function remainingPlan(plan: Planned, summary: Summary, kept: Snapshot | null): Planned | null {
  const undone = new Set(
    summary.notable.filter(({ outcome }) => outcome !== "done").map(({ address }) => formatAddress(address)),
  );
  if (undone.size === 0) return null;
  const rest = keepSteps(plan, ({ address }) => undone.has(formatAddress(address)));
  const state = kept === null ? plan.state : { lineage: kept.lineage, serial: kept.serial };
  // People were counted for the whole plan.
  return { ...rest, state, impact: null };
}
