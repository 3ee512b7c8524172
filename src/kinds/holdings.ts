import type { Call } from "../model/call.js";
import type { Json } from "../model/json.js";
import { type HolderRef, type RowShows, searchHeld, shownIn } from "./people.js";
import { search } from "./spelling.js";

/** The search for the resources of an app or of one type; null for what has no resources under it. */
export function searchResources({ as, appId, id }: HolderRef): Call | null {
  if (as === "app") return search("app_resources", { appIds: [id] });
  return as === "type" ? search("app_resources", { appIds: [appId], resourceTypeIds: [id] }) : null;
}

/** The resource of one row of that search. */
export function resourceIn(row: Json): RowShows {
  return shownIn(row, "appResource");
}

/** The search for the entitlements that name a policy. */
export function searchEntitlementsBy(policy: string): Call {
  return search("entitlements", { policyRefs: [{ id: policy }] });
}

/** The search for the entitlements that go with an object: its rows show how many hold each. */
export function searchEntitlementsOf({ as, appId, id }: HolderRef): Call {
  switch (as) {
    case "app":
      return search("entitlements", { appIds: [id] });
    case "type":
      return search("entitlements", { appIds: [appId], resourceTypeIds: [id] });
    case "resource":
      return search("entitlements", { appIds: [appId], resourceIds: [id] });
    case "entitlement":
      return searchHeld([{ appId, id }]);
  }
}
