import schema from "../../schemas/entitlement.json" with { type: "json" };
import type { Call } from "../model/call.js";
import { type Json, type JsonObject, same } from "../model/json.js";
import { outlineSpec } from "../schema/outline.js";
import { listEntitlements } from "./entitlement.js";
import type { Kind, Observed } from "./kind.js";
import { normalise } from "./normalise.js";
import { notCompared } from "./notCompared.js";
import { api, inside, isGone, mask, pick, textOf, timesOf } from "./spelling.js";

const shape = outlineSpec(schema);
const MADE_WITH = ["appResourceTypeId", "appResourceId"];
const FIELDS = [...shape.fields.keys()].filter((name) => !["appId", "id", ...MADE_WITH].includes(name));
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
  key: ({ appId, id }) => (typeof appId === "string" && typeof id === "string" ? [appId, id] : null),
  matches,
  namesRepeat: true,
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
    gaps: [],
  },
  // docs/service/more-kinds.md, section 10; docs/service/live-reads.md, section H.
  writers: { every: ["Super Admin"], own: ["App Admin"] },
  terraform: { type: "conductorone_custom_app_entitlement", key: ["app_id", "id"], unseen: {} },
  calls: ({ verb, key, identity, after, fields }): readonly Call[] => {
    const [app = "", id = ""] = key ?? [textOf(identity, "appId")];
    if (verb === "create") {
      const body = { ...pick(identity, MADE_WITH), ...pick(after, FIELDS) };
      const path = api("apps", app, "entitlements");
      return [{ method: "POST", path, body, effect: "once", expects: ["appEntitlementView"] }];
    }
    const path = api("apps", app, "entitlements", id);
    if (verb === "delete") return [{ method: "DELETE", path, body: {}, effect: "repeatable" }];
    const duration = durationOf(after);
    const sent = fields.filter((name) => name !== "durationGrant");
    const masked = sent.length === fields.length ? sent : [...sent, duration];
    const entitlement = {
      ...pick(CLEARED, sent),
      ...pick(after, sent),
      // docs/service/more-kinds.md, section 3: an update has exactly one of the two.
      [duration]: duration === "durationGrant" ? (after.durationGrant ?? "") : {},
    };
    const body = { entitlement, updateMask: mask(masked) };
    return [{ method: "POST", path, body, effect: "repeatable", expects: ["appEntitlementView"] }];
  },
  answer: (_, replies) => entitlementIn(inside(replies.at(-1) ?? null, "appEntitlementView") ?? null),
} as const satisfies Kind;

/** An alias is unique in the tenant; a name is looked for among the entitlements of the same resource. */
function matches(spec: JsonObject, { fields, madeWith = fields }: Observed): boolean {
  const { alias, displayName } = spec;
  if (typeof alias === "string" && alias !== "" && fields.alias === alias) return true;
  return (
    typeof displayName === "string" &&
    fields.displayName === displayName &&
    same(spec.appResourceId ?? null, madeWith.appResourceId ?? null)
  );
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
    fields: normalise(pick(record, FIELDS), shape),
    madeWith: pick(record, MADE_WITH),
    ...(isCustom ? {} : { isConnected: true as const }),
    ...timesOf(record),
    ...notCompared([record], (name) => !shape.fields.has(name)),
  };
}
