import type { JsonObject } from "../../model/json.js";
import type { World } from "../answer/operation.js";
import { grantsOf, ROOT } from "../tenant/store.js";
import type { EntitlementRow } from "../tenant/tenant.js";
import { flag, part, parts, text, texts } from "../wire/member.js";
import { isAutomated } from "./automated.js";
import { isDeleted } from "./existing.js";
import { textSearchOf } from "./textSearch.js";

type Groups = readonly (readonly EntitlementRow[])[];

/** The fewest entitlements that a search must look at: those named, of the alias, of the apps, or all. */
export function entitlementCandidates(request: JsonObject, { store }: World): Groups {
  const refs = parts(request, "refs");
  if (refs.length > 0) {
    return [refs.flatMap((ref) => store.entitlements.get(text(ref, "appId"), text(ref, "id")) ?? [])];
  }
  const alias = text(request, "alias");
  if (alias !== "") return [store.aliased(alias)];
  const appIds = new Set(texts(request, "appIds"));
  if (appIds.size > 0) return [...appIds].map((appId) => store.entitlements.of(appId));
  return store.entitlements.groups();
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

/** Filters by things that a sandbox does not have, so that nothing is found by them. */
const BARREN = ["onlyGetExpiring"] as const;

const POLICIES = ["grantPolicyId", "revokePolicyId", "certifyPolicyId", "emergencyGrantPolicyId"] as const;

type Test = (row: EntitlementRow) => boolean;

/** Whether an entitlement passes every filter of a search. */
export function entitlementsWantedBy(request: JsonObject, world: World): Test {
  const isFound = textSearchOf(request, world);
  const tests = [...plainTests(request), ...listTests(request), ...relationTests(request, world)];
  return (row) => isFound(row) && tests.every((test) => test(row));
}

/** The tests of those filters that are set. */
function when(set: boolean, test: Test): readonly Test[] {
  return set ? [test] : [];
}

function plainTests(request: JsonObject): readonly Test[] {
  const alias = text(request, "alias");
  const connector = text(request, "sourceConnectorId");
  return [
    ...when(!flag(request, "includeDeleted"), (row) => !isDeleted(row)),
    ...when(alias !== "", (row) => row.alias === alias),
    ...when(connector !== "", (row) => Object.hasOwn(part(row, "sourceConnectorIds") ?? {}, connector)),
    ...when(flag(request, "excludeImmutable"), (row) => !flag(row, "systemBuiltin")),
    ...when(
      BARREN.some((filter) => request[filter] !== undefined),
      () => false,
    ),
  ];
}

function listTests(request: JsonObject): readonly Test[] {
  const some = Object.entries(ANY_OF).flatMap(([filter, field]) => {
    const wanted = new Set(texts(request, filter));
    return when(wanted.size > 0, (row) => valuesOf(row, field).some((value) => wanted.has(value)));
  });
  const none = Object.entries(NONE_OF).flatMap(([filter, field]) => {
    const unwanted = new Set(texts(request, filter));
    return when(unwanted.size > 0, (row) => !valuesOf(row, field).some((value) => unwanted.has(value)));
  });
  return [...some, ...none];
}

function relationTests(request: JsonObject, { store }: World): readonly Test[] {
  const excluded = new Set(parts(request, "excludedEntitlementRefs").map(refKey));
  const policies = new Set(parts(request, "policyRefs").map((ref) => text(ref, "id")));
  const traits = new Set(texts(request, "resourceTraitIds"));
  const accounts = texts(request, "appUserIds");
  const campaignId = text(request, "accessReviewId");
  const campaign = store.campaigns.get(ROOT, campaignId);
  const reviewed = new Set(
    campaign?.entitlements.map((row) => `${text(row, "appId")}/${text(row, "appEntitlementId")}`),
  );
  return [
    ...when(excluded.size > 0, (row) => !excluded.has(refKey(row))),
    ...when(policies.size > 0, (row) => POLICIES.some((field) => policies.has(text(row, field)))),
    ...when(traits.size > 0, (row) => {
      const type = store.types.get(row.appId, text(row, "appResourceTypeId")) ?? {};
      return texts(type, "traitIds").some((trait) => traits.has(trait));
    }),
    ...when(accounts.length > 0, (row) => {
      const parent = grantsOf(row.appId, row.id);
      return accounts.some((account) => store.grants.get(parent, account) !== undefined);
    }),
    ...when(campaignId !== "", (row) => reviewed.has(refKey(row))),
    ...when(flag(request, "isAutomated"), (row) => isAutomated(row, store)),
  ];
}

function refKey(ref: JsonObject): string {
  return `${text(ref, "appId")}/${text(ref, "id")}`;
}

function valuesOf(row: EntitlementRow, field: string): readonly string[] {
  const value = row[field];
  return typeof value === "string" ? [value] : texts(row, field);
}
