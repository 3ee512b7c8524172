import type { JsonObject } from "../../model/json.js";
import type { Operation, World } from "../answer/operation.js";
import { entitlementView } from "../messages/entitlement.js";
import { expanded, expansion, page, paging, times } from "../messages/members.js";
import { entitlementRef } from "../messages/scope.js";
import { user, userRef } from "../messages/user.js";
import { grantsOf, ROOT } from "../tenant/store.js";
import type { EntitlementRow, GrantRow } from "../tenant/tenant.js";
import { list, message, told } from "../wire/descriptor.js";
import { parts, pick, text } from "../wire/member.js";
import { account, accountView } from "./accounts.js";
import { withAutomation } from "./automated.js";
import { allOf, filtersOf, listing, refKey, refsIn } from "./listing.js";
import { existing, find } from "./owned.js";

const APP = "c1.api.app.v1.";
const HOLDERS = "/api/v1/apps/{app_id}/entitlements/{app_entitlement_id}";

const ofOne = { appId: "string", appEntitlementId: "string", appUserId: "string" } as const;
const expandMask = expansion(`${APP}AppEntitlementExpandMask`);

/** Who holds an entitlement, in the form that searches have. */
const holderView = message(`${APP}AppEntitlementUserView`, {
  ...ofOne,
  appUser: accountView,
  grantSources: list(entitlementRef),
  originatingTicketId: "string",
  appEntitlementUserBindingCreatedAt: "timestamp",
  appEntitlementUserBindingDeprovisionAt: "timestamp",
});

/** Why a user holds an entitlement. */
const grantReason = message(`${APP}GrantReason`, {
  ...ofOne,
  derivedIdType: "string",
  derivedIdData: "string",
  referenceStrength: told("GRANT_REASON_REFERENCE_STRENGTH_", "UNSPECIFIED", "WEAK", "STRONG"),
  reasonExpiresAt: "timestamp",
  ...times,
});

/** Who holds an entitlement, with the reasons: the account stands bare in it, and the user beside it. */
const holderWithReasons = message(`${APP}AppEntitlementWithExpired`, {
  ...ofOne,
  appUser: account,
  user,
  discovered: "timestamp",
  expired: "timestamp",
  grantSources: list(entitlementRef),
  grantReasons: list(grantReason),
});

/** One of a person's accounts in an app; without the grant it holds its ids alone. */
const binding = message(`${APP}AppEntitlementUserBinding`, {
  tenantId: "string",
  ...ofOne,
  grantSources: list(entitlementRef),
  createdAt: "timestamp",
  deprovisionAt: "timestamp",
});

const granted = message(`${APP}GrantView`, {
  entitlement: entitlementView,
  appEntitlementUserBinding: holderView,
});

/** What was granted or taken away. */
const granting = message(`${APP}GrantFeedView`, {
  feed: message(`${APP}GrantFeed`, {
    ...ofOne,
    date: "timestamp",
    eventType: told("GRANT_EVENT_TYPE_", "UNSPECIFIED", "ADDED", "REMOVED"),
    ticketId: "string",
  }),
  appPath: "string",
  appEntitlementPath: "string",
  appUserPath: "string",
  userPath: "string",
});

