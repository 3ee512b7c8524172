import type { JsonObject } from "../../model/json.js";
import type { Store } from "../store.js";
import type { EntitlementRow } from "../tenant.js";
import { isDeleted } from "./existing.js";

/** Whether there is an automation that gives the entitlement. */
export function isAutomated(row: EntitlementRow, store: Store): boolean {
  if (!store.tellsAutomations) return false;
  const automation = store.automations.get(row.appId, row.id);
  return automation !== undefined && !isDeleted(automation);
}

/** The entitlement as it is shown: with what its automation says of it. */
export function withAutomation(row: EntitlementRow, store: Store): JsonObject {
  return { ...row, isAutomationEnabled: isAutomated(row, store) };
}
