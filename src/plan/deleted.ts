import type { Step } from "./step.js";

/**
 * Whether the state has the object of a step and the tenant has it no longer: it was deleted since the last apply. The
 * step makes it again, cannot make it, or only says so.
 */
export function wasDeleted({ action, reason, exists, record }: Step): boolean {
  if (action === "forget" || exists !== "no") return false;
  return reason === "gone from tenant" || (action === "blocked" && record !== null);
}
