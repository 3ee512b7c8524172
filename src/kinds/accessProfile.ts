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
