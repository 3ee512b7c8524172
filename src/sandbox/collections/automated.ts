import type { JsonObject } from "../../model/json.js";
import type { World } from "../answer/operation.js";
import { grantsOf, type Store } from "../tenant/store.js";
import type { EntitlementRow } from "../tenant/tenant.js";
import { text } from "../wire/member.js";
import { writeTimestamp } from "../wire/moment.js";
import { isDeleted } from "./owned.js";

/** Whether there is an automation that gives the entitlement. */
export function isAutomated(row: EntitlementRow, store: Store): boolean {
  if (!store.tellsAutomations) return false;
  const automation = store.automations.get(row.appId, row.id);
  return automation !== undefined && !isDeleted(automation);
}

/** Deletes an entitlement and its automation. */
export function removeEntitlement(row: EntitlementRow, world: World): void {
  removeAutomation(row, world);
  world.store.entitlements.put(row.appId, row.id, { ...row, deletedAt: writeTimestamp(world.now) });
}

/** Deletes the automation of an entitlement, where it has one. */
export function removeAutomation({ appId, id }: EntitlementRow, { store, now }: World): void {
  const automation = store.automations.get(appId, id);
  if (automation === undefined || isDeleted(automation)) return;
  store.automations.put(appId, id, { ...automation, deletedAt: writeTimestamp(now) });
}

/** The entitlement as it is shown: with what its automation and its grants say of it. */
export function withAutomation(row: EntitlementRow, store: Store): JsonObject {
  const grantCount = text(row, "grantCount") || String(store.grants.of(grantsOf(row.appId, row.id)).length);
  return { ...row, grantCount, isAutomationEnabled: isAutomated(row, store) };
}
