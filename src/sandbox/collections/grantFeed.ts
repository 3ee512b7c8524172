import type { JsonObject } from "../../model/json.js";
import type { World } from "../operation.js";
import { parts, text } from "../wire/member.js";

/** What was granted, of the grants that there are, the latest first: a sandbox takes nothing away by itself. */
export function grantFeed(request: JsonObject, { store }: World): readonly JsonObject[] {
  const after = Date.parse(text(request, "after"));
  const before = Date.parse(text(request, "before"));
  const apps = new Set(parts(request, "appRefs").map((ref) => text(ref, "id")));
  const users = new Set(parts(request, "userRefs").map((ref) => text(ref, "id")));
  const entitlements = new Set(
    parts(request, "appEntitlementRefs").map((ref) => `${text(ref, "appId")}/${text(ref, "id")}`),
  );
  return store.grants
    .all()
    .filter((row) => {
      const owner = store.accounts.get(row.appId, row.appUserId)?.identityUserId ?? "";
      return (
        !(Date.parse(row.createdAt) < after) &&
        !(Date.parse(row.createdAt) > before) &&
        (apps.size === 0 || apps.has(row.appId)) &&
        (users.size === 0 || users.has(owner)) &&
        (entitlements.size === 0 || entitlements.has(`${row.appId}/${row.appEntitlementId}`))
      );
    })
    .sort((one, other) => other.createdAt.localeCompare(one.createdAt))
    .map(({ appId, appEntitlementId, appUserId, createdAt }) => ({
      appId,
      appEntitlementId,
      appUserId,
      date: createdAt,
      eventType: "GRANT_EVENT_TYPE_ADDED",
    }));
}
