import type { Call } from "../model/call.js";
import { canonical, isObject, type Json, type JsonObject } from "../model/json.js";
import { api, get, inside, isGone, list, listOf, search, textOf } from "./spelling.js";

/** An entitlement as the service's references write it. */
export interface EntitlementRef {
  readonly appId: string;
  readonly id: string;
}

/** The reference to an entitlement that a record is, or has the members of. */
export function refIn(record: JsonObject): EntitlementRef {
  return { appId: textOf(record, "appId"), id: textOf(record, "id") };
}

/** The name of an entitlement: two references to one entitlement have the same. */
export function refName({ appId, id }: EntitlementRef): string {
  return `${appId}/${id}`;
}

/** Whether two references are to one entitlement. */
export function isSameRef(one: EntitlementRef, other: EntitlementRef): boolean {
  return refName(one) === refName(other);
}

/** References to entitlements, each once. */
export function eachRefOnce(refs: readonly EntitlementRef[]): readonly EntitlementRef[] {
  return [...new Map(refs.map((ref) => [refName(ref), ref])).values()];
}

/** An object that a delete takes others with: all resources of a type, all entitlements of a resource, or one entitlement. */
export interface HolderRef {
  readonly as: "app" | "type" | "resource" | "entitlement";
  readonly appId: string;
  readonly id: string;
}

// The list gives as many rows as any other. Short pages are advised for the two searches of grants, which are not used here.
// docs/service/interface.md §8, docs/service/live-reads.md, section D.
/** How many holders one page of the list shows. */
export const HOLDERS_PER_CALL = 100;

/** From a field of a user to the filter of the search for users. */
const USER_FILTERS: Readonly<Record<string, string>> = {
  department: "departments",
  jobTitle: "jobTitles",
  manager_id: "managerIds",
};

/** The search for the users that are not deleted and have one id or one e-mail address. */
export function searchUser(asked: string): Call {
  const filter = asked.includes("@") ? { email: asked } : { refs: [{ id: asked }] };
  return searchUsersBy(filter);
}

/** The search for the users that are not deleted: all of them, or those that have one of some values in each of some fields. */
export function searchUsers(where: Readonly<Record<string, readonly string[]>> | null): Call {
  const filters = Object.entries(where ?? {}).map(([field, values]) => [
    USER_FILTERS[field] ?? field,
    [...values],
  ]);
  return searchUsersBy(Object.fromEntries(filters));
}

// Whether the search leaves out disabled users unasked is not documented, so it is asked for each status but DELETED.
// docs/service/live-reads.md, section C1.
/** The search for the users that are not deleted and that the filter fits. */
export function searchUsersBy(filter: JsonObject): Call {
  return search("users", { ...filter, userStatuses: ["UNKNOWN", "ENABLED", "DISABLED"] });
}

/** The search for the users of some ids. */
export function searchUsersOf(ids: readonly string[]): Call {
  return searchUsersBy({ refs: ids.map((id) => ({ id })) });
}

/** What one row of a list shows: `gone` for something deleted, and `unreadable` where the row does not say what it is. */
export type RowShows = JsonObject | "gone" | "unreadable";

/** The record of that name in one row of a list. */
export function shownIn(row: Json, name: string): RowShows {
  const record = inside(row, name);
  if (record === undefined || textOf(record, "id") === "") return "unreadable";
  return isGone(record) ? "gone" : record;
}

/** The user of one row of such a list; a row whose fields remit cannot read is `unreadable`. */
export function userIn(row: Json): RowShows {
  const user = shownIn(row, "user");
  return isObject(user) && !isReadable(user) ? "unreadable" : user;
}

/** What a rule may ask of a user, by the names that rules use; what the service left empty is left out. */
export function attributesOf(user: JsonObject): JsonObject {
  const names = `${USER_TEXTS} ${USER_LISTS} profile`.split(" ");
  const entries = names.flatMap((name) =>
    isFilled(user[name]) ? [[name, user[name] ?? null] as const] : [],
  );
  return Object.fromEntries(entries);
}

function isFilled(value: Json | undefined): boolean {
  if (Array.isArray(value)) return value.length > 0;
  return isObject(value ?? null)
    ? Object.keys(value as JsonObject).length > 0
    : value != null && value !== "";
}

const USER_TEXTS =
  "displayName email username department jobTitle employmentType employmentStatus status directoryStatus type";
const USER_LISTS = "emails usernames managerIds";

// A field of another form is not an empty one: what a rule says of it is unknown.
function isReadable(user: JsonObject): boolean {
  const isOf = (names: string, test: (value: Json) => boolean) =>
    names.split(" ").every((name) => user[name] == null || test(user[name]));
  return (
    isOf(USER_TEXTS, (value) => typeof value === "string") &&
    isOf(USER_LISTS, (value) => Array.isArray(value) && value.every((one) => typeof one === "string")) &&
    isOf("profile", isObject)
  );
}

/** The list of those who hold an entitlement. */
export function listHolders({ appId, id }: EntitlementRef): Call {
  return list("ListGrantsOfEntitlement", "apps", appId, "entitlements", id, "grants");
}

/** Who holds an entitlement, by id; null for a person of whom that is not certain. Everybody else does not hold it. */
export type Holders = ReadonlyMap<string, true | null>;

/**
 * Whose grant one row of that list is: no one's for a grant of a deleted account or user, and for an account without
 * owner. `unreadable` where the row shows neither an account nor a user. `isOver` where the row says that the grant has
 * ended, which may not be the only one of that person.
 */
