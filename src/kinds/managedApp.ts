import schema from "../../schemas/app.json" with { type: "json" };
import type { Call } from "../model/call.js";
import { isObject, type Json, type JsonObject, same } from "../model/json.js";
import type { SpecShape } from "../schema/shape.js";
import { OWN_APP } from "./app.js";
import type { Objection, Observed, PartWarning, Refusable } from "./kind.js";
import { appOpens } from "./openings.js";
import { leavesUnowned, ownersOf } from "./owners.js";
import type { KeyedWork, PartRow, Update } from "./row.js";
import { api, inside, mask, search, textOf, textsOf } from "./spelling.js";
import { kindFrom } from "./table.js";
import { asSent } from "./unnamed.js";

// docs/service/whole-tenant.md, section 3.
const DEFAULTS = "requestDefaults";
const CONTROLS = "usageControls";
const CONTROLLED = ["notify", "notifyAfterDays", "revoke", "revokeAfterDays"];
/** How the word for the service's last run over the entitlements begins. */
const LAST_RUN = "APP_ACCESS_REQUEST_DEFAULTS_LAST_APPLY_STATE_";
const NO_DATA = "no usage data";
/** What another system writes of an app that it makes. */
const WRITTEN = ["displayName", "description"];
const MADE_BY_SERVICE = { isConnected: true, connectorWrites: WRITTEN } as const;
const PARTS: readonly PartRow[] = [
  {
    as: "object",
    field: DEFAULTS,
    noun: "request defaults",
    operation: "GetAppRequestDefaults",
    at: "apps/{id}/access_request_defaults",
    expects: [],
    observe: (body) => (isObject(body) ? defaultsIn(body) : undefined),
    says: (body) => (isObject(body) ? textOf(body, "state").slice(LAST_RUN.length) : ""),
    none: null,
  },
  {
    as: "object",
    field: CONTROLS,
    noun: "usage controls",
    operation: "GetAppUsageControls",
    at: "apps/{id}/usage_controls",
    expects: ["appUsageControls"],
    observe: (body) => withoutSet(inside(body, "appUsageControls"), ["appId"]),
    says: (body) => (isObject(body) && body.hasUsageData === false ? NO_DATA : ""),
    none: null,
  },
];

/** An app with its request defaults and its usage controls; without an id only the state knows which one is meant. */
export const managedApp = kindFrom({
  name: "App",
  noun: ["app", "apps"],
  schema,
  at: "apps/{id}",
  replies: { read: "app", row: "" },
  sends: { update: "app" },
  afterCreate: ["appUserMapper"],
  // docs/service/whole-tenant.md, section 2.9: where neither an entitlement nor its app has a policy, requests fail.
  meanwhile: { as: "without", fields: ["grantPolicyId", "revokePolicyId", "certifyPolicyId", DEFAULTS] },
  parts: [...PARTS, ownersOf("App", "apps")],
  // docs/service/more-kinds.md, section 1: another system made these, and the service deletes none of them alone.
  madeByPeople: { connectorVersion: 0, parentAppId: "", isDirectory: false },
  connectorWrites: { fields: WRITTEN },
  found: [{ per: "tenant" }],
  isDeletedByEntry: true,
  // docs/service/whole-tenant.md, section 3.5.
  rewrites: {
    kind: "Entitlement",
    fields: [
      "grantPolicyId",
      "durationGrant",
      "emergencyGrantEnabled",
      "emergencyGrantPolicyId",
      "requestSchemaId",
    ],
    lock: "overrideAccessRequestsDefaults",
    field: DEFAULTS,
    isRunning,
    reached: ([id = ""], types) => search("entitlements", { appIds: [id], resourceTypeIds: [...types] }),
    around: "appEntitlement",
    gives(fields) {
      const {
        requestPolicyId = null,
        defaultsEnabled: _,
        resourceTypeIds: __,
        ...rest
      } = inside(fields, DEFAULTS) ?? {};
      return { ...rest, grantPolicyId: requestPolicyId };
    },
    types: (fields) => {
      const defaults = inside(fields, DEFAULTS);
      return defaults?.defaultsEnabled === true ? textsOf(defaults, "resourceTypeIds") : [];
    },
  },
  takesAlong: "app",
  writers: { every: ["Super Admin"], own: ["App Admin"] },
  terraform: { type: "conductorone_app", key: ["id"] },
  also: {
    refuses,
    warns,
    change,
    opens: (before, after) => [...appOpens(before, after), ...leavesUnowned(before, after)],
    says: ({ id }) => (id === OWN_APP.id ? MADE_BY_SERVICE : {}),
  },
});

