import type { Call } from "../model/call.js";
import type { Json } from "../model/json.js";
import type { Named } from "./named.js";
import { api, inside, isGone, textOf } from "./spelling.js";

/** The list of an app's entitlements. */
export function listEntitlements(app: string): Call {
  return { method: "GET", path: api("apps", app, "entitlements"), effect: "read", expects: ["list"] };
}

/** What one row of that list shows; undefined when the entitlement is gone. */
export function readEntitlement(row: Json): Named | undefined {
  const record = inside(row, "appEntitlement");
  if (record === undefined || isGone(record)) return undefined;
  const known = {
    id: textOf(record, "id"),
    name: textOf(record, "displayName"),
    alias: textOf(record, "alias"),
    slug: textOf(record, "slug"),
  };
  const { isAutomationEnabled: automated } = record;
  return typeof automated === "boolean" ? { ...known, automated } : known;
}
