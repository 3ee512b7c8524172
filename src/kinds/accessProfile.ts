import schema from "../../schemas/access-profile.json" with { type: "json" };
import type { Call, Segment } from "../model/call.js";
import { isObject, type Json, type JsonObject, same } from "../model/json.js";
import { outlineSpec } from "../schema/outline.js";
import {
  addBindings,
  ENROLLMENT,
  PARTS,
  removeBindings,
  setAutomation,
  setEnrollment,
  setEntries,
} from "./accessProfileParts.js";
import { madeForApp, ownApp } from "./app.js";
import type { Kind, Objection, Observed, Work } from "./kind.js";
import type { Named } from "./named.js";
import { normalise } from "./normalise.js";
import { notCompared } from "./notCompared.js";
import { api, hasSameName, inside, isGone, keyBy, listOf, mask, pick, textOf, timesOf } from "./spelling.js";

const shape = outlineSpec(schema);
const VIEW = ["requestCatalogView"];
const ID: Segment = { reply: [...VIEW, "requestCatalog", "id"] };
const OF_PARTS = PARTS.map(({ field }) => field);
const OWN = [...shape.fields.keys()].filter((name) => !["appId", "id", ...OF_PARTS].includes(name));
// docs/service/more-kinds.md, section 4: a profile is made unpublished, and is seen by people last.
const SHOWING = ["published", "visibleToEveryone"];
const CLEARED: JsonObject = {
  description: "",
  published: false,
  visibleToEveryone: false,
  requestBundle: false,
  enrollmentBehavior: "REQUEST_CATALOG_ENROLLMENT_BEHAVIOR_UNSPECIFIED",
  unenrollmentBehavior: "REQUEST_CATALOG_UNENROLLMENT_BEHAVIOR_UNSPECIFIED",
  unenrollmentEntitlementBehavior: "REQUEST_CATALOG_UNENROLLMENT_ENTITLEMENT_BEHAVIOR_UNSPECIFIED",
};

/** An access profile with its parts, which the service calls a request catalog; without an id only the state knows which one is meant. */
export const accessProfile = {
  name: "AccessProfile",
  noun: { one: "access profile", many: "access profiles" },
  schema,
  shape,
  verbs: { core: [], full: ["create", "update", "delete"] },
  isPointedAt: true,
  isMasked: true,
  holdsOthers: true,
  rank: 6,
  // docs/service/more-kinds.md, section 4.
  holds: { kind: "Entitlement", noun: "enrollment entitlement" },
  key: keyBy(shape),
  matches: hasSameName,
  namesRepeat: true,
  // Its enrollment entitlement is there: docs/service/more-kinds.md, section 4.
  isOwnAppOnly: true,
  followsCreate: [...SHOWING, ...OF_PARTS],
  refuses,
  reads: {
    one: ([, id = ""]) => accessProfileCall(id),
    observe: (body, [app = ""]) => profileIn(inside(body, "requestCatalogView") ?? null, app),
    parts: PARTS,
    list: { of: listAccessProfiles, row: (row, [app = ""]) => profileIn(row, app) },
  },
  // docs/service/more-kinds.md, section 4: the enrollment entitlement has the id of the profile.
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
  inventory: {
    trails: [
      {
        noun: "access profiles",
        per: "app",
        ofOne: ownApp,
        on: ["full"],
        call: listAccessProfiles,
        keys: (row, app) => [profileIn(row, app)?.key ?? []].filter((key) => key.length > 0),
        shows: "the key",
        madeForApp,
        isRequired: true,
      },
    ],
    gaps: [],
  },
  // docs/service/more-kinds.md, section 10.
  writers: { every: ["Super Admin", "Access Request Admin"], own: [] },
  terraform: { type: "conductorone_access_profile", key: ["id"], unseen: {} },
  calls: (work): readonly Call[] => {
    const [, id = ""] = work.key ?? [];
    if (work.verb === "create") return creation(work);
    if (work.verb === "delete")
      return [{ method: "DELETE", path: api("catalogs", id), body: {}, effect: "repeatable" }];
    return change(id, work.key?.[0] ?? "", work.fields, work.before ?? {}, work.after);
  },
  // It shows the profile without its parts, which are read.
  answer: ({ key, identity }, replies) => {
    const app = key?.[0] ?? textOf(identity, "appId");
    const shown = replies.flatMap((reply) => inside(reply, "requestCatalogView") ?? []);
    return profileIn(shown.at(-1) ?? null, app);
  },
} as const satisfies Kind;

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