/** Defaults narrow nothing and widen nothing by themselves, so each part is one call after the app's own fields. */
function change(work: KeyedWork, update: Update, shape: SpecShape): readonly Call[] {
  const { fields, after } = work;
  const [id = ""] = work.key;
  const own = fields.filter((name) => name !== DEFAULTS && name !== CONTROLS);
  const sent = (name: string) => {
    const value = asSent(after[name] ?? {}, shape.fields.get(name));
    return isObject(value) ? value : {};
  };
  const { durationGrant: duration = null, ...defaults } = sent(DEFAULTS);
  const part = (operation: string, place: string, body: JsonObject): Call => {
    return { operation, method: "POST", path: api("apps", id, place), body, effect: "repeatable" };
  };
  return [
    ...(own.length === 0 ? [] : [update({ ...work, fields: own })]),
    ...(fields.includes(CONTROLS)
      ? [
          part("SetAppUsageControls", "usage_controls", {
            appUsageControls: { ...NO_CONTROLS, ...sent(CONTROLS) },
            updateMask: mask(CONTROLLED),
          }),
        ]
      : []),
    ...(fields.includes(DEFAULTS)
      ? [
          part("SetAppRequestDefaults", "access_request_defaults", {
            ...defaults,
            ...(duration === null || duration === "" ? { durationUnset: {} } : { durationGrant: duration }),
          }),
        ]
      : []),
  ];
}

function isRunning({ [DEFAULTS]: run = "" }: NonNullable<Observed["partsSay"]>): boolean {
  return ["RUNNING", "CANCELING"].includes(run);
}

/** A run that was stopped, or could not be, wrote into some of the entitlements, as one that failed did. */
function warns(says: NonNullable<Observed["partsSay"]>, fields: JsonObject): readonly PartWarning[] {
  const { [DEFAULTS]: run = "", [CONTROLS]: data = "" } = says;
  const isOn = inside(fields, DEFAULTS)?.defaultsEnabled === true;
  const revokes = inside(fields, CONTROLS)?.revoke === true;
  return [
    ...(isOn && ["FAILED", "CANCEL_SUCCESS", "CANCEL_ERROR"].includes(run)
      ? (["plan/defaults-failed"] as const)
      : []),
    ...(isRunning(says) ? (["plan/defaults-running"] as const) : []),
    ...(revokes && data === NO_DATA ? (["plan/no-usage-data"] as const) : []),
  ];
}

const NO_CONTROLS = { notify: false, notifyAfterDays: 0, revoke: false, revokeAfterDays: 0 };

/** What the service refuses of its own app. */
function refuses(before: JsonObject | null, after: JsonObject, { key }: Refusable): Objection | null {
  if (key?.[0] !== OWN_APP.id) return null;
  const changed = ["displayName", DEFAULTS].find(
    (name) => !same(before?.[name] ?? null, after[name] ?? null),
  );
  if (changed === undefined) return null;
  return {
    field: changed,
    message: `the service does not change the ${changed} of its own app, ${OWN_APP.name}`,
    hint: `Remove \`${changed}\`.`,
  };
}

function defaultsIn(body: JsonObject): Json {
  const { durationUnset: _, ...rest } = body;
  return withoutSet(rest, ["appId", "state"]) ?? null;
}

/** A record without what the service sets; undefined where there is none. */
function withoutSet(record: JsonObject | undefined, names: readonly string[]): Json | undefined {
  if (record === undefined) return undefined;
  const isOwn = (name: string) =>
    !names.includes(name) && (textOf(record, name) === "" || !name.endsWith("At"));
  return Object.fromEntries(Object.entries(record).filter(([name]) => isOwn(name)));
}
