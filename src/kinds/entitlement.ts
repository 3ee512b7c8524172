import type { Call } from "../model/call.js";
import type { Json } from "../model/json.js";
import type { Finder, Named } from "./named.js";
import { api, inside, isGone, textOf } from "./spelling.js";

/** The list of an app's entitlements. */
export function listEntitlements(app: string): Call {
  return { method: "GET", path: api("apps", app, "entitlements"), effect: "read", expects: ["list"] };
}

/** The search for an app's entitlements of one name or alias; there is none for a slug. */
export function searchEntitlements(app: string, by: Finder, text: string): Call | null {
  const filter = SEARCHED[by];
  if (filter === undefined) return null;
  return {
    method: "POST",
    path: api("search", "entitlements"),
    body: { appIds: [app], [filter]: text },
    effect: "read",
    expects: ["list"],
  };
}

const SEARCHED: Readonly<Partial<Record<Finder, string>>> = { name: "displayName", alias: "alias" };

/** What one row of that list shows; undefined when the entitlement is gone. */
export function readEntitlement(row: Json, app = ""): Named | undefined {
  const record = inside(row, "appEntitlement");
  if (record === undefined || isGone(record)) return undefined;
  const of = textOf(record, "appId");
  if (app !== "" && of !== "" && of !== app) return undefined;
  const [id, name] = [textOf(record, "id"), textOf(record, "displayName")];
  const [alias, slug] = [textOf(record, "alias"), textOf(record, "slug")];
  const { isAutomationEnabled: automated } = record;
  return typeof automated === "boolean" ? { id, name, alias, slug, automated } : { id, name, alias, slug };
}
