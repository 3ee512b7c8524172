import type { JsonObject } from "../../model/json.js";
import type { Operation } from "../answer/operation.js";
import { expanded, expansion, page, paging } from "../messages/members.js";
import { USER_ORIGINS, USER_STATUSES, USER_TYPES, user, userRef } from "../messages/user.js";
import { ROOT } from "../tenant/store.js";
import type { NamedRow } from "../tenant/tenant.js";
import { list, message, names } from "../wire/descriptor.js";
import { parts, text, texts } from "../wire/member.js";
import { listing } from "./listing.js";
import { isDeleted } from "./owned.js";
import { operationsOf } from "./table.js";

const USER = "c1.api.user.v1.";

const view = message(`${USER}UserView`, {
  user,
  userId: "string",
  directoriesPath: "string",
  managersPath: "string",
  rolesPath: "string",
  delegatedUserPath: "string",
  objectPermissions: "free",
});

const found = page(`${USER}UserServiceListResponse`, view, expanded);
const viewed = (row: NamedRow) => ({ user: row, userId: row.id });
const isGone = (row: JsonObject) => isDeleted(row) || row.status === "DELETED";

/** The people, services and agents of the tenant's directories. Only directories make them. */
export const users: readonly Operation[] = [
  ...operationsOf({
    noun: ["User", "Users"],
    at: "/api/v1/users",
    service: USER,
    record: user,
    view,
    viewed,
    rows: (store) => store.users,
    unlisted: isGone,
    calls: {
      List: ["Lists the users that are not deleted.", "UserServiceListRequest", found],
      Get: [
        "Gives one user, in a view.",
        "UserServiceGetRequest",
        message(`${USER}UserServiceGetResponse`, { userView: view, ...expanded }),
      ],
    },
  }),
  listing<NamedRow>({
    name: "SearchUsers",
    summary: "Finds users. Their profiles cannot be searched.",
    method: "POST",
    path: "/api/v1/search/users",
    request: message(`${USER}SearchUsersRequest`, {
      email: "string",
      query: "string",
      refs: list(userRef),
      ids: list("string"),
      excludeIds: list("string"),
      departments: list("string"),
      jobTitles: list("string"),
      managerIds: list("string"),
      roleIds: list("string"),
      userStatuses: list(names("", ...USER_STATUSES)),
      excludeTypes: list(names("USER_TYPE_", ...USER_TYPES)),
      origins: list(names("USER_ORIGIN_", ...USER_ORIGINS)),
      excludeOrigins: list(names("USER_ORIGIN_", ...USER_ORIGINS)),
      sourceAppIds: list("string"),
      isDelegate: "bool",
      delegatedUserIds: list("string"),
      expandMask: expansion(`${USER}UserExpandMask`),
      ...paging,
    }),
    response: found,
    among(request, { store }) {
      const ids = [...texts(request, "ids"), ...parts(request, "refs").map((ref) => text(ref, "id"))];
      if (ids.length === 0) return [store.users.of(ROOT)];
      return [[...new Set(ids)].flatMap((id) => store.users.get(ROOT, id) ?? [])];
    },
    // Without a status, disabled users are found and deleted ones are not (a guess: the service has not shown it).
    hides: (request) => (texts(request, "userStatuses").length > 0 ? () => false : isGone),
    any: {
      departments: "department",
      jobTitles: "jobTitle",
      managerIds: "managerIds",
      roleIds: "roleIds",
      origins: "origin",
      delegatedUserIds: "delegatedUserId",
      // No attribute of a sandbox's users names the app that it comes from.
      sourceAppIds: "sourceAppId",
    },
    none: { excludeIds: "id", excludeTypes: "type", excludeOrigins: "origin" },
    also(request) {
      const email = text(request, "email").toLowerCase();
      const query = text(request, "query").toLowerCase();
      const statuses = texts(request, "userStatuses");
      return (row) =>
        // Users of a sandbox do not delegate.
        request.isDelegate !== true &&
        (statuses.length === 0 || statuses.includes(String(row.status ?? "UNKNOWN"))) &&
        (email === "" || emailsOf(row).includes(email)) &&
        [text(row, "displayName").toLowerCase(), ...emailsOf(row)].some((each) => each.includes(query));
    },
    shows: viewed,
  }),
];

function emailsOf(row: JsonObject): readonly string[] {
  return [text(row, "email"), ...texts(row, "emails")].map((each) => each.toLowerCase());
}
