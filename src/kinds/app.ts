import type { Call } from "../model/call.js";
import { isObject, type Json } from "../model/json.js";
import { api, isGone, textOf } from "./spelling.js";

/** An app as a look-up needs it. */
export interface App {
  readonly id: string;
  readonly name: string;
}

/** The list of the tenant's apps. */
export function listApps(): Call {
  return { method: "GET", path: api("apps"), effect: "read", expects: ["list"] };
}

/** What one row of that list shows; undefined when the app is gone. */
export function readApp(row: Json): App | undefined {
  if (!isObject(row) || isGone(row)) return undefined;
  return { id: textOf(row, "id"), name: textOf(row, "displayName") };
}
