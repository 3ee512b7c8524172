import schema from "../../schemas/entitlement.json" with { type: "json" };
import type { Call, Segment } from "../model/call.js";
import { isObject, type Json, type JsonObject, same } from "../model/json.js";
import { outlineSpec } from "../schema/outline.js";
import { listEntitlements } from "./entitlement.js";
import type { Kind, Observed } from "./kind.js";
import { normalise } from "./normalise.js";
import { notCompared } from "./notCompared.js";
import { ownersSent, unshownOwners } from "./owners.js";
import { api, hasSameName, inside, isGone, keyBy, mask, pick, textOf, timesOf } from "./spelling.js";

const shape = outlineSpec(schema);
const MADE_WITH = ["appResourceTypeId", "appResourceId"];
const FIXED = [...shape.identity, ...shape.createOnly];
const FIELDS = [...shape.fields.keys()].filter((name) => !FIXED.includes(name));
const VIEW = ["appEntitlementView"];
/** What an entitlement and an update call a field that a create calls otherwise. */
const SHOWN_AS = { provisionPolicy: "provisionerPolicy" } as const;
const CLEARED: JsonObject = {
  description: "",
  alias: "",
  slug: "",
  purpose: "APP_ENTITLEMENT_PURPOSE_VALUE_UNSPECIFIED",
  grantPolicyId: "",
  revokePolicyId: "",
  certifyPolicyId: "",
  emergencyGrantEnabled: false,
  emergencyGrantPolicyId: "",
  riskLevelValueId: "",
  complianceFrameworkValueIds: [],
  provisionPolicy: { unconfigured: {} },
  deprovisionerPolicy: { unconfigured: {} },
  overrideAccessRequestsDefaults: false,
};

/** A custom entitlement; without an id only the state knows which one is meant. */
export const customEntitlement = {
  name: "Entitlement",
  noun: { one: "entitlement", many: "entitlements" },
  schema,
  shape,
  verbs: { core: [], full: ["create", "update", "delete"] },
  isPointedAt: true,
  isMasked: true,
  holdsOthers: true,
  rank: 3,
  key: keyBy(shape),
  matches,
  namesRepeat: true,
  followsCreate: ["deprovisionerPolicy"],
  resourceOf: ({ madeWith = {} }) => textOf(madeWith, "appResourceId"),
  reads: {
    one: ([app = "", id = ""]) => ({
      method: "GET",
      path: api("apps", app, "entitlements", id),
      effect: "read",
      expects: ["appEntitlementView"],
    }),
    observe: (body) => entitlementIn(inside(body, "appEntitlementView") ?? null),
    list: { of: ([app = ""]) => listEntitlements(app), row: (row) => entitlementIn(row) },
  },
  concern: { as: "holdings", of: ([appId = "", id = ""]) => ({ as: "entitlement", appId, id }) },
  inventory: {
    trails: [
      {
        noun: "entitlements",
        per: "tenant",
        on: ["full"],
        call: () => ({
          method: "POST",
          path: api("search", "entitlements"),
          body: {},
          effect: "read",
          expects: ["list"],
        }),
        keys: (row) => [entitlementIn(row)?.key ?? []].filter((key) => key.length > 0),
        shows: "the object",
        isRequired: true,
      },
    ],
    gaps: [unshownOwners("entitlement")],
  },
  // docs/service/more-kinds.md, section 10; docs/service/live-reads.md, section H.
  writers: { every: ["Super Admin"], own: ["App Admin"] },
  terraform: { type: "conductorone_custom_app_entitlement", key: ["app_id", "id"], unseen: {} },
  calls: ({ verb, key, identity, after, fields }): readonly Call[] => {
    const [app = "", id = ""] = key ?? [textOf(identity, "appId")];
    if (verb === "create") {
      const { deprovisionerPolicy, ...sent } = { ...pick(after, FIELDS), ...sentPolicies(after) };
      const owners = ownersSent(identity, "appEntitlementOwnerIds");
      const body = { ...pick(identity, MADE_WITH), ...sent, ...owners };
      const path = api("apps", app, "entitlements");
      const create = { method: "POST", path, body, effect: "once", expects: VIEW } as const;
      // A create does not take it, so it follows in an update of what was just made.
      return deprovisionerPolicy === undefined
        ? [create]
        : [create, update(app, { reply: [...VIEW, "appEntitlement", "id"] }, after, ["deprovisionerPolicy"])];
    }
    if (verb === "delete")
      return [
        { method: "DELETE", path: api("apps", app, "entitlements", id), body: {}, effect: "repeatable" },
      ];
    return [update(app, id, after, fields)];
  },
  answer: (_, replies) => entitlementIn(inside(replies.at(-1) ?? null, "appEntitlementView") ?? null),
} as const satisfies Kind;

