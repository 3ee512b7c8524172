import type { JsonObject } from "../../model/json.js";
import type { Operation, World } from "../answer/operation.js";
import { Refusal } from "../answer/refusal.js";
import {
  createEntitlementRequest,
  deleteEntitlementReply,
  entitlementReply,
  entitlementRequest,
  listEntitlementsReply,
  listEntitlementsRequest,
  listOfResourceRequest,
  searchEntitlementsReply,
  searchEntitlementsRequest,
  updateEntitlementRequest,
  WRITABLE,
} from "../messages/entitlement.js";
import { makeId } from "../tenant/identity.js";
import type { EntitlementRow } from "../tenant/tenant.js";
import { omit, part, pick, text, texts } from "../wire/member.js";
import { writeTimestamp } from "../wire/moment.js";
import { removeEntitlement, withAutomation } from "./automated.js";
import { entitlementCandidates, entitlementsWantedBy } from "./entitlementSearch.js";
import { born, existing, isDeleted, readable } from "./existing.js";
import { makeExpansion } from "./expansion.js";
import { maskOf } from "./mask.js";
import { findApp, findEntitlement, writableApp } from "./owned.js";
import { type Page, pageOf } from "./page.js";

const COLLECTION = "/api/v1/apps/{app_id}/entitlements";

/** What people can have in apps: read, and where people made them, written. */
export const entitlements = [
  {
    name: "ListEntitlements",
    summary: "Lists an app's entitlements.",
    method: "GET",
    path: COLLECTION,
    request: listEntitlementsRequest,
    response: listEntitlementsReply,
    answer(request, world) {
      existing(findApp(world, text(request, "appId")));
      const group = world.store.entitlements.of(text(request, "appId"));
      return show(
        pageOf(request, world, [group], (row) => !isDeleted(row)),
        [],
        world,
      );
    },
  },
  {
    name: "GetEntitlement",
    summary: "Gives one entitlement.",
    method: "GET",
    path: `${COLLECTION}/{id}`,
    request: entitlementRequest,
    response: entitlementReply,
    answer(request, world) {
      const found = findEntitlement(world, text(request, "appId"), text(request, "id"));
      const row = readable(found, world);
      return { appEntitlementView: { appEntitlement: withAutomation(row, world.store) } };
    },
  },
  {
    name: "CreateEntitlement",
    summary: "Makes an entitlement of a resource.",
    method: "POST",
    path: COLLECTION,
    request: createEntitlementRequest,
    response: entitlementReply,
    answer: create,
  },
  {
    name: "UpdateEntitlement",
    summary: "Changes the masked fields of an entitlement.",
    method: "POST",
    path: `${COLLECTION}/{id}`,
    request: updateEntitlementRequest,
    response: entitlementReply,
    answer: update,
  },
  {
    name: "DeleteEntitlement",
    summary: "Deletes an entitlement that people made.",
    method: "DELETE",
    path: `${COLLECTION}/{id}`,
    request: entitlementRequest,
    response: deleteEntitlementReply,
    answer: remove,
  },
  {
    name: "ListEntitlementsOfResource",
    summary: "Lists the entitlements of one resource.",
    method: "GET",
    path: `${COLLECTION}/resource_types/{app_resource_type_id}/resources/{app_resource_id}`,
    request: listOfResourceRequest,
    response: listEntitlementsReply,
    answer(request, world) {
      existing(findApp(world, text(request, "appId")));
      const group = world.store.entitlements.of(text(request, "appId"));
      const page = pageOf(
        request,
        world,
        [group],
        (row) =>
          !isDeleted(row) &&
          row.appResourceTypeId === request.appResourceTypeId &&
          row.appResourceId === request.appResourceId,
      );
      return show(page, [], world);
    },
  },
  {
    name: "SearchEntitlements",
    summary: "Finds entitlements in all apps.",
    method: "POST",
    path: "/api/v1/search/entitlements",
    request: searchEntitlementsRequest,
    response: searchEntitlementsReply,
    answer(request, world) {
      const page = pageOf(
        request,
        world,
        entitlementCandidates(request, world),
        entitlementsWantedBy(request, world),
      );
      const found = show(page, texts(part(request, "expandMask") ?? {}, "paths"), world);
      return { ...found, ...(text(request, "pageToken") === "" ? { facets: facetsOf(request, world) } : {}) };
    },
  },
] as const satisfies readonly Operation[];

