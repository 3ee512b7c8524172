import { list, message, told } from "../wire/descriptor.js";
import { account, accountView } from "./account.js";
import { entitlementView } from "./entitlement.js";
import { entitlementRef } from "./scope.js";
import { user, userRef } from "./user.js";

const APP = "c1.api.app.v1";

const ofOne = { appId: "string", appEntitlementId: "string", appUserId: "string" } as const;
const page = { pageSize: "int32", pageToken: "string" } as const;
const times = { createdAt: "timestamp", updatedAt: "timestamp", deletedAt: "timestamp" } as const;
const expandMask = message(`${APP}.AppEntitlementExpandMask`, { paths: list("string") });

/** Who holds an entitlement, in the form that searches have. */
const holderView = message(`${APP}.AppEntitlementUserView`, {
  ...ofOne,
  appUser: accountView,
  grantSources: list(entitlementRef),
  originatingTicketId: "string",
  appEntitlementUserBindingCreatedAt: "timestamp",
  appEntitlementUserBindingDeprovisionAt: "timestamp",
});

/** Why a user holds an entitlement. */
const grantReason = message(`${APP}.GrantReason`, {
  ...ofOne,
  derivedIdType: "string",
  derivedIdData: "string",
  referenceStrength: told("GRANT_REASON_REFERENCE_STRENGTH_", "UNSPECIFIED", "WEAK", "STRONG"),
  reasonExpiresAt: "timestamp",
  ...times,
});

/** Who holds an entitlement, with the reasons: the account stands bare in it, and the user beside it. */
const holderWithReasons = message(`${APP}.AppEntitlementWithExpired`, {
  ...ofOne,
  appUser: account,
  user,
  discovered: "timestamp",
  expired: "timestamp",
  grantSources: list(entitlementRef),
  grantReasons: list(grantReason),
});

/** Looks for who holds what. */
export const searchGrantsRequest = message(`${APP}.SearchGrantsRequest`, {
  appIds: list("string"),
  appUserIds: list("string"),
  userId: "string",
  entitlementRefs: list(entitlementRef),
  entitlementSlugs: list("string"),
  resourceIds: list("string"),
  resourceTypeIds: list("string"),
  purpose: list("string"),
  expandMask,
  ...page,
});

/** A page of grants. */
export const searchGrantsReply = message(`${APP}.SearchGrantsResponse`, {
  list: list(
    message(`${APP}.GrantView`, { entitlement: entitlementView, appEntitlementUserBinding: holderView }),
  ),
  expanded: list("any"),
  nextPageToken: "string",
});

/** Asks who holds one entitlement, and why. */
export const listGrantsRequest = message(`${APP}.ListGrantsOfEntitlementRequest`, {
  appId: "string",
  appEntitlementId: "string",
  ...page,
});

/** A page of holders of one entitlement. */
export const listGrantsReply = message(`${APP}.ListGrantsOfEntitlementResponse`, {
  list: list(holderWithReasons),
  nextPageToken: "string",
});

/** Asks whether one person holds one entitlement. */
export const listGrantsOfUserRequest = message(`${APP}.ListGrantsOfUserRequest`, {
  appId: "string",
  appEntitlementId: "string",
  identityUserId: "string",
});

/** All the person's accounts in the app; those without the grant hold their ids alone. */
export const listGrantsOfUserReply = message(`${APP}.ListGrantsOfUserResponse`, {
  bindings: list(
    message(`${APP}.AppEntitlementUserBinding`, {
      tenantId: "string",
      ...ofOne,
      grantSources: list(entitlementRef),
      createdAt: "timestamp",
      deprovisionAt: "timestamp",
    }),
  ),
});

/** Asks what was granted and taken away. */
export const grantFeedRequest = message(`${APP}.GrantFeedRequest`, {
  after: "timestamp",
  before: "timestamp",
  appEntitlementRefs: list(entitlementRef),
  appRefs: list(message(`${APP}.AppRef`, { id: "string" })),
  userRefs: list(userRef),
  expandMask,
  ...page,
});

/** A page of what was granted and taken away. */
export const grantFeedReply = message(`${APP}.GrantFeedResponse`, {
  list: list(
    message(`${APP}.GrantFeedView`, {
      feed: message(`${APP}.GrantFeed`, {
        ...ofOne,
        date: "timestamp",
        eventType: told("GRANT_EVENT_TYPE_", "UNSPECIFIED", "ADDED", "REMOVED"),
        ticketId: "string",
      }),
      appPath: "string",
      appEntitlementPath: "string",
      appUserPath: "string",
      userPath: "string",
    }),
  ),
  expanded: list("any"),
  nextPageToken: "string",
});
