import type { JsonObject } from "../../model/json.js";
import type { Operation } from "../answer/operation.js";
import {
  listUsersReply,
  listUsersRequest,
  searchUsersRequest,
  userReply,
  userRequest,
} from "../messages/user.js";
import { ROOT } from "../tenant/store.js";
import { parts, text, texts } from "../wire/member.js";
import { isDeleted, readable } from "./existing.js";
import { type Page, pageOf } from "./page.js";

/** The people, services and agents of the tenant's directories. Only directories make them. */
export const users = [
  {
    name: "ListUsers",
    summary: "Lists the users that are not deleted.",
    method: "GET",
    path: "/api/v1/users",
    request: listUsersRequest,
    response: listUsersReply,
    answer: (request, world) =>
      show(pageOf(request, world, [world.store.users.of(ROOT)], (row) => !isGone(row))),
  },
  {
    name: "GetUser",
    summary: "Gives one user, in a view.",
    method: "GET",
    path: "/api/v1/users/{id}",
    request: userRequest,
    response: userReply,
    answer(request, world) {
      const row = readable(world.store.users.get(ROOT, text(request, "id")), world);
      return { userView: { user: row, userId: row.id } };
    },
  },
  {
    name: "SearchUsers",
    summary: "Finds users. Their profiles cannot be searched.",
    method: "POST",
    path: "/api/v1/search/users",
    request: searchUsersRequest,
    response: listUsersReply,
    answer(request, world) {
      const ids = [...texts(request, "ids"), ...parts(request, "refs").map((ref) => text(ref, "id"))];
      const all = world.store.users.of(ROOT);
      const candidates =
        ids.length === 0 ? all : [...new Set(ids)].flatMap((id) => world.store.users.get(ROOT, id) ?? []);
      return show(pageOf(request, world, [candidates], usersWantedBy(request)));
    },
  },
] as const satisfies readonly Operation[];

function show(page: Page<JsonObject>): JsonObject {
  const list = page.rows.map((row) => ({ user: row, userId: text(row, "id") }));
  return { list, nextPageToken: page.nextPageToken };
}

function isGone(row: JsonObject): boolean {
  return isDeleted(row) || row.status === "DELETED";
}

/** From a filter to the field that must have one of its values. */
const ANY_OF = {
  departments: "department",
  jobTitles: "jobTitle",
  managerIds: "managerIds",
  roleIds: "roleIds",
  userStatuses: "status",
  origins: "origin",
  delegatedUserIds: "delegatedUserId",
} as const;

/** From a filter to the field that must have none of its values. */
const NONE_OF = { excludeIds: "id", excludeTypes: "type", excludeOrigins: "origin" } as const;

function usersWantedBy(request: JsonObject): (row: JsonObject) => boolean {
  const email = text(request, "email").toLowerCase();
  const query = text(request, "query").toLowerCase();
  const wanted = Object.entries(ANY_OF).map(([filter, field]) => [texts(request, filter), field] as const);
  const unwanted = Object.entries(NONE_OF).map(([filter, field]) => [texts(request, filter), field] as const);
  // Users of a sandbox do not delegate, and no attribute names the app that it comes from.
  if (request.isDelegate === true || texts(request, "sourceAppIds").length > 0) return () => false;
  // Without a status, disabled users are found and deleted ones are not (a guess: the service has not shown it).
  const asksStatus = texts(request, "userStatuses").length > 0;
  return (row) =>
    (asksStatus || !isGone(row)) &&
    (email === "" || emailsOf(row).includes(email)) &&
    (query === "" ||
      [text(row, "displayName").toLowerCase(), ...emailsOf(row)].some((each) => each.includes(query))) &&
    wanted.every(
      ([values, field]) => values.length === 0 || values.some((value) => has(row, field, value)),
    ) &&
    unwanted.every(([values, field]) => !values.some((value) => has(row, field, value)));
}

function emailsOf(row: JsonObject): readonly string[] {
  return [text(row, "email"), ...texts(row, "emails")].map((each) => each.toLowerCase());
}

function has(row: JsonObject, field: string, value: string): boolean {
  const held = field === "status" ? (row.status ?? "UNKNOWN") : row[field];
  return held === value || texts(row, field).includes(value);
}
