import { list, message, names, told } from "../wire/descriptor.js";

const APP = "c1.api.app.v1";

const STATUSES = ["UNSPECIFIED", "ENABLED", "DISABLED", "DELETED"] as const;
const TYPES = ["UNSPECIFIED", "USER", "SERVICE_ACCOUNT", "SYSTEM_ACCOUNT"] as const;

/** An account of one app; the service calls it an app user. Without an owner it has no `identityUserId`. */
export const account = message(`${APP}.AppUser`, {
  id: "string",
  appId: "string",
  displayName: "string",
  email: "string",
  emails: list("string"),
  username: "string",
  usernames: list("string"),
  employeeIds: list("string"),
  identityUserId: "string",
  isExternal: "bool",
  appUserType: told("APP_USER_TYPE_", ...TYPES),
  status: message(`${APP}.AppUserStatus`, { status: told("STATUS_", ...STATUSES), details: "string" }),
  profile: "free",
  createdAt: "timestamp",
  updatedAt: "timestamp",
  deletedAt: "timestamp",
});

/** An account beside the paths to what it refers to. */
export const accountView = message(`${APP}.AppUserView`, {
  appUser: account,
  appPath: "string",
  identityUserPath: "string",
  lastUsagePath: "string",
});

const page = { pageSize: "int32", pageToken: "string" } as const;

/** Asks for the accounts of an app. */
export const listAccountsRequest = message(`${APP}.ListAppUsersRequest`, { appId: "string", ...page });

/** Asks for one person's accounts in an app. */
export const listAccountsOfUserRequest = message(`${APP}.ListAppUsersForUserRequest`, {
  appId: "string",
  userId: "string",
  ...page,
});

/** A page of accounts. */
export const listAccountsReply = message(`${APP}.ListAppUsersResponse`, {
  list: list(accountView),
  expanded: list("any"),
  nextPageToken: "string",
});

/** Looks for accounts in all apps. */
export const searchAccountsRequest = message(`${APP}.SearchAppUsersRequest`, {
  appId: "string",
  appIds: list("string"),
  appUserIds: list("string"),
  excludeAppUserIds: list("string"),
  refs: list(message(`${APP}.AppUserRef`, { appId: "string", id: "string" })),
  userIds: list("string"),
  appUserStatuses: list(names("STATUS_", ...STATUSES)),
  appUserStatusDetails: list("string"),
  appUserTypes: list(names("APP_USER_TYPE_", ...TYPES)),
  appUserDomains: list(names("APP_USER_DOMAIN_", "UNSPECIFIED", "EXTERNAL", "TRUSTED")),
  withoutResponsibleParty: "bool",
  excludeDeletedApps: "bool",
  query: "string",
  sortBy: "string",
  expandMask: message(`${APP}.AppUserExpandMask`, { paths: list("string") }),
  ...page,
});
