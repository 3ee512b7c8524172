import schema from "../../schemas/policy.json" with { type: "json" };
import { isObject, type Json, type JsonObject, same } from "../model/json.js";
import { configurationRules } from "./configurationRules.js";
import { searchEntitlementsBy } from "./holdings.js";
import type { Objection, Refusable } from "./kind.js";
import { policyMistakes, WORDS } from "./policyMistakes.js";
import { api, get, search, textOf } from "./spelling.js";
import { kindFrom } from "./table.js";

/** Who approves requests, removals and lines of reviews; without an id only the state knows which policy is meant. */
export const policy = kindFrom({
  name: "Policy",
  noun: ["policy", "policies"],
  schema,
  at: "policies/{id}",
  replies: { read: "policy", row: "" },
  sends: { update: "policy" },
  listed: () => searchPolicies({}),
  madeWith: ["policyType", "scope"],
  meanwhile: {
    as: "refusing",
    fields: ["policySteps", "rules", "baselinePolicyId", "postActions"],
    with: ({ policyType }) => ({
      policySteps: { [WORDS[String(policyType)] ?? ""]: { steps: [{ reject: {} }] } },
    }),
  },
  found: [{ per: "tenant" }],
  isDeletedByEntry: true,
  dependents: [
    { of: "policy", by: "Policy", around: "", call: () => searchPolicies({}), names: mentions },
    { of: "app", by: "App", around: "", call: ([id = ""]) => search("apps", { policyRefs: [{ id }] }) },
    {
      of: "entitlement",
      by: "Entitlement",
      around: "appEntitlement",
      call: ([id = ""]) => searchEntitlementsBy(id),
    },
  ],
  dependentsInApps: [
    {
      noun: "the configuration rules",
      by: configurationRules.name,
      call: (app) => configurationRules.reads.one([app]),
      isList: true,
      names: mentions,
    },
    {
      noun: "the request defaults",
      by: "App",
      call: (app) => get("GetAppRequestDefaults", api("apps", app, "access_request_defaults"), []),
      names: mentions,
    },
  ],
  gaps: [
    {
      misses: "fields",
      message: "Steps of the forms `form`, `provision` and `action` have no fields in a manifest.",
      hint: "Change such a policy in the browser.",
    },
  ],
  writers: { every: ["Super Admin"], own: [] },
  terraform: { type: "conductorone_policy", key: ["id"] },
  also: {
    shown,
    says: ({ systemBuiltin }) => (systemBuiltin === true ? { isConnected: true } : {}),
    isBuiltIn: ({ isConnected }) => isConnected === true,
    refuses,
    mistakes: policyMistakes,
    firstRule: { by: "steps" },
  },
});

/** The service changes nothing of a policy that it made but its post actions. docs/service/whole-tenant.md, section 1.8. */
function refuses(before: JsonObject | null, after: JsonObject, { isConnected }: Refusable): Objection | null {
  if (isConnected !== true) return null;
  const changed = Object.keys({ ...before, ...after }).find(
    (name) => name !== "postActions" && !same(before?.[name] ?? null, after[name] ?? null),
  );
  if (changed === undefined) return null;
  return {
    field: changed,
    message: `the service does not change the ${changed} of a policy that it made itself`,
    hint: `Leave \`${changed}\` as the service has it. Only \`postActions\` can be set.`,
  };
}

/** The search for policies, those of one app or entitlement included, which it leaves out unasked. */
export function searchPolicies(filter: JsonObject) {
  // docs/service/more-kinds.md, section 6: a local policy with the same name stays unseen without the view.
  return search("policies", { ...filter, scopeView: "POLICY_SCOPE_VIEW_ALL" });
}

/** Whether a policy names another one, in whatever member. */
function mentions({ id, ...rest }: JsonObject, [other]: readonly string[]): boolean {
  const has = (value: Json): boolean =>
    isObject(value) || Array.isArray(value) ? Object.values(value).some(has) : value === other;
  return id !== other && has(rest);
}

/** What only the service sets: a write that has `assigned` fails. */
const SET_BY_SERVICE: ReadonlySet<string> = new Set([
  "assigned",
  "assignedUserIds",
  "agentUserId",
  "policyKey",
]);

function shown(fields: JsonObject): JsonObject {
  const rules = Array.isArray(fields.rules)
    ? fields.rules.map((rule) => (isObject(rule) ? withKey(rule) : rule))
    : [];
  const plain = withoutSet({ ...fields, rules });
  return isObject(plain) ? plain : {};
}

// An old policy shows the name of its steps as `policyKey` alone.
function withKey(rule: JsonObject): JsonObject {
  return { ...rule, stepKey: textOf(rule, "stepKey") || textOf(rule, "policyKey") };
}

function withoutSet(value: Json): Json {
  if (Array.isArray(value)) return value.map(withoutSet);
  if (!isObject(value)) return value;
  const kept = Object.entries(value).filter(([name]) => !SET_BY_SERVICE.has(name));
  return Object.fromEntries(kept.map(([name, member]) => [name, withoutSet(member)]));
}
