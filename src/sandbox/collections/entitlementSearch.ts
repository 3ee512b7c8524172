import type { JsonObject } from "../../model/json.js";
import type { Operation, World } from "../answer/operation.js";
import { entitlementView } from "../messages/entitlement.js";
import { expanded, expansion, page, paging } from "../messages/members.js";
import { policyRef } from "../messages/policy.js";
import { entitlementRef } from "../messages/scope.js";
import { grantsOf, ROOT } from "../tenant/store.js";
import type { EntitlementRow } from "../tenant/tenant.js";
import { list, message } from "../wire/descriptor.js";
import { flag, part, parts, text, texts } from "../wire/member.js";
import { isAutomated, withAutomation } from "./automated.js";
import { isDeleted } from "./existing.js";
import { makeExpansion } from "./expansion.js";
import { allOf, byApp, filtersOf, refKey, refsIn, type Test } from "./listing.js";
import { pageOf } from "./page.js";
import { synced } from "./settings.js";
import { textSearchOf } from "./textSearch.js";

const APP = "c1.api.app.v1.";

/** Finds entitlements, and says of the first page how many there are; which further facets the service has is not known. */
export const searchEntitlements: Operation = {
  name: "SearchEntitlements",
  summary: "Finds entitlements in all apps.",
  method: "POST",
  path: "/api/v1/search/entitlements",
  request: message(`${APP}SearchAppEntitlementsRequest`, {
    alias: "string",
    displayName: "string",
    query: "string",
    appIds: list("string"),
    excludeAppIds: list("string"),
    appUserIds: list("string"),
    excludeAppUserIds: list("string"),
    refs: list(entitlementRef),
    excludedEntitlementRefs: list(entitlementRef),
    resourceIds: list("string"),
    resourceTypeIds: list("string"),
    excludeResourceTypeIds: list("string"),
    resourceTraitIds: list("string"),
    requestSchemaIds: list("string"),
    riskLevelIds: list("string"),
    complianceFrameworkIds: list("string"),
    policyRefs: list(policyRef),
    sourceConnectorId: "string",
    accessReviewId: "string",
    membershipType: list("string"),
    isAutomated: "bool",
    onlyGetExpiring: "bool",
    includeDeleted: "bool",
    excludeImmutable: "bool",
    expandMask: expansion(`${APP}AppEntitlementExpandMask`),
    ...paging,
  }),
  response: page(`${APP}SearchAppEntitlementsResponse`, entitlementView, { ...expanded, facets: "free" }),
  answer(request, world) {
    const groups = candidates(request, world);
    const isWanted = wantedBy(request, world);
    const found = pageOf(request, world, groups, isWanted);
    const expansion = makeExpansion(world.store, texts(part(request, "expandMask") ?? {}, "paths"));
    const list = found.rows.map((row) => ({
      appEntitlement: withAutomation(synced(row, world), world.store),
      appPath: expansion.app(row.appId),
      appResourceTypePath: expansion.resourceType(row.appId, text(row, "appResourceTypeId")),
    }));
    const reply = { list, expanded: expansion.objects, nextPageToken: found.nextPageToken };
    if (text(request, "pageToken") !== "") return reply;
    const count = groups.reduce((sum, group) => sum + group.filter(isWanted).length, 0);
    return { ...reply, facets: { count: String(count), facets: [] } };
  },
};

/** The fewest entitlements that a search must look at: those named, of the alias, of the apps, or all. */
function candidates(request: JsonObject, world: World): readonly (readonly EntitlementRow[])[] {
  const { store } = world;
  const refs = parts(request, "refs");
  if (refs.length > 0) {
    return [refs.flatMap((ref) => store.entitlements.get(text(ref, "appId"), text(ref, "id")) ?? [])];
  }
  const alias = text(request, "alias");
  return alias === "" ? byApp((store) => store.entitlements)(request, world) : [store.aliased(alias)];
}

/** Lists of the request, any of whose values the row must have: from the filter to the row's field. */
const ANY_OF = {
  appIds: "appId",
  resourceIds: "appResourceId",
  resourceTypeIds: "appResourceTypeId",
  requestSchemaIds: "requestSchemaId",
  riskLevelIds: "riskLevelValueId",
  complianceFrameworkIds: "complianceFrameworkValueIds",
  membershipType: "membershipType",
} as const;

/** Lists of the request, none of whose values the row may have. */
const NONE_OF = { excludeAppIds: "appId", excludeResourceTypeIds: "appResourceTypeId" } as const;

const POLICIES = ["grantPolicyId", "revokePolicyId", "certifyPolicyId", "emergencyGrantPolicyId"] as const;

/** Whether an entitlement passes every filter of a search. */
function wantedBy(request: JsonObject, world: World): Test<EntitlementRow> {
  const { store } = world;
  const when = (isSet: boolean, test: Test<EntitlementRow>) => (isSet ? [test] : []);
  const alias = text(request, "alias");
  const connector = text(request, "sourceConnectorId");
  const excluded = refsIn(request, "excludedEntitlementRefs");
  const policies = new Set(parts(request, "policyRefs").map((ref) => text(ref, "id")));
  const traits = new Set(texts(request, "resourceTraitIds"));
  const accounts = texts(request, "appUserIds");
  const campaign = text(request, "accessReviewId");
  const reviewed = refsIn(store.campaigns.get(ROOT, campaign) ?? {}, "entitlements", "appEntitlementId");
  return allOf([
    textSearchOf(request, world),
    ...when(!flag(request, "includeDeleted"), (row) => !isDeleted(row)),
    ...when(alias !== "", (row) => row.alias === alias),
    ...when(connector !== "", (row) => Object.hasOwn(part(row, "sourceConnectorIds") ?? {}, connector)),
    ...when(flag(request, "excludeImmutable"), (row) => !flag(row, "systemBuiltin")),
    // No grant of a sandbox is about to expire.
    ...when(flag(request, "onlyGetExpiring"), () => false),
    ...filtersOf<EntitlementRow>(request, ANY_OF, true),
    ...filtersOf<EntitlementRow>(request, NONE_OF, false),
    ...when(excluded.size > 0, (row) => !excluded.has(refKey(row))),
    ...when(policies.size > 0, (row) => POLICIES.some((field) => policies.has(text(row, field)))),
    ...when(traits.size > 0, (row) => {
      const type = store.resourceTypes.get(row.appId, text(row, "appResourceTypeId")) ?? {};
      return texts(type, "traitIds").some((trait) => traits.has(trait));
    }),
    ...when(accounts.length > 0, (row) => {
      const parent = grantsOf(row.appId, row.id);
      return accounts.some((account) => store.grants.get(parent, account) !== undefined);
    }),
    ...when(campaign !== "", (row) => reviewed.has(refKey(row))),
    ...when(flag(request, "isAutomated"), (row) => isAutomated(row, store)),
  ]);
}
