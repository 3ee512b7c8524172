import schema from "../../schemas/access-profile.json" with { type: "json" };
import type { Call, Segment } from "../model/call.js";
import { isObject, type Json, type JsonObject } from "../model/json.js";
import { setByService } from "../schema/outline.js";
import type { SpecShape } from "../schema/shape.js";
import type { PartRow } from "./row.js";
import { api, inside, isGone, listOf, mask, pick, textOf } from "./spelling.js";
import { asSent } from "./unnamed.js";

// What the service keeps of an access profile behind calls of its own: docs/service/more-kinds.md, section 4.

/** The field with the policies of a profile, which are on its enrollment entitlement. */
export const ENROLLMENT = "enrollment";
const POLICIES = ["grantPolicyId", "revokePolicyId"];
const isSetByService = setByService(schema.$defs.spec.properties.bundleAutomation);

/** How each part of a profile is read. */
export const PARTS: readonly PartRow[] = [
  {
    as: "object",
    field: ENROLLMENT,
    noun: "enrollment entitlement",
    operation: "GetEntitlement",
    at: "apps/{appId}/entitlements/{id}",
    expects: ["appEntitlementView", "appEntitlement"],
    observe: (body) => {
      const record = inside(inside(body, "appEntitlementView") ?? null, "appEntitlement");
      return record === undefined || isGone(record)
        ? undefined
        : pick(record, [...POLICIES, "durationGrant"]);
    },
  },
  {
    as: "object",
    field: "requestableEntries",
    noun: "entries",
    operation: "GetAccessProfileEntries",
    at: "catalogs/{id}/requestable_entitlementIDs",
    expects: ["refs"],
    observe: (body) => (isObject(body) ? listOf(body, "refs").map(refIn) : undefined),
  },
  {
    as: "list",
    field: "visibilityBindings",
    noun: "visibility",
    operation: "ListAccessProfileBindings",
    at: "catalogs/{id}/visibility_entitlements",
    expects: ["list"],
    observe: (rows) =>
      Array.isArray(rows)
        ? rows.flatMap((row: Json) => {
            const record = inside(row, "appEntitlement");
            return record === undefined || isGone(record) ? [] : [refIn(record)];
          })
        : undefined,
  },
  {
    as: "object",
    field: "bundleAutomation",
    noun: "automation",
    operation: "GetAccessProfileAutomation",
    at: "catalogs/{id}/bundle_automation",
    expects: ["requestCatalogId"],
    observe: (body) => (isObject(body) && !isGone(body) ? automationIn(body) : null),
    none: null,
  },
];

/** Sets the policies of a profile; what is not written is unset. */
export function setEnrollment(app: Segment, id: Segment, after: JsonObject): Call {
  const policies = inside(after, ENROLLMENT) ?? {};
  const duration = textOf(policies, "durationGrant");
  const name = duration === "" ? "durationUnset" : "durationGrant";
  const entitlement = {
    ...Object.fromEntries(POLICIES.map((policy) => [policy, textOf(policies, policy)])),
    // docs/service/more-kinds.md, section 3: an update has exactly one of the two.
    [name]: duration === "" ? {} : duration,
  };
  return {
    operation: "UpdateEntitlement",
    method: "POST",
    path: api("apps", app, "entitlements", id),
    body: { entitlement, updateMask: mask([...POLICIES, name]) },
    effect: "repeatable",
    expects: ["appEntitlementView"],
  };
}

/** Replaces all entries. */
export function setEntries(id: Segment, entries: readonly Json[]): Call {
  const path = api("catalogs", id, "requestable_entitlements", "update");
  const body = { appEntitlements: [...entries] };
  return {
    operation: "SetAccessProfileEntries",
    method: "POST",
    path,
    body,
    effect: "repeatable",
  };
}

/** Lets the holders of some entitlements see the profile; nothing for none. */
export function addBindings(id: Segment, bindings: readonly Json[]): readonly Call[] {
  if (bindings.length === 0) return [];
  return [{ operation: "AddAccessProfileBindings", method: "POST", ...ofBindings(id, bindings) }];
}

/** Lets the holders of some entitlements no longer see the profile; nothing for none. */
export function removeBindings(id: Segment, bindings: readonly Json[]): readonly Call[] {
  if (bindings.length === 0) return [];
  return [{ operation: "RemoveAccessProfileBindings", method: "DELETE", ...ofBindings(id, bindings) }];
}

/** Sets the automation as a whole, or deletes it where there was one and is none afterwards. */
export function setAutomation(
  id: Segment,
  before: JsonObject,
  after: JsonObject,
  shape: SpecShape,
): readonly Call[] {
  const path = api("catalogs", id, "bundle_automation");
  const rule = asSent(after.bundleAutomation ?? null, shape.fields.get("bundleAutomation"));
  if (!isObject(rule)) {
    const operation = "DeleteAccessProfileAutomation";
    const isThere = isObject(before.bundleAutomation);
    return isThere ? [{ operation, method: "DELETE", path, body: {}, effect: "repeatable" }] : [];
  }
  const { removedMembersThresholdPercent: percent, ...rest } = rule;
  const body = {
    ...rest,
    ...(typeof percent === "number" ? { removedMembersThresholdPercent: String(percent) } : {}),
  };
  const operation = "SetAccessProfileAutomation";
  return [{ operation, method: "POST", path, body, effect: "repeatable", expects: ["requestCatalogId"] }];
}

function ofBindings(id: Segment, bindings: readonly Json[]) {
  const path = api("catalogs", id, "visibility_bindings");
  return { path, body: { accessEntitlements: [...bindings] }, effect: "repeatable" } as const;
}

function refIn(ref: Json): JsonObject {
  return isObject(ref) ? { appId: textOf(ref, "appId"), id: textOf(ref, "id") } : {};
}

/** The automation without what the service sets; the service writes whole numbers of 64 bits as texts. */
function automationIn(body: JsonObject): JsonObject {
  const rule = Object.fromEntries(
    Object.entries(body).filter(([name, value]) => !isSetByService(name, value)),
  );
  const percent = Number(textOf(body, "removedMembersThresholdPercent"));
  return { ...rule, removedMembersThresholdPercent: Number.isSafeInteger(percent) ? percent : 0 };
}
