import type { JsonObject } from "../../model/json.js";
import type { Operation, World } from "../answer/operation.js";
import { Refusal } from "../answer/refusal.js";
import { entitlement, entitlementView, written } from "../messages/entitlement.js";
import { expanded, expansion, page, paging } from "../messages/members.js";
import { ID } from "../tenant/identity.js";
import type { EntitlementRow } from "../tenant/tenant.js";
import { list, message } from "../wire/descriptor.js";
import { part, pick, text } from "../wire/member.js";
import { removeAutomation, withAutomation } from "./automated.js";
import { searchEntitlements } from "./entitlementSearch.js";
import { existing, isDeleted } from "./existing.js";
import { listing } from "./listing.js";
import { find, inApp } from "./owned.js";
import { keptOfEdit, refuseFixed, synced } from "./settings.js";
import { operationsOf, type Write } from "./table.js";

const APP = "c1.api.app.v1.";
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
