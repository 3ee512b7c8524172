import type { Cause } from "../../diff/change.js";
import type { Action, Reason } from "../../plan/step.js";

/** What each action is called before a number: `2 to update`. */
export const ACTIONS: Readonly<Record<Action, string>> = {
  delete: "to delete",
  create: "to create",
  update: "to update",
  set: "to set",
  adopt: "to adopt",
  forget: "to forget",
  blocked: "blocked",
  keep: "unchanged",
};

/** What each cause means, in one word or two; the word stands beside every changed field. */
export const CAUSES: Readonly<Record<Cause, string>> = {
  edited: "edited",
  drifted: "drifted",
  both: "edited+drifted",
  first: "first",
};

/** Each reason as a sentence that says what the action means here. */
export function explain(action: Action, reason: Reason): string {
  switch (reason) {
    case "not in tenant":
      return "It is not in the tenant.";
    case "differs":
      return action === "create"
        ? "It differs from what was applied, and the core interface can only create."
        : "It differs from the manifest.";
    case "in sync":
      return "It is as the manifest says.";
    case "already as wanted":
      return "It is as the manifest says already; it is recorded as ours, and nothing is sent.";
    case "never applied":
      return "It was never applied by us.";
    case "renamed":
      return "Its manifest has another name now; nothing changes in the tenant.";
    case "given back":
      return "Fields that were ours are no longer written; they stay in the tenant as they are.";
    case "protection changed":
      return "Its protection changed; nothing changes in the tenant.";
    case "manifest removed":
      return action === "delete"
        ? "Its manifest was removed, and --prune was given."
        : "Its manifest was removed; it stays in the tenant as it is, and is ours no longer.";
    case "gone from tenant":
      return "It is gone from the tenant.";
    case "managed elsewhere":
      return "Another object of the service manages it; it is left alone.";
    case "current unknown":
      return "What it is now cannot be known, and the call would replace all of it.";
    case "parent missing":
      return "The object it belongs to is not in the tenant.";
    case "cannot create":
      return "It would have to be created, and it cannot be.";
    case "cannot delete":
      return "Its manifest was removed, and it cannot be deleted.";
    case "read failed":
      return "It could not be read.";
    case "reference not found":
      return "A name in it could not be looked up.";
    case "outcome uncertain":
      return "An earlier create ended without an answer; it is not sent again by itself.";
    case "need blocked":
      return "Something it needs is blocked.";
    case "drift only":
      return "The tenant has moved away from what was applied.";
    default:
      return reason satisfies never;
  }
}
