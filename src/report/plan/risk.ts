import type { Change } from "../../diff/change.js";
import type { Step } from "../../plan/step.js";

/**
 * How risky a step is, from 0 for harmless to 7 for a delete; a guard's finding raises the risk, and so does what the
 * tenant changed.
 */
export function riskOf(step: Step, isGuarded: boolean): number {
  switch (step.action) {
    case "delete":
      return 7;
    case "blocked":
      return 5;
    case "replace":
      return isGuarded ? 6 : 4;
    case "create":
      return isGuarded ? 6 : 2;
    case "set":
    case "update":
      if (isGuarded) return 6;
      return step.changes.some(({ change }) => loosens(change)) ? 4 : 3;
    case "adopt":
      if (isGuarded) return 6;
      if (step.recorded.driftedFrom === null) return 1;
      return step.changes.some(({ change }) => loosens(change)) ? 4 : 3;
    case "forget":
    case "removed":
    case "keep":
      return 0;
    default:
      return step.action satisfies never;
  }
}

/** Whether a change removes a restriction or a value: a field that is cleared, a choice of all. */
function loosens(change: Change): boolean {
  switch (change.type) {
    case "choice":
      return change.to === null || change.opens;
    case "set":
      return change.after.length === 0;
    case "text":
    case "value":
      return change.after === null;
    default:
      return change satisfies never;
  }
}
