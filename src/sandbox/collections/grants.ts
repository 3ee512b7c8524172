import type { JsonObject } from "../../model/json.js";
import type { Operation, World } from "../answer/operation.js";
import {
  grantFeedReply,
  grantFeedRequest,
  listGrantsOfUserReply,
  listGrantsOfUserRequest,
  listGrantsReply,
  listGrantsRequest,
  searchGrantsReply,
  searchGrantsRequest,
} from "../messages/grant.js";
import { grantsOf, ROOT } from "../tenant/store.js";
import type { GrantRow } from "../tenant/tenant.js";
import { parts, pick, text, texts } from "../wire/member.js";
import { withAutomation } from "./automated.js";
import { existing } from "./existing.js";
import { findEntitlement } from "./owned.js";
import { pageOf } from "./page.js";

const HOLDERS = "/api/v1/apps/{app_id}/entitlements/{app_entitlement_id}";

/** Who holds which entitlement, and why. */
export const grants = [
  {
    name: "SearchGrants",
    summary: "Finds grants in all apps; the rows have no reasons.",
    method: "POST",
    path: "/api/v1/search/grants",
    request: searchGrantsRequest,
    response: searchGrantsReply,
    answer(request, world) {
      const page = pageOf(request, world, grantCandidates(request, world), grantsWantedBy(request, world));
      return { list: page.rows.map((row) => inSearch(row, world)), nextPageToken: page.nextPageToken };
    },
  },
  {
    name: "ListGrantsOfEntitlement",
    summary: "Lists who holds an entitlement, with the reasons.",
    method: "GET",
    path: `${HOLDERS}/grants`,
    request: listGrantsRequest,
    response: listGrantsReply,
    answer(request, world) {
      const page = pageOf(request, world, [ofOne(request, world)], () => true);
      return { list: page.rows.map((row) => withReasons(row, world)), nextPageToken: page.nextPageToken };
    },
  },
  {
    name: "ListGrantsOfUser",
    summary: "Lists all of a person's accounts in the app, with times where they hold the entitlement.",
    method: "GET",
    path: `${HOLDERS}/users/{identity_user_id}/grants`,
    request: listGrantsOfUserRequest,
    response: listGrantsOfUserReply,
    answer: ofUser,
  },
  {
    name: "SearchGrantFeed",
    summary: "Lists what was granted and taken away.",
    method: "POST",
    path: "/api/v1/grants/feed",
    request: grantFeedRequest,
    response: grantFeedReply,
    answer(request, world) {
      const page = pageOf(request, world, [grantFeed(request, world)], () => true);
      return { list: page.rows.map((feed) => ({ feed })), nextPageToken: page.nextPageToken };
    },
  },
] as const satisfies readonly Operation[];

const KEYS = ["appId", "appEntitlementId", "appUserId"] as const;

function ofOne(request: JsonObject, world: World): readonly GrantRow[] {
  const [appId, id] = [text(request, "appId"), text(request, "appEntitlementId")];
  existing(findEntitlement(world, appId, id));
  return world.store.grants.of(grantsOf(appId, id));
}

function inSearch(row: GrantRow, { store }: World): JsonObject {
  const entitlement = store.entitlements.get(row.appId, row.appEntitlementId);
  const appUser = store.accounts.get(row.appId, row.appUserId);
  return {
    entitlement: entitlement === undefined ? {} : { appEntitlement: withAutomation(entitlement, store) },
    appEntitlementUserBinding: {
      ...pick(row, [...KEYS, "grantSources", "originatingTicketId"]),
      appUser: appUser === undefined ? {} : { appUser },
      appEntitlementUserBindingCreatedAt: row.createdAt,
      ...(row.deprovisionAt === undefined
        ? {}
        : { appEntitlementUserBindingDeprovisionAt: row.deprovisionAt }),
    },
  };
}

function withReasons(row: GrantRow, { store }: World): JsonObject {
  const appUser = store.accounts.get(row.appId, row.appUserId);
  const user = store.users.get(ROOT, appUser?.identityUserId ?? "");
  return {
    ...pick(row, [...KEYS, "grantSources"]),
    ...(appUser === undefined ? {} : { appUser }),
    ...(user === undefined ? {} : { user }),
    discovered: row.createdAt,
    ...(row.deprovisionAt === undefined ? {} : { expired: row.deprovisionAt }),
    grantReasons: parts(row, "grantReasons").map((reason) => ({ ...pick(row, KEYS), ...reason })),
  };
}

function ofUser(request: JsonObject, world: World): JsonObject {
  const { store } = world;
  const [appId, appEntitlementId] = [text(request, "appId"), text(request, "appEntitlementId")];
  existing(findEntitlement(world, appId, appEntitlementId));
  const userId = text(request, "identityUserId");
  const accounts = store.accounts.of(appId).filter((account) => account.identityUserId === userId);
  const bindings = accounts.map((account) => {
    const grant = store.grants.get(grantsOf(appId, appEntitlementId), account.id);
    const ids = { tenantId: store.tenantId, appId, appUserId: account.id };
    if (grant === undefined) return ids;
    return { ...ids, ...pick(grant, ["appEntitlementId", "grantSources", "createdAt", "deprovisionAt"]) };
  });
  return { bindings };
}

/** What was granted, of the grants that there are, the latest first: a sandbox takes nothing away by itself. */
function grantFeed(request: JsonObject, { store }: World): readonly JsonObject[] {
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

/** The fewest grants that a search must look at: those of the entitlements named, or all. */
function grantCandidates(request: JsonObject, { store }: World): readonly (readonly GrantRow[])[] {
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
function grantsWantedBy(request: JsonObject, { store }: World): (row: GrantRow) => boolean {
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
