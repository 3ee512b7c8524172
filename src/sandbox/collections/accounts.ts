import type { JsonObject } from "../../model/json.js";
import type { Operation, World } from "../answer/operation.js";
import {
  listAccountsOfUserRequest,
  listAccountsReply,
  listAccountsRequest,
  searchAccountsRequest,
} from "../messages/account.js";
import type { AccountRow } from "../tenant/tenant.js";
import { flag, part, parts, text, texts } from "../wire/member.js";
import { existing, isDeleted } from "./existing.js";
import { findApp } from "./owned.js";
import { type Page, pageOf } from "./page.js";

const COLLECTION = "/api/v1/apps/{app_id}";

/** The accounts that people have in apps, and those without an owner. */
export const accounts = [
  {
    name: "ListAccounts",
    summary: "Lists the accounts of an app.",
    method: "GET",
    path: `${COLLECTION}/app_users`,
    request: listAccountsRequest,
    response: listAccountsReply,
    answer: (request, world) =>
      show(pageOf(request, world, [ofApp(request, world)], (row) => !isDeleted(row))),
  },
  {
    name: "ListAccountsOfUser",
    summary: "Lists one person's accounts in an app.",
    method: "GET",
    path: `${COLLECTION}/users/{user_id}/app_users`,
    request: listAccountsOfUserRequest,
    response: listAccountsReply,
    answer(request, world) {
      const userId = text(request, "userId");
      const isTheirs = (row: AccountRow) => row.identityUserId === userId && !isDeleted(row);
      return show(pageOf(request, world, [ofApp(request, world)], isTheirs));
    },
  },
  {
    name: "SearchAccounts",
    summary: "Finds accounts in all apps by the four sides that a scope's account criteria have, and more.",
    method: "POST",
    path: "/api/v1/search/app_users",
    request: searchAccountsRequest,
    response: listAccountsReply,
    answer(request, world) {
      const appIds = new Set([...texts(request, "appIds"), text(request, "appId")].filter(Boolean));
      const groups =
        appIds.size === 0
          ? world.store.accounts.groups()
          : [...appIds].map((id) => world.store.accounts.of(id));
      return show(pageOf(request, world, groups, accountsWantedBy(request)));
    },
  },
] as const satisfies readonly Operation[];

function ofApp(request: JsonObject, world: World): readonly AccountRow[] {
  const appId = text(request, "appId");
  existing(findApp(world, appId));
  return world.store.accounts.of(appId);
}

function show(page: Page<AccountRow>): JsonObject {
  return { list: page.rows.map((row) => ({ appUser: row })), nextPageToken: page.nextPageToken };
}

function accountsWantedBy(request: JsonObject): (row: AccountRow) => boolean {
  const ids = texts(request, "appUserIds");
  const excluded = texts(request, "excludeAppUserIds");
  const refs = new Set(parts(request, "refs").map((ref) => `${text(ref, "appId")}/${text(ref, "id")}`));
  const userIds = texts(request, "userIds");
  const statuses = texts(request, "appUserStatuses");
  const details = texts(request, "appUserStatusDetails");
  const types = texts(request, "appUserTypes");
  const domains = texts(request, "appUserDomains");
  const query = text(request, "query").toLowerCase();
  const isAny = (values: readonly string[], value: string) => values.length === 0 || values.includes(value);
  return (row) =>
    !isDeleted(row) &&
    isAny(ids, row.id) &&
    !excluded.includes(row.id) &&
    (refs.size === 0 || refs.has(`${row.appId}/${row.id}`)) &&
    isAny(userIds, row.identityUserId) &&
    isAny(statuses, text(part(row, "status") ?? {}, "status")) &&
    isAny(details, text(part(row, "status") ?? {}, "details")) &&
    isAny(types, text(row, "appUserType")) &&
    isAny(domains, `APP_USER_DOMAIN_${flag(row, "isExternal") ? "EXTERNAL" : "TRUSTED"}`) &&
    (!flag(request, "withoutResponsibleParty") || row.identityUserId === "") &&
    `${text(row, "displayName")} ${text(row, "email")}`.toLowerCase().includes(query);
}
