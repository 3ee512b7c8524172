import type { JsonObject } from "../../model/json.js";
import { grantsOf, type Store } from "../tenant/store.js";
import type { EntitlementRow } from "../tenant/tenant.js";
import { text } from "../wire/member.js";
import { isDeleted } from "./existing.js";

/** Whether there is an automation that gives the entitlement. */
export function isAutomated(row: EntitlementRow, store: Store): boolean {
  if (!store.tellsAutomations) return false;
  const automation = store.automations.get(row.appId, row.id);
  return automation !== undefined && !isDeleted(automation);
}

/** The entitlement as it is shown: with what its automation and its grants say of it. */
export function withAutomation(row: EntitlementRow, store: Store): JsonObject {
  const grantCount = text(row, "grantCount") || String(store.grants.of(grantsOf(row.appId, row.id)).length);
  return { ...row, grantCount, isAutomationEnabled: isAutomated(row, store) };
}
