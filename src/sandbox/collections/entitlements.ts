import type { JsonObject } from "../../model/json.js";
import { BOTH, FULL, type Operation, type World } from "../answer/operation.js";
import {
  entitlementReply,
  entitlementRequest,
  listEntitlementsReply,
  listEntitlementsRequest,
  listOfResourceRequest,
  searchEntitlementsReply,
  searchEntitlementsRequest,
} from "../messages/entitlement.js";
import type { EntitlementRow } from "../tenant/tenant.js";
import { part, text, texts } from "../wire/member.js";
import { withAutomation } from "./automated.js";
import { entitlementCandidates, entitlementsWantedBy } from "./entitlementSearch.js";
import { existing, isDeleted, readable } from "./existing.js";
import { makeExpansion } from "./expansion.js";
import { findApp, findEntitlement } from "./owned.js";
import { type Page, pageOf } from "./page.js";

const COLLECTION = "/api/v1/apps/{app_id}/entitlements";

/** What people can have in apps: read here, never created here. */
export const entitlements = [
  {
    name: "ListEntitlements",
    summary: "Lists an app's entitlements.",
    method: "GET",
    path: COLLECTION,
    interfaces: BOTH,
    standing: "documented",
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
    interfaces: FULL,
    standing: "known",
    request: entitlementRequest,
    response: entitlementReply,
    answer(request, world) {
      const found = findEntitlement(world, text(request, "appId"), text(request, "id"));
      const row = readable(found, world);
      return { appEntitlementView: { appEntitlement: withAutomation(row, world.store) } };
    },
  },
  {
    name: "ListEntitlementsOfResource",
    summary: "Lists the entitlements of one resource.",
    method: "GET",
    path: `${COLLECTION}/resource_types/{app_resource_type_id}/resources/{app_resource_id}`,
    interfaces: FULL,
    standing: "known",
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
    interfaces: FULL,
    standing: "known",
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
