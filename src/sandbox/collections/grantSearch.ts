import type { JsonObject } from "../../model/json.js";
import type { World } from "../operation.js";
import { grantsOf } from "../store/store.js";
import type { GrantRow } from "../tenant.js";
import { parts, text, texts } from "../wire/member.js";

/** The fewest grants that a search must look at: those of the entitlements named, or all. */
export function grantCandidates(request: JsonObject, { store }: World): readonly (readonly GrantRow[])[] {
  const refs = parts(request, "entitlementRefs");
  if (refs.length === 0) return store.grants.groups();
  return refs.map((ref) => store.grants.of(grantsOf(text(ref, "appId"), text(ref, "id"))));
}

/** From a filter to the field of the entitlement that must have one of its values. */
const OF_ENTITLEMENT = {
  entitlementSlugs: "slug",
  resourceIds: "appResourceId",
  resourceTypeIds: "appResourceTypeId",
  purpose: "purpose",
} as const;

/** Whether a grant passes every filter of a search. */
export function grantsWantedBy(request: JsonObject, { store }: World): (row: GrantRow) => boolean {
  const appIds = texts(request, "appIds");
  const accountIds = texts(request, "appUserIds");
  const userId = text(request, "userId");
  const filters = Object.entries(OF_ENTITLEMENT).map(
    ([filter, field]) => [texts(request, filter), field] as const,
  );
  return (row) => {
    const entitlement = store.entitlements.get(row.appId, row.appEntitlementId) ?? {};
    return (
      (appIds.length === 0 || appIds.includes(row.appId)) &&
      (accountIds.length === 0 || accountIds.includes(row.appUserId)) &&
      (userId === "" || store.accounts.get(row.appId, row.appUserId)?.identityUserId === userId) &&
      filters.every(([values, field]) => values.length === 0 || values.includes(text(entitlement, field)))
    );
  };
}
