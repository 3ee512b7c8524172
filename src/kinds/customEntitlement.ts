import schema from "../../schemas/entitlement.json" with { type: "json" };
import { isObject, type Json, type JsonObject, same } from "../model/json.js";
import { OWN_APP } from "./app.js";
import type { Objection, Observed, Refusable } from "./kind.js";
import { emergency, opensEmergency } from "./openings.js";
import { leavesUnowned, ownersOf } from "./owners.js";
import { hasSameName, search, textOf } from "./spelling.js";
import { kindFrom } from "./table.js";

/** The id of the entitlement that every app has. docs/service/more-kinds.md, section 3.3. */
const ACCESS = "287oY0rG4UirjDNFEYguMBvxyim";
const POLICIES = ["provisionPolicy", "deprovisionerPolicy"];

/** An entitlement: a custom one, or the settings of one that a connector makes. Without an id only the state knows which one is meant. */
export const customEntitlement = kindFrom({
  name: "Entitlement",
  noun: ["entitlement", "entitlements"],
  schema,
  at: "apps/{appId}/entitlements/{id}",
  replies: { read: "appEntitlementView.appEntitlement", row: "appEntitlement" },
  sends: { update: "entitlement" },
  cleared: { provisionPolicy: { unconfigured: {} }, deprovisionerPolicy: { unconfigured: {} } },
  renamed: { provisionPolicy: "provisionerPolicy" },
  parts: [ownersOf("Entitlement", "apps", "entitlements")],
  madeWith: ["appResourceTypeId", "appResourceId"],
  afterCreate: ["deprovisionerPolicy"],
  // docs/service/more-kinds.md, section 3: an update has exactly one of the two.
  oneOf: { durationGrant: "durationUnset" },
  beside: ["overrideAccessRequestsDefaults"],
  madeByPeople: { isManuallyManaged: true, systemBuiltin: false },
  // docs/service/more-kinds.md, section 3: a sync rewrites them, but for those that a person edited.
  connectorWrites: {
    fields: ["displayName", "description", "alias", "slug", "purpose"],
    butFor: "userEditedMask",
  },
  found: [{ per: "tenant", call: () => search("entitlements", {}) }],
  takesAlong: "entitlement",
  // docs/service/more-kinds.md, section 10; docs/service/live-reads.md, section H.
  writers: { every: ["Super Admin"], own: ["App Admin"] },
  terraform: {
    type: "conductorone_custom_app_entitlement",
    or: ["conductorone_app_entitlement"],
    key: ["app_id", "id"],
  },
  also: {
    matches,
    refuses,
    opens: (before, after) => [
      ...(opensEmergency(before ?? undefined, after)
        ? [emergency("emergencyGrantEnabled would be true")]
        : []),
      ...leavesUnowned(before, after),
    ],
    resourceOf: ({ madeWith = {} }) => textOf(madeWith, "appResourceId"),
    shown: (fields) => withPolicies(fields, policyIn),
    sent: (fields) => withPolicies(fields, sentPolicy),
  },
});

/** An alias is unique in the tenant; a name is looked for among the entitlements of the same resource. */
function matches(spec: JsonObject, observed: Observed): boolean {
  const { alias } = spec;
  const { fields, madeWith = fields } = observed;
  if (typeof alias === "string" && alias !== "" && fields.alias === alias) return true;
  return hasSameName(spec, observed) && same(spec.appResourceId ?? null, madeWith.appResourceId ?? null);
}

/** What the service fixes of entitlements that it makes itself. docs/service/whole-tenant.md, section 2.5. */
function refuses(
  before: JsonObject | null,
  after: JsonObject,
  { key, isConnected }: Refusable,
): Objection | null {
  const [app, id] = key ?? [];
  const changed = (names: readonly string[]) =>
    names.find((name) => !same(before?.[name] ?? null, after[name] ?? null));
  const fixed = id === ACCESS ? changed(["displayName", "slug"]) : undefined;
  if (fixed !== undefined)
    return {
      field: fixed,
      message: `the service does not change the ${fixed} of an Access entitlement`,
      hint: `Remove \`${fixed}\`. Everything else of the entitlement can be set.`,
    };
  const provided = app === OWN_APP.id && isConnected === true ? changed(POLICIES) : undefined;
  return provided === undefined
    ? null
    : {
        field: provided,
        message: `the service itself provides what it made in its own app, ${OWN_APP.name}`,
        hint: `Remove \`${provided}\`.`,
      };
}

function withPolicies(fields: JsonObject, spell: (policy: JsonObject) => Json): JsonObject {
  const policies = POLICIES.flatMap((name) => {
    const policy = fields[name] ?? null;
    return isObject(policy) ? [[name, spell(policy)] as const] : [];
  });
  return { ...fields, ...Object.fromEntries(policies) };
}

/** A policy as a manifest writes it. What was never configured reads back as such a choice. */
function policyIn(policy: JsonObject): Json {
  if (isObject(policy.unconfigured ?? null)) return null;
  const { delegated = null, ...others } = policy;
  if (!isObject(delegated)) return policy;
  const { implicit, ...rest } = delegated;
  // Without it the policy rests on a binding that remit neither sees nor makes: a choice that has no name here.
  return implicit === true ? { ...others, delegated: rest } : { ...others, delegatedByBinding: delegated };
}

/** A policy as the service takes it: without `implicit`, a delegation needs a binding of its own. */
function sentPolicy(policy: JsonObject): Json {
  const { delegated = null } = policy;
  return isObject(delegated) ? { ...policy, delegated: { ...delegated, implicit: true } } : policy;
}
