import type { Call } from "../model/call.js";
import { isObject, type Json, type JsonObject } from "../model/json.js";
import { api, inside, isGone, listOf, textOf } from "./spelling.js";

/** An entitlement as the service's references write it. */
export interface EntitlementRef {
  readonly appId: string;
  readonly id: string;
}

/** The name of an entitlement: two references to one entitlement have the same. */
export function refName({ appId, id }: EntitlementRef): string {
  return `${appId}/${id}`;
}

// The service advises pages this short: each row shows a whole account. docs/service/live-reads.md, section D.
const HOLDERS_A_PAGE = "10";

/** How many holders one page of the list shows. */
export const HOLDERS_PER_CALL = Number(HOLDERS_A_PAGE);

/** The list of all users that are not deleted. */
export function listUsers(): Call {
  return read("GET", api("users"));
}

/** The user of one row of that list; undefined when the user is gone. */
export function userIn(row: Json): JsonObject | undefined {
  const user = inside(row, "user");
  return user === undefined || isGone(user) ? undefined : user;
}

/** The list of those who hold an entitlement. */
export function listHolders({ appId, id }: EntitlementRef): Call {
  return {
    ...read("GET", api("apps", appId, "entitlements", id, "grants")),
    query: { page_size: HOLDERS_A_PAGE },
  };
}

/** Whose grant one row of that list is; undefined for a grant of a deleted account or user, and for one without owner. */
export function holderIn(row: Json): string | undefined {
  const [user, account] = [inside(row, "user"), inside(row, "appUser")];
  if ((user !== undefined && isGone(user)) || (account !== undefined && isGone(account))) return undefined;
  const id = textOf(user ?? {}, "id") || textOf(account ?? {}, "identityUserId");
  return id === "" ? undefined : id;
}

/** The accounts of one user in the app of an entitlement, with the grants that they have of it. */
export function grantsOfUser({ appId, id }: EntitlementRef, user: string): Call {
  const path = api("apps", appId, "entitlements", id, "users", user, "grants");
  return { method: "GET", path, effect: "read", expects: ["bindings"] };
}

/** Whether that call's reply shows a grant: an account without one is shown without the entitlement. */
export function holdsIn(body: Json, { id }: EntitlementRef): boolean {
  return listOf(isObject(body) ? body : {}, "bindings").some(
    (binding) => isObject(binding) && textOf(binding, "appEntitlementId") === id && !isGone(binding),
  );
}

/** The list of the users that an automation leaves out. */
export function listExclusions({ appId, id }: EntitlementRef): Call {
  return read("GET", api("apps", appId, "entitlements", id, "automation", "exclusions"));
}

/** The user of one row of that list. */
export function excludedIn(row: Json): string | undefined {
  const id = textOf(inside(row, "user") ?? {}, "id");
  return id === "" ? undefined : id;
}

/** The search for entitlements by their ids: its rows show how many hold each. */
export function searchHeld(refs: readonly EntitlementRef[]): Call {
  const body = { refs: refs.map(({ appId, id }) => ({ appId, id })) };
  return { ...read("POST", api("search", "entitlements")), body };
}

/** An entitlement of one row of that search, and how many grants of it exist. */
export function heldIn(row: Json): (EntitlementRef & { readonly grants: number }) | undefined {
  const record = inside(row, "appEntitlement");
  const grants = Number(record?.grantCount);
  if (record === undefined || !Number.isSafeInteger(grants)) return undefined;
  return { appId: textOf(record, "appId"), id: textOf(record, "id"), grants };
}

/** The list of an app's accounts. */
export function listAccounts(app: string): Call {
  return read("GET", api("apps", app, "app_users"));
}

/** The account of one row of that list; undefined when it is gone. */
export function accountIn(row: Json): JsonObject | undefined {
  const account = inside(row, "appUser");
  return account === undefined || isGone(account) ? undefined : account;
}

/** The question whose credentials these are. */
export function introspection(): Call {
  return { method: "GET", path: api("auth", "introspect"), effect: "read", expects: ["userId"] };
}

/** The user that its answer names; undefined for credentials of no user. */
export function ownerIn(body: Json): string | undefined {
  const id = isObject(body) ? textOf(body, "userId") : "";
  return id === "" ? undefined : id;
}

function read(method: "GET" | "POST", path: Call["path"]): Call {
  return { method, path, effect: "read", expects: ["list"] };
}
