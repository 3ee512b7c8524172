import type { Call } from "../model/call.js";
import type { Json } from "../model/json.js";
import { type RowShows, shownIn, type TypeRef } from "./people.js";
import { api } from "./spelling.js";

/** The search for the resources of one type. */
export function searchResources({ appId, id }: TypeRef): Call {
  return search("app_resources", { appIds: [appId], resourceTypeIds: [id] });
}

/** The resource of one row of that search. */
export function resourceIn(row: Json): RowShows {
  return shownIn(row, "appResource");
}

/** The search for the entitlements of the resources of one type: its rows show how many hold each. */
export function searchEntitlementsOf({ appId, id }: TypeRef): Call {
  return search("entitlements", { appIds: [appId], resourceTypeIds: [id] });
}

function search(what: string, body: NonNullable<Call["body"]>): Call {
  return { method: "POST", path: api("search", what), body, effect: "read", expects: ["list"] };
}
