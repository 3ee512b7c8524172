import type { Call } from "../model/call.js";
import { isObject, type Json } from "../model/json.js";
import type { Named } from "./named.js";
import { api, isGone, textOf } from "./spelling.js";

/** The list of the tenant's risk levels. */
export function listRiskLevels(): Call {
  return { method: "GET", path: api("attributes", "risk_levels"), effect: "read", expects: ["list"] };
}

/** The list of the tenant's compliance frameworks. */
export function listComplianceFrameworks(): Call {
  return {
    method: "GET",
    path: api("attributes", "compliance_frameworks"),
    effect: "read",
    expects: ["list"],
  };
}

/** What one row of either list shows; the service keeps the name in `value`. Undefined when the value is deleted. */
export function readAttributeValue(row: Json): Named | undefined {
  if (!isObject(row) || isGone(row)) return undefined;
  return { id: textOf(row, "id"), name: textOf(row, "value") };
}
