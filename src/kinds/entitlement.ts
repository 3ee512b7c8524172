import type { Call } from "../model/call.js";
import type { Json } from "../model/json.js";
import { api, inside, isGone, textOf } from "./spelling.js";

/** An entitlement as a look-up needs it. */
export interface Entitlement {
  readonly id: string;
  readonly name: string;
  readonly alias: string;
  readonly slug: string;
  /** False where the service says that it has no automation; undefined where it says nothing. */
  readonly automated?: boolean;
}

/** The list of an app's entitlements. */
export function listEntitlements(app: string): Call {
  return { method: "GET", path: api("apps", app, "entitlements"), effect: "read", expects: ["list"] };
}

/** What one row of that list shows; undefined when the entitlement is gone. */
export function readEntitlement(row: Json): Entitlement | undefined {
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