export function holderIn(
  row: Json,
): { readonly id: string; readonly isOver: boolean } | "no one" | "unreadable" {
  const [user, account] = [inside(row, "user"), inside(row, "appUser")];
  if (!isObject(row) || (user === undefined && account === undefined)) return "unreadable";
  if ((user !== undefined && isGone(user)) || (account !== undefined && isGone(account))) return "no one";
  const id = textOf(user ?? {}, "id") || textOf(account ?? {}, "identityUserId");
  if (id === "" && account === undefined) return "unreadable";
  return id === "" ? "no one" : { id, isOver: textOf(row, "expired") !== "" };
}

/** What tells one row of that list from another: a person may hold an entitlement by several accounts. */
export function grantName(row: Json): string {
  const [user, account] = [inside(row, "user"), inside(row, "appUser")];
  const ids = [
    textOf(account ?? {}, "id") || textOf(isObject(row) ? row : {}, "appUserId"),
    textOf(user ?? {}, "id"),
  ];
  return ids.every((id) => id === "") ? canonical(row) : ids.join("/");
}

/** The accounts of one user in the app of an entitlement, with the grants that they have of it. */
export function grantsOfUser({ appId, id }: EntitlementRef, user: string): Call {
  const path = api("apps", appId, "entitlements", id, "users", user, "grants");
  return { ...get("ListGrantsOfUser", path, ["bindings"]), person: user };
}

/** Whether that call's reply shows a grant: an account without one is shown without the entitlement. */
export function holdsIn(body: Json, { id }: EntitlementRef): boolean {
  return listOf(isObject(body) ? body : {}, "bindings").some(
    (binding) => isObject(binding) && textOf(binding, "appEntitlementId") === id && !isGone(binding),
  );
}

/** The list of the users that an automation leaves out. */
export function listExclusions({ appId, id }: EntitlementRef): Call {
  return list("ListExclusions", "apps", appId, "entitlements", id, "automation", "exclusions");
}

/** The user of one row of that list, whether they are deleted or not; null where the row shows no user. */
export function excludedIn(row: Json): string | null {
  return textOf(inside(row, "user") ?? {}, "id") || null;
}

/** The search for entitlements by their ids: its rows show how many hold each. */
export function searchHeld(refs: readonly EntitlementRef[]): Call {
  return search("entitlements", { refs: refs.map(({ appId, id }) => ({ appId, id })) });
}

/** The search for entitlements of one display name, which need not be spelled the same. */
export function searchNamed(name: string): Call {
  return search("entitlements", { displayName: name });
}

/** Whether a row of that search has exactly the name, and still exists. */
export function isNamed(row: Json, name: string): boolean {
  const record = inside(row, "appEntitlement");
  return record !== undefined && !isGone(record) && textOf(record, "displayName") === name;
}

/** An entitlement, and how many grants of it exist. */
export interface Held extends EntitlementRef {
  readonly name: string;
  readonly grants: number;
  /** Whether it has an automation; null where that was not shown. */
  readonly automated: boolean | null;
}

/** The entitlement of one row of a search for entitlements. */
export function entitlementIn(row: Json): RowShows {
  return shownIn(row, "appEntitlement");
}

/** What one row of a search for entitlements says of its grants. */
export function heldIn(row: Json): Held | undefined {
  const record = inside(row, "appEntitlement");
  const grants =
    record?.grantCount === null || record?.grantCount === "" ? Number.NaN : Number(record?.grantCount);
  if (record === undefined || !Number.isSafeInteger(grants) || grants < 0) return undefined;
  const name = textOf(record, "displayName");
  const automated = typeof record.isAutomationEnabled === "boolean" ? record.isAutomationEnabled : null;
  return { appId: textOf(record, "appId"), id: textOf(record, "id"), name, grants, automated };
}

/** The list of an app's accounts. */
export function listAccounts(app: string): Call {
  return list("ListAppUsers", "apps", app, "app_users");
}

/**
 * The search for the accounts of some apps that fit account criteria: its filters have the same four sides. Null where the
 * criteria ask for something else. docs/service/live-reads.md, section D.
 */
export function searchAccounts(criteria: JsonObject, apps: readonly string[]): Call | null {
  const sides = Object.entries(criteria).map(([name, value]) => ACCOUNT_SIDES[name]?.(value) ?? null);
  if (sides.includes(null)) return null;
  return search("app_users", Object.assign({ appIds: [...apps] }, ...sides));
}

/** From a side of account criteria to its filter; null for a value without one. */
const ACCOUNT_SIDES: Readonly<Record<string, (value: Json) => JsonObject | null>> = {
  accountDomain: (value) => (isNamedValue(value) ? { appUserDomains: [value] } : null),
  accountTypes: (value) => (isNamedList(value) ? { appUserTypes: [...value] } : null),
  // The criteria and the search spell a status differently.
  appUserStatuses: (value) =>
    isNamedList(value) ? { appUserStatuses: value.map((one) => one.replace(/^APP_USER_/, "")) } : null,
  noAccountOwner: (value) => (value === true ? { withoutResponsibleParty: true } : null),
};

function isNamedValue(value: Json): value is string {
  return typeof value === "string" && !value.endsWith("_UNSPECIFIED");
}

function isNamedList(value: Json): value is readonly string[] {
  return Array.isArray(value) && value.length > 0 && value.every(isNamedValue);
}

/** The account of one row of that list. */
export function accountIn(row: Json): RowShows {
  return shownIn(row, "appUser");
}

/** The question whose credentials these are. */
export function introspection(): Call {
  return get("Introspect", api("auth", "introspect"), ["userId"]);
}

/** The user that its answer names; undefined for credentials of no user. */
export function ownerIn(body: Json): string | undefined {
  const id = isObject(body) ? textOf(body, "userId") : "";
  return id === "" ? undefined : id;
}
