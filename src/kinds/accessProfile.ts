import type { Call } from "../model/call.js";
import type { Json } from "../model/json.js";
import type { Named } from "./named.js";
import { api, inside, isGone, textOf } from "./spelling.js";

/** The list of the tenant's access profiles, which the service calls catalogs. */
export function listAccessProfiles(): Call {
  return { method: "GET", path: api("catalogs"), effect: "read", expects: ["list"] };
}

/** What one row of that list shows; undefined when the access profile is deleted. */
export function readAccessProfile(row: Json): Named | undefined {
  const profile = inside(row, "requestCatalog");
  if (profile === undefined || isGone(profile)) return undefined;
  return { id: textOf(profile, "id"), name: textOf(profile, "displayName") };
}

/** The call that reads one access profile. */
export function accessProfileCall(id: string): Call {
  return { method: "GET", path: api("catalogs", id), effect: "read", expects: ["requestCatalogView"] };
}

/** What that call's reply shows; undefined when the access profile is deleted. */
export function accessProfileIn(body: Json): Named | undefined {
  const view = inside(body, "requestCatalogView");
  return view === undefined ? undefined : readAccessProfile(view);
}
