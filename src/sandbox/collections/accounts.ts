import type { Operation } from "../answer/operation.js";
import { expanded, expansion, page, paging, times } from "../messages/members.js";
import type { AccountRow } from "../tenant/tenant.js";
import { list, message, names, told } from "../wire/descriptor.js";
import { flag, part, text, texts } from "../wire/member.js";
import { byApp, listing } from "./listing.js";
import { inApp } from "./owned.js";
import { operationsOf } from "./table.js";

const APP = "c1.api.app.v1.";

/** The statuses of an account, and the types. */
const STATUSES = ["UNSPECIFIED", "ENABLED", "DISABLED", "DELETED"] as const;
const TYPES = ["UNSPECIFIED", "USER", "SERVICE_ACCOUNT", "SYSTEM_ACCOUNT"] as const;

/** An account of one app; the service calls it an app user. Without an owner it has no `identityUserId`. */
export const account = message(`${APP}AppUser`, {
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
  status: message(`${APP}AppUserStatus`, { status: told("STATUS_", ...STATUSES), details: "string" }),
  profile: "free",
  ...times,
});

/** An account beside the paths to what it refers to. */
export const accountView = message(`${APP}AppUserView`, {
  appUser: account,
  appPath: "string",
  identityUserPath: "string",
  lastUsagePath: "string",
});

const found = page(`${APP}ListAppUsersResponse`, accountView, expanded);
const shows = (appUser: AccountRow) => ({ appUser });

/** The accounts that people have in apps, and those without an owner. */
export const accounts: readonly Operation[] = [
  ...operationsOf<AccountRow>({
    noun: ["Account", "Accounts"],
    at: "/api/v1/apps/{app_id}/app_users",
    service: APP,
    record: account,
    view: accountView,
    rows: (store) => store.accounts,
    within: inApp,
    calls: { List: ["Lists the accounts of an app.", "ListAppUsersRequest", found] },
  }),
  listing<AccountRow>({
    name: "ListAccountsOfUser",
    summary: "Lists one person's accounts in an app.",
    method: "GET",
    path: "/api/v1/apps/{app_id}/users/{user_id}/app_users",
    request: message(`${APP}ListAppUsersForUserRequest`, { appId: "string", userId: "string", ...paging }),
    response: found,
    among: (request, world) => [world.store.accounts.of(inApp.read(request, world).id)],
    also: (request) => (row) => row.identityUserId === request.userId,
    shows,
  }),
  listing<AccountRow>({
    name: "SearchAccounts",
    summary: "Finds accounts in all apps by the four sides that a scope's account criteria have, and more.",
    method: "POST",
    path: "/api/v1/search/app_users",
    request: message(`${APP}SearchAppUsersRequest`, {
      appId: "string",
      appIds: list("string"),
      appUserIds: list("string"),
      excludeAppUserIds: list("string"),
      refs: list(message(`${APP}AppUserRef`, { appId: "string", id: "string" })),
      userIds: list("string"),
      appUserStatuses: list(names("STATUS_", ...STATUSES)),
      appUserStatusDetails: list("string"),
      appUserTypes: list(names("APP_USER_TYPE_", ...TYPES)),
      appUserDomains: list(names("APP_USER_DOMAIN_", "UNSPECIFIED", "EXTERNAL", "TRUSTED")),
      withoutResponsibleParty: "bool",
      excludeDeletedApps: "bool",
      query: "string",
      sortBy: "string",
      expandMask: expansion(`${APP}AppUserExpandMask`),
      ...paging,
    }),
    response: found,
    among: byApp((store) => store.accounts),
    any: { appUserIds: "id", userIds: "identityUserId", appUserTypes: "appUserType" },
    none: { excludeAppUserIds: "id" },
    refs: "refs",
    also(request) {
      const query = text(request, "query").toLowerCase();
      const has = (filter: string, value: string) =>
        texts(request, filter).length === 0 || texts(request, filter).includes(value);
      return (row) =>
        has("appUserStatuses", text(part(row, "status") ?? {}, "status")) &&
        has("appUserStatusDetails", text(part(row, "status") ?? {}, "details")) &&
        has("appUserDomains", `APP_USER_DOMAIN_${flag(row, "isExternal") ? "EXTERNAL" : "TRUSTED"}`) &&
        (!flag(request, "withoutResponsibleParty") || row.identityUserId === "") &&
        `${text(row, "displayName")} ${text(row, "email")}`.toLowerCase().includes(query);
    },
    shows,
  }),
];