/** The call that reads one access profile. */
export function accessProfileCall(id: string): Call {
  return { method: "GET", path: api("catalogs", id), effect: "read", expects: VIEW };
}

/** What that call's reply shows; undefined when the access profile is deleted. */
export function accessProfileIn(body: Json): Named | undefined {
  const view = inside(body, "requestCatalogView");
  return view === undefined ? undefined : readAccessProfile(view);
}

function creation({ identity, after }: Work): readonly Call[] {
  const sent = OWN.filter((name) => !SHOWING.includes(name));
  const create: Call = {
    method: "POST",
    path: api("catalogs"),
    body: { ...pick(after, sent), published: false },
    effect: "once",
    expects: VIEW,
  };
  const isSet = (name: string) => !isUnset(after[name]);
  const rest = [...SHOWING, ...OF_PARTS].filter(isSet);
  return [create, ...change(ID, textOf(identity, "appId"), rest, {}, after)];
}

/**
 * A change narrows first, to what the profile gives both before and after, and widens only after that succeeded: DESIGN,
 * section 3b. Between two calls it never gives more than one of the two. The policies change where it gives the least.
 */
function change(
  id: Segment,
  app: string,
  fields: readonly string[],
  before: JsonObject,
  after: JsonObject,
): readonly Call[] {
  const has = (name: string) => fields.includes(name);
  const own = fields.filter((name) => OWN.includes(name));
  const wide = own.filter((name) => widens(name, after));
  const listsOf = (name: string) => (has(name) ? [listOf(before, name), listOf(after, name)] : [[], []]);
  const [bound = [], binding = []] = listsOf("visibilityBindings");
  const [offered = [], offering = []] = listsOf("requestableEntries");
  const [removed, added] = [without(offered, offering), without(offering, offered)];
  const isMore = wide.length > 0 || added.length > 0 || has(ENROLLMENT);
  const rule = has("bundleAutomation") ? setAutomation(id, before, after, shape) : [];
  const isOff = !isRunning(after);
  return [
    ...(isOff ? rule : []),
    ...(!isOff && isMore && has("bundleAutomation") && isRunning(before)
      ? setAutomation(
          id,
          before,
          { bundleAutomation: { ...inside(before, "bundleAutomation"), enabled: false } },
          shape,
        )
      : []),
    ...removeBindings(id, without(bound, binding)),
    ...update(
      id,
      own.filter((name) => !wide.includes(name)),
      after,
    ),
    ...(removed.length > 0 ? [setEntries(id, without(offered, removed))] : []),
    ...(has(ENROLLMENT) ? [setEnrollment(app, id, after)] : []),
    ...(has("requestableEntries") && (added.length > 0 || removed.length === 0)
      ? [setEntries(id, offering)]
      : []),
    ...update(id, wide, after),
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

function update(id: Segment, fields: readonly string[], after: JsonObject): readonly Call[] {
  if (fields.length === 0) return [];
  const body = { catalog: { ...pick(CLEARED, fields), ...pick(after, fields) }, updateMask: mask(fields) };
  return [{ method: "POST", path: api("catalogs", id), body, effect: "repeatable", expects: VIEW }];
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

function without(some: readonly Json[], others: readonly Json[]): readonly Json[] {
  return some.filter((one) => !others.some((other) => same(one, other)));
}

function isUnset(value: Json | undefined): boolean {
  if (value === undefined || value === null || value === false) return true;
  return Array.isArray(value) ? value.length === 0 : isObject(value) && Object.keys(value).length === 0;
}

function profileIn(view: Json, app: string): Observed | undefined {
  const record = inside(view, "requestCatalog");
  const id = record === undefined ? "" : textOf(record, "id");
  if (record === undefined || id === "" || isGone(record)) return undefined;
  return {
    key: [app, id],
    fields: normalise(pick(record, OWN), shape),
    ...timesOf(record),
    ...notCompared([record], (name) => !shape.fields.has(name) && name !== "accessEntitlements"),
  };
}