const ID = /^[a-zA-Z0-9]{27}$/;

function create(request: JsonObject, world: World): JsonObject {
  const appId = text(request, "appId");
  const place = pick(request, ["appResourceTypeId", "appResourceId"]);
  for (const name of ["appResourceTypeId", "appResourceId"])
    if (!ID.test(text(place, name)))
      throw new Refusal("invalidArgument", `${name}: value does not match regex pattern "^[a-zA-Z0-9]{27}$"`);
  writableApp(world, appId);
  existing(world.store.resources.get(appId, text(place, "appResourceId")));
  refuseTakenAlias(text(request, "alias"), "", world);
  const sent = pick(request, WRITABLE);
  const policy = part(request, "provisionPolicy");
  const row = {
    ...(sent.durationGrant === undefined ? { durationUnset: {} } : {}),
    ...sent,
    provisionerPolicy: policy ?? { unconfigured: {} },
    ...place,
    isManuallyManaged: true,
    // A row keeps its owners, and no message shows them.
    ownerIds: texts(request, "appEntitlementOwnerIds"),
    ...born(world),
    appId,
    id: makeId(world.now, world.random),
    displayName: named(sent),
  };
  world.store.entitlements.put(row.appId, row.id, row);
  return { appEntitlementView: { appEntitlement: withAutomation(row, world.store) } };
}

function update(request: JsonObject, world: World): JsonObject {
  const mask = maskOf(request, [...WRITABLE, "provisionerPolicy", "deprovisionerPolicy"]);
  if (mask.length === 0) throw new Refusal("invalidArgument", "update_mask is required");
  const before = existing(find(request, world));
  const sent = pick(part(request, "entitlement") ?? {}, mask);
  refuseTakenAlias(text(sent, "alias"), before.id, world);
  // Of the two durations one replaces the other.
  const replaced = mask.some((name) => DURATIONS.includes(name)) ? [...mask, ...DURATIONS] : mask;
  const fields = { ...omit(before, replaced), ...sent };
  const { appId, id } = before;
  const row = { ...fields, appId, id, displayName: named(fields), updatedAt: writeTimestamp(world.now) };
  world.store.entitlements.put(row.appId, row.id, row);
  return { appEntitlementView: { appEntitlement: withAutomation(row, world.store) } };
}

const DURATIONS = ["durationUnset", "durationGrant"];

function remove(request: JsonObject, world: World): JsonObject {
  const row = existing(find(request, world));
  if (row.isManuallyManaged !== true)
    throw new Refusal("failedPrecondition", "only an entitlement that people made can be deleted");
  removeEntitlement(row, world);
  return {};
}

function find(request: JsonObject, { store }: World): EntitlementRow | undefined {
  return store.entitlements.get(text(request, "appId"), text(request, "id"));
}

function named(fields: JsonObject): string {
  const name = text(fields, "displayName");
  if (name === "") throw new Refusal("invalidArgument", "display_name is required");
  return name;
}

/** An alias is unique in the tenant; the status is a guess. */
function refuseTakenAlias(alias: string, own: string, { store }: World): void {
  const holders = alias === "" ? [] : store.aliased(alias);
  if (holders.some((row) => row.id !== own && row.alias === alias && !isDeleted(row)))
    throw new Refusal("alreadyExists", "alias already exists");
}

/** How many entitlements a search finds in all; which facets the service serves beside that is not known. */
function facetsOf(request: JsonObject, world: World): JsonObject {
  const isWanted = entitlementsWantedBy(request, world);
  const count = entitlementCandidates(request, world).reduce(
    (sum, group) => sum + group.filter(isWanted).length,
    0,
  );
  return { count: String(count), facets: [] };
}

function show(page: Page<EntitlementRow>, mask: readonly string[], world: World): JsonObject {
  const expansion = makeExpansion(world.store, mask);
  const list = page.rows.map((row) => ({
    appEntitlement: withAutomation(row, world.store),
    appPath: expansion.app(row.appId),
    appResourceTypePath: expansion.resourceType(row.appId, text(row, "appResourceTypeId")),
  }));
  return { list, expanded: expansion.objects, nextPageToken: page.nextPageToken };
}
