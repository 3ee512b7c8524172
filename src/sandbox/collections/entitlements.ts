import type { JsonObject } from "../../model/json.js";
import { type Operation, Refusal, type World } from "../answer/operation.js";
import { entitlement, entitlementView, written } from "../messages/entitlement.js";
import { expanded, expansion, page, paging } from "../messages/members.js";
import { policyRef } from "../messages/policy.js";
import { entitlementRef } from "../messages/scope.js";
import { ACCESS_ID } from "../tenant/builtin.js";
import { ID } from "../tenant/identity.js";
import { grantsOf, ROOT } from "../tenant/store.js";
import type { EntitlementRow } from "../tenant/tenant.js";
import { list, message } from "../wire/descriptor.js";
import { flag, omit, part, parts, paths, pick, text, texts } from "../wire/member.js";
import { isAutomated, removeAutomation, withAutomation } from "./automated.js";
import { makeExpansion } from "./expansion.js";
import {
  allOf,
  byApp,
  filtersOf,
  listing,
  pageOf,
  refKey,
  refsIn,
  type Test,
  textSearchOf,
} from "./listing.js";
import { existing, find, inApp, isDeleted } from "./owned.js";
import { operationsOf, type Write } from "./table.js";

const APP = "c1.api.app.v1.";

/** Finds entitlements, and says of the first page how many there are; which further facets the service has is not known. */
const searchEntitlements: Operation = {
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

const COLLECTION = "/api/v1/apps/{app_id}/entitlements";

const found = page(`${APP}ListAppEntitlementsResponse`, entitlementView, expanded);
const reply = message(`${APP}GetAppEntitlementResponse`, {
  appEntitlementView: entitlementView,
  ...expanded,
});

const viewed = (row: EntitlementRow, world: World) => ({
  appEntitlement: withAutomation(synced(row, world), world.store),
});

/** What people can have in apps: read, and where people made them, written. */
export const entitlements: readonly Operation[] = [
  ...operationsOf<EntitlementRow>({
    noun: ["Entitlement", "Entitlements"],
    at: COLLECTION,
    service: APP,
    record: entitlement,
    view: entitlementView,
    viewed,
    rows: (store) => store.entitlements,
    within: { read: inApp.read, write: writablePlace },
    reads: (request, world) => find(world, "entitlements", text(request, "id"), text(request, "appId")),
    written,
    updated: ["provisionerPolicy", "deprovisionerPolicy"],
    owners: "appEntitlementOwnerIds",
    required: ["display_name"],
    keeps,
    removes(row, world) {
      if (row.isManuallyManaged !== true)
        throw new Refusal("failedPrecondition", "only an entitlement that people made can be deleted");
      removeAutomation(row, world);
      return row;
    },
    calls: {
      List: ["Lists an app's entitlements.", "ListAppEntitlementsRequest", found],
      Get: ["Gives one entitlement.", "GetAppEntitlementRequest", reply],
      Create: [
        "Makes an entitlement of a resource.",
        "CreateAppEntitlementRequest",
        reply,
        {
          appResourceTypeId: "string",
          appResourceId: "string",
          ...written,
          // What provides it has another name here than in the entitlement.
          provisionPolicy: "free",
          appEntitlementOwnerIds: list("string", 32),
          matchBatonId: "string",
        },
      ],
      Update: [
        "Changes the masked fields of an entitlement.",
        "UpdateAppEntitlementRequest",
        reply,
        {
          entitlement,
          updateMask: "mask",
          overrideAccessRequestsDefaults: "bool",
          expandMask: expansion(`${APP}AppEntitlementExpandMask`),
        },
      ],
      Delete: [
        "Deletes an entitlement that people made.",
        "GetAppEntitlementRequest",
        message(`${APP}DeleteAppEntitlementResponse`, {}),
      ],
    },
  }),
  listing<EntitlementRow>({
    name: "ListEntitlementsOfResource",
    summary: "Lists the entitlements of one resource.",
    method: "GET",
    path: `${COLLECTION}/resource_types/{app_resource_type_id}/resources/{app_resource_id}`,
    request: message(`${APP}ListAppEntitlementsForAppResourceRequest`, {
      appId: "string",
      appResourceTypeId: "string",
      appResourceId: "string",
      ...paging,
    }),
    response: found,
    among: (request, world) => [world.store.entitlements.of(inApp.read(request, world).id)],
    also: (request) => (row) =>
      row.appResourceTypeId === request.appResourceTypeId && row.appResourceId === request.appResourceId,
    shows: viewed,
  }),
  searchEntitlements,
];

const PLACE = ["appResourceTypeId", "appResourceId"];

/** The resource that an entitlement is made of must be there, and its app is kept from now on. */
function writablePlace(request: JsonObject, world: World): void {
  for (const name of PLACE)
    if (!ID.test(text(request, name)))
      throw new Refusal("invalidArgument", `${name}: value does not match regex pattern "${ID.source}"`);
  const { id } = inApp.write(request, world);
  existing(world.store.resources.get(id, text(request, "appResourceId")));
}

function keeps(sent: JsonObject, { names, before, request, world }: Write<EntitlementRow>): JsonObject {
  if (world.quirks.sharedAliases !== true) refuseTakenAlias(text(sent, "alias"), before?.id ?? "", world);
  if (before !== undefined) {
    refuseFixed(names, before, world);
    return { ...sent, ...keptOfEdit(names, before, world) };
  }
  return {
    ...(sent.durationGrant === undefined ? { durationUnset: {} } : {}),
    ...sent,
    provisionerPolicy: part(request, "provisionPolicy") ?? { unconfigured: {} },
    ...pick(request, PLACE),
    isManuallyManaged: true,
  };
}

/** An alias is unique in the tenant; the status is a guess. */
function refuseTakenAlias(alias: string, own: string, { store }: World): void {
  const holders = alias === "" ? [] : store.aliased(alias);
  if (holders.some((row) => row.id !== own && row.alias === alias && !isDeleted(row)))
    throw new Refusal("alreadyExists", "alias already exists");
}

/** What a sync writes. */
const SYNCED = ["displayName", "description"];

/** What an entitlement that a connector made keeps of an edit: what the connector wrote. A quirk also names what was edited. */
function keptOfEdit(names: readonly string[], before: EntitlementRow, { quirks }: World): JsonObject {
  if (before.isManuallyManaged === true) return {};
  const synced = { ...pick(before, SYNCED), ...part(before, "synced") };
  const edited = [...new Set([...paths(before, "userEditedMask"), ...names])];
  return { synced, ...(quirks.keptEdits === true ? { userEditedMask: edited.join(",") } : {}) };
}

/** An entitlement as it is once its connector has written it again. */
function synced(row: EntitlementRow, { quirks }: World): EntitlementRow {
  const written = quirks.connectorSyncs === true ? part(row, "synced") : undefined;
  return written === undefined ? row : { ...row, ...omit(written, paths(row, "userEditedMask")) };
}

/** What no one can write of entitlements that people did not make; the statuses are guesses. */
function refuseFixed(names: readonly string[], { id, appId, ...before }: EntitlementRow, world: World): void {
  const isWritten = (some: readonly string[]) => some.some((name) => names.includes(name));
  if (id === ACCESS_ID && isWritten(["displayName", "slug"]))
    throw new Refusal("invalidArgument", "the access entitlement cannot be renamed");
  const isOwn = appId === world.store.c1AppId && before.isManuallyManaged !== true;
  if (isOwn && isWritten(["provisionerPolicy", "deprovisionerPolicy"]))
    throw new Refusal("failedPrecondition", "provisioning of this entitlement cannot be changed");
}