/** An alias is unique in the tenant; a name is looked for among the entitlements of the same resource. */
function matches(spec: JsonObject, observed: Observed): boolean {
  const { alias } = spec;
  const { fields, madeWith = fields } = observed;
  if (typeof alias === "string" && alias !== "" && fields.alias === alias) return true;
  return hasSameName(spec, observed) && same(spec.appResourceId ?? null, madeWith.appResourceId ?? null);
}

function update(app: string, id: Segment, after: JsonObject, fields: readonly string[]): Call {
  const duration = durationOf(after);
  const sent = fields.filter((name) => name !== "durationGrant");
  const masked = sent.length === fields.length ? sent : [...sent, duration];
  const { provisionPolicy, ...values } = {
    ...pick(CLEARED, sent),
    ...pick(after, sent),
    ...pick(sentPolicies(after), sent),
  };
  const entitlement = {
    ...values,
    ...(provisionPolicy === undefined ? {} : { [SHOWN_AS.provisionPolicy]: provisionPolicy }),
    // docs/service/more-kinds.md, section 3: an update has exactly one of the two.
    [duration]: duration === "durationGrant" ? (after.durationGrant ?? "") : {},
  };
  const { overrideAccessRequestsDefaults: override } = values;
  const body = {
    entitlement,
    updateMask: mask(masked.map((name) => (name === "provisionPolicy" ? SHOWN_AS.provisionPolicy : name))),
    ...(override === undefined ? {} : { overrideAccessRequestsDefaults: override }),
  };
  return {
    method: "POST",
    path: api("apps", app, "entitlements", id),
    body,
    effect: "repeatable",
    expects: VIEW,
  };
}

function durationOf(after: JsonObject): string {
  return typeof after.durationGrant === "string" && after.durationGrant !== ""
    ? "durationGrant"
    : "durationUnset";
}

function entitlementIn(body: Json): Observed | undefined {
  const record = inside(body, "appEntitlement");
  if (record === undefined || isGone(record)) return undefined;
  const key = [textOf(record, "appId"), textOf(record, "id")];
  if (key.includes("")) return undefined;
  const isCustom = record.isManuallyManaged === true && record.systemBuiltin !== true;
  return {
    key,
    fields: normalise(fieldsIn(record), shape),
    madeWith: pick(record, MADE_WITH),
    ...(isCustom ? {} : { isConnected: true as const }),
    ...timesOf(record),
    ...notCompared([record], (name) => !shape.fields.has(name) && name !== SHOWN_AS.provisionPolicy),
  };
}

function fieldsIn(record: JsonObject): JsonObject {
  return {
    ...pick(record, FIELDS),
    provisionPolicy: policyIn(record[SHOWN_AS.provisionPolicy]),
    deprovisionerPolicy: policyIn(record.deprovisionerPolicy),
  };
}

/** A policy as a manifest writes it. What was never configured reads back as such a choice. */
function policyIn(policy: Json | undefined): Json {
  if (!isObject(policy) || isObject(policy.unconfigured)) return null;
  const { delegated, ...others } = policy;
  if (!isObject(delegated)) return policy;
  const { implicit, ...rest } = delegated;
  // Without it the policy rests on a binding that remit neither sees nor makes: a choice that has no name here.
  return implicit === true ? { ...others, delegated: rest } : { ...others, delegatedByBinding: delegated };
}

/** The policies of some fields as the service takes them: without `implicit`, a delegation needs a binding of its own. */
function sentPolicies(fields: JsonObject): JsonObject {
  const policies = POLICIES.flatMap((name): readonly (readonly [string, Json])[] => {
    const policy = fields[name];
    if (!isObject(policy) || !isObject(policy.delegated)) return [];
    return [[name, { ...policy, delegated: { ...policy.delegated, implicit: true } }]];
  });
  return Object.fromEntries(policies);
}

const POLICIES = ["provisionPolicy", "deprovisionerPolicy"];