/** Who holds which entitlement, and why. */
export const grants: readonly Operation[] = [
  listing<GrantRow>({
    name: "SearchGrants",
    summary: "Finds grants in all apps; the rows have no reasons.",
    method: "POST",
    path: "/api/v1/search/grants",
    request: message(`${APP}SearchGrantsRequest`, {
      appIds: list("string"),
      appUserIds: list("string"),
      userId: "string",
      entitlementRefs: list(entitlementRef),
      entitlementSlugs: list("string"),
      resourceIds: list("string"),
      resourceTypeIds: list("string"),
      purpose: list("string"),
      expandMask,
      ...paging,
    }),
    response: page(`${APP}SearchGrantsResponse`, granted, expanded),
    // The fewest grants that there are to look at: those of the entitlements named, or all.
    among(request, { store }) {
      const refs = parts(request, "entitlementRefs");
      if (refs.length === 0) return store.grants.groups();
      return refs.map((ref) => store.grants.of(grantsOf(text(ref, "appId"), text(ref, "id"))));
    },
    any: { appIds: "appId", appUserIds: "appUserId" },
    also(request, { store }) {
      const userId = text(request, "userId");
      const isWanted = allOf(filtersOf<JsonObject>(request, OF_ENTITLEMENT, true));
      return (row) =>
        (userId === "" || store.accounts.get(row.appId, row.appUserId)?.identityUserId === userId) &&
        isWanted(store.entitlements.get(row.appId, row.appEntitlementId) ?? {});
    },
    shows: inSearch,
  }),
  listing<GrantRow>({
    name: "ListGrantsOfEntitlement",
    summary: "Lists who holds an entitlement, with the reasons.",
    method: "GET",
    path: `${HOLDERS}/grants`,
    request: message(`${APP}ListGrantsOfEntitlementRequest`, {
      appId: "string",
      appEntitlementId: "string",
      ...paging,
    }),
    response: page(`${APP}ListGrantsOfEntitlementResponse`, holderWithReasons),
    among(request, world) {
      const { appId, id } = entitlementOf(request, world);
      return [world.store.grants.of(grantsOf(appId, id))];
    },
    shows: withReasons,
  }),
  {
    name: "ListGrantsOfUser",
    summary: "Lists all of a person's accounts in the app, with times where they hold the entitlement.",
    method: "GET",
    path: `${HOLDERS}/users/{identity_user_id}/grants`,
    request: message(`${APP}ListGrantsOfUserRequest`, {
      appId: "string",
      appEntitlementId: "string",
      identityUserId: "string",
    }),
    response: message(`${APP}ListGrantsOfUserResponse`, { bindings: list(binding) }),
    answer: ofUser,
  },
  listing({
    name: "SearchGrantFeed",
    summary: "Lists what was granted and taken away.",
    method: "POST",
    path: "/api/v1/grants/feed",
    request: message(`${APP}GrantFeedRequest`, {
      after: "timestamp",
      before: "timestamp",
      appEntitlementRefs: list(entitlementRef),
      appRefs: list(message(`${APP}AppRef`, { id: "string" })),
      userRefs: list(userRef),
      expandMask,
      ...paging,
    }),
    response: page(`${APP}GrantFeedResponse`, granting, expanded),
    among: (request, world) => [grantFeed(request, world)],
    shows: (feed) => ({ feed }),
  }),
];

/** From a filter to the field of the entitlement that must have one of its values. */
const OF_ENTITLEMENT = {
  entitlementSlugs: "slug",
  resourceIds: "appResourceId",
  resourceTypeIds: "appResourceTypeId",
  purpose: "purpose",
} as const;

const KEYS = ["appId", "appEntitlementId", "appUserId"] as const;

function entitlementOf(request: JsonObject, world: World): EntitlementRow {
  return existing(find(world, "entitlements", text(request, "appEntitlementId"), text(request, "appId")));
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
  const { appId, id } = entitlementOf(request, world);
  const userId = text(request, "identityUserId");
  const accounts = store.accounts.of(appId).filter((account) => account.identityUserId === userId);
  const bindings = accounts.map((account) => {
    const grant = store.grants.get(grantsOf(appId, id), account.id);
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
  const idsIn = (name: string) => new Set(parts(request, name).map((ref) => text(ref, "id")));
  const [apps, users] = [idsIn("appRefs"), idsIn("userRefs")];
  const entitlements = refsIn(request, "appEntitlementRefs");
  return store.grants
    .all()
    .filter((row) => {
      const owner = store.accounts.get(row.appId, row.appUserId)?.identityUserId ?? "";
      return (
        !(Date.parse(row.createdAt) < after) &&
        !(Date.parse(row.createdAt) > before) &&
        (apps.size === 0 || apps.has(row.appId)) &&
        (users.size === 0 || users.has(owner)) &&
        (entitlements.size === 0 || entitlements.has(refKey(row, "appEntitlementId")))
      );
    })
    .sort((one, other) => other.createdAt.localeCompare(one.createdAt))
    .map((row) => ({ ...pick(row, KEYS), date: row.createdAt, eventType: "GRANT_EVENT_TYPE_ADDED" }));
}
