import schema from "../../schemas/access-profile.json" with { type: "json" };
import type { Call, Segment } from "../model/call.js";
import { isObject, type Json, type JsonObject } from "../model/json.js";
import { setByService } from "../schema/outline.js";
import type { SpecShape } from "../schema/shape.js";
import { madeForApp, ownApp } from "./app.js";
import type { Objection } from "./kind.js";
import type { KeyedWork, PartRow, Update } from "./row.js";
import { api, inside, isGone, listOf, mask, pick, textOf, without } from "./spelling.js";
import { kindFrom } from "./table.js";
import { asSent } from "./unnamed.js";

/** The field with the policies of a profile, which are on its enrollment entitlement. */
const ENROLLMENT = "enrollment";
const POLICIES = ["grantPolicyId", "revokePolicyId"];
const isSetByService = setByService(schema.$defs.spec.properties.bundleAutomation);

/** How each part of a profile is read, by calls of its own: docs/service/more-kinds.md, section 4. */
const PARTS: readonly PartRow[] = [
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

const OF_PARTS = PARTS.map(({ field }) => field);
// docs/service/more-kinds.md, section 4: a profile is made unpublished, and is seen by people last.
const SHOWING = ["published", "visibleToEveryone"];

/** An access profile with its parts, which the service calls a request catalog; without an id only the state knows which one is meant. */
export const accessProfile = kindFrom({
  name: "AccessProfile",
  noun: ["access profile", "access profiles"],
  schema,
  at: "catalogs/{id}",
  replies: { read: "requestCatalogView.requestCatalog", row: "requestCatalog" },
  sends: { update: "catalog" },
  created: { published: false },
  afterCreate: SHOWING,
  parts: PARTS,
  ofParts: ["accessEntitlements"],
  // Its enrollment entitlement is there and has its id: docs/service/more-kinds.md, section 4.
  isOwnAppOnly: true,
  holds: { kind: "Entitlement", noun: "enrollment entitlement" },
  found: [{ per: "app", ofOne: ownApp, shows: "the key", madeForApp }],
  concern: {
    as: "profile",
    of: ([appId = "", id = ""]) => ({ as: "entitlement", appId, id }),
    entitlement: ([appId = "", id = ""]) => ({ appId, id }),
    rule: ({ bundleAutomation: rule }) =>
      isObject(rule) && rule.enabled === true ? pick(rule, ["entitlements", "cel"]) : null,
    enrollsAtOnce: ({ bundleAutomation: rule }) => isObject(rule) && rule.createTasks !== true,
    entries: ({ requestableEntries = null }) => requestableEntries,
    requestable: ({ published, visibleToEveryone = null, ...parts }) =>
      published === true
        ? [visibleToEveryone, parts.visibilityBindings ?? null, parts.requestableEntries ?? null]
        : null,
  },
  // docs/service/more-kinds.md, section 10.
  writers: { every: ["Super Admin", "Access Request Admin"], own: [] },
  terraform: { type: "conductorone_access_profile", key: ["id"] },
  also: { refuses, change },
});

/**
 * A change narrows first, to what the profile gives both before and after, and widens only after that succeeded: DESIGN,
 * section 3b. Between two calls it never gives more than one of the two. The policies change where it gives the least.
 */
function change(work: KeyedWork, update: Update, shape: SpecShape): readonly Call[] {
  const { fields, before, after } = work;
  const [app = "", id = ""] = work.key;
  const has = (name: string) => fields.includes(name);
  const own = fields.filter((name) => !OF_PARTS.includes(name));
  const wide = own.filter((name) => widens(name, after));
  const set = (names: readonly string[]) => (names.length === 0 ? [] : [update({ ...work, fields: names })]);
  const listsOf = (name: string) => (has(name) ? [listOf(before, name), listOf(after, name)] : [[], []]);
  const [bound = [], binding = []] = listsOf("visibilityBindings");
  const [offered = [], offering = []] = listsOf("requestableEntries");
  const [removed, added] = [without(offered, offering), without(offering, offered)];
  const isMore = wide.length > 0 || added.length > 0 || has(ENROLLMENT);
  const rule = has("bundleAutomation") ? setAutomation(id, before, after, shape) : [];
  const stopped = { bundleAutomation: { ...inside(before, "bundleAutomation"), enabled: false } };
  const stops = isMore && has("bundleAutomation") && isRunning(before);
  const isOff = !isRunning(after);
  return [
    ...(isOff ? rule : []),
    ...(!isOff && stops ? setAutomation(id, before, stopped, shape) : []),
    ...removeBindings(id, without(bound, binding)),
    ...set(own.filter((name) => !wide.includes(name))),
    ...(removed.length > 0 ? [setEntries(id, without(offered, removed))] : []),
    ...(has(ENROLLMENT) ? [setEnrollment(app, id, after)] : []),
    ...(has("requestableEntries") && (added.length > 0 || removed.length === 0)
      ? [setEntries(id, offering)]
      : []),
    ...set(wide),
    ...addBindings(id, without(binding, bound)),
    ...(isOff ? [] : rule),
  ];
}

/** Whether the rule of a profile enrolls people. */
function isRunning(profile: JsonObject): boolean {
  return inside(profile, "bundleAutomation")?.enabled === true;
}

/** Whether more people can do more with the profile by what a field becomes. */
function widens(name: string, after: JsonObject): boolean {
  if (name === "enrollmentBehavior")
    return textOf(after, name).endsWith("_BYPASS_ENTITLEMENT_REQUEST_POLICY");
  return [...SHOWING, "requestBundle"].includes(name) && after[name] === true;
}

/** What the service refuses of a write, which a plan says before it is sent. */
function refuses(before: JsonObject | null, after: JsonObject): Objection | null {
  const wanted = listOf(after, "visibilityBindings");
  if (wanted.length > 0 && after.visibleToEveryone === true)
    return {
      field: "visibilityBindings",
      message: "a profile that everyone sees has no visibilityBindings",
      hint: "Write `visibleToEveryone: false`, or `visibilityBindings: []`.",
    };
  if (without(wanted, listOf(before ?? {}, "visibilityBindings")).length > 0 && after.published !== true)
    return {
      field: "visibilityBindings",
      message: "the service takes visibilityBindings only for a profile that is published",
      hint: "Write `published: true`.",
    };
  return null;
}

/** Sets the policies of a profile; what is not written is unset. */
function setEnrollment(app: Segment, id: Segment, after: JsonObject): Call {
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
function setEntries(id: Segment, entries: readonly Json[]): Call {
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
function addBindings(id: Segment, bindings: readonly Json[]): readonly Call[] {
  if (bindings.length === 0) return [];
  return [{ operation: "AddAccessProfileBindings", method: "POST", ...ofBindings(id, bindings) }];
}

/** Lets the holders of some entitlements no longer see the profile; nothing for none. */
function removeBindings(id: Segment, bindings: readonly Json[]): readonly Call[] {
  if (bindings.length === 0) return [];
  return [{ operation: "RemoveAccessProfileBindings", method: "DELETE", ...ofBindings(id, bindings) }];
}

/** Sets the automation as a whole, or deletes it where there was one and is none afterwards. */
function setAutomation(
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
  const percent = Number(body.removedMembersThresholdPercent ?? 0);
  return { ...rule, removedMembersThresholdPercent: Number.isSafeInteger(percent) ? percent : 0 };
}
