import type { Change } from "../diff/change.js";
import type { Finding } from "../plan/plan.js";
import type { Step } from "../plan/step.js";

/** How much a reader should fear a step, and in which order steps are shown: a delete 7, nothing at all 0. */
export function riskOf(step: Step, findings: readonly Finding[]): number {
  switch (step.action) {
    case "delete":
      return 7;
    case "blocked":
      return 5;
    case "create":
      return isGuarded(step, findings) ? 6 : 2;
    case "set":
    case "update":
      if (isGuarded(step, findings)) return 6;
      return step.changes.some(({ change }) => loosens(change)) ? 4 : 3;
    case "adopt":
      return 1;
    case "forget":
    case "keep":
      return 0;
    default:
      return step.action satisfies never;
  }
}

function isGuarded({ address }: Step, findings: readonly Finding[]): boolean {
  return findings.some(
    ({ address: about }) => about !== null && about.kind === address.kind && about.name === address.name,
  );
}

/** Whether a change takes something away that was asked for: a field that is cleared, a choice of all. */
function loosens(change: Change): boolean {
  switch (change.type) {
    case "choice":
      // The service names the open choice of a group `allUsers`, `allAccounts`, `allGrants`, `allAccessConflicts`.
      return change.to === null || /^all[A-Z]/.test(change.to);
    case "set":
      return change.after.length === 0;
    case "text":
    case "value":
      return change.after === null;
    default:
      return change satisfies never;
  }
}
