import schema from "../../schemas/policy.json" with { type: "json" };
import { isObject, type Json, type JsonObject } from "../model/json.js";
import type { Path } from "../model/path.js";
import { isSet } from "../schema/groups.js";
import type { ValueDiagnostic } from "../schema/shape.js";
import { say } from "../words/say.js";
import { configurationRules } from "./configurationRules.js";
import { searchEntitlementsBy } from "./holdings.js";
import { BY_SERVICE } from "./owners.js";
import { WORDS, waysThrough } from "./policyWays.js";
import { api, get, inside, listOf, search, textOf } from "./spelling.js";
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
    says: ({ systemBuiltin }) => (systemBuiltin === true ? { managedBy: BY_SERVICE } : {}),
    mistakes: policyMistakes,
    waysThrough,
  },
});

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

// Everything here is what the service does with input. docs/service/whole-tenant.md, section 1.6.

const WITHOUT_FALLBACK = ["users", "appOwners", "webhook", "agent"];
const STEPS = ["accept", "reject", "approval", "wait"];
const ARMS = [
  ...["users", "manager", "appOwners", "group", "self", "entitlementOwners", "resourceOwners"],
  ...["expression", "webhook", "agent"],
];
const ENDS = ["replacePolicy", "reassignToApprovers", "cancelTicket", "skipStep"];
const UNTIL = ["condition", "duration", "untilTime"];

/** What the service refuses of a policy, or takes and silently makes something else of: each at its place. */
function policyMistakes(spec: JsonObject): readonly ValueDiagnostic[] {
  const word = WORDS[textOf(spec, "policyType")];
  if (word === undefined) return [];
  const named = inside(spec, "policySteps") ?? {};
  const rules = listOf(spec, "rules").filter(isObject);
  return [
    ...baselineMistakes(spec, word, named),
    ...rules.flatMap((rule, place) => ruleMistakes(rule, ["rules", place], rules.slice(0, place), named)),
    ...deadSteps(word, named, rules),
    ...Object.entries(named).flatMap(([name, value]) =>
      stepsMistakes(value, ["policySteps", name], word, spec),
    ),
    ...(word !== "certify" && listOf(spec, "postActions").length > 0
      ? [say("policy/post-actions", {}, at(["postActions"]))]
      : []),
  ];
}

function at(path: Path) {
  return { path: ["spec", ...path], on: "value" } as const;
}

function baselineMistakes(spec: JsonObject, word: string, named: JsonObject): readonly ValueDiagnostic[] {
  const hasOther = isSet(spec.baselinePolicyId);
  if (isSet(named[word]))
    return hasOther ? [say("policy/two-baselines", { word }, at(["baselinePolicyId"]))] : [];
  // A manifest without the field leaves what the tenant has.
  if (hasOther || (spec.policySteps === undefined && spec.id !== undefined)) return [];
  const meant = Object.keys(named).find((name) => isOfType(name, word) || name === "default");
  const path = meant === undefined ? ["policySteps"] : ["policySteps", meant];
  return [
    meant === undefined
      ? say("policy/no-baseline#none", { word }, at(path))
      : say("policy/no-baseline#meant", { word, meant }, at(path)),
  ];
}

function ruleMistakes(
  rule: JsonObject,
  path: Path,
  earlier: readonly JsonObject[],
  named: JsonObject,
): readonly ValueDiagnostic[] {
  const [key, other] = [rule.stepKey, rule.policyId];
  if (isSet(key) === isSet(other))
    return [say(isSet(key) ? "policy/outcome#two" : "policy/outcome#none", {}, at(path))];
  const isReached = !earlier.some(({ condition }) => String(condition).trim() === "true");
  return [
    ...(isReached ? [] : [say("policy/unreached-rule", {}, at(path))]),
    ...(typeof key === "string" && !isSet(named[key])
      ? [say("policy/no-such-steps", { name: key }, at([...path, "stepKey"]))]
      : []),
  ];
}

/** Steps that neither a rule nor the type names: the service keeps them, and nothing ever uses them. */
function deadSteps(
  word: string,
  named: JsonObject,
  rules: readonly JsonObject[],
): readonly ValueDiagnostic[] {
  const used = new Set([word, "default", ...rules.map(({ stepKey }) => stepKey)]);
  return Object.keys(named)
    .filter((name) => !used.has(name) && !isOfType(name, word))
    .map((name) => say("policy/dead-steps", { name }, at(["policySteps", name])));
}

function stepsMistakes(value: Json, path: Path, word: string, spec: JsonObject): readonly ValueDiagnostic[] {
  if (!isObject(value)) return [];
  const steps = listOf(value, "steps");
  if (steps.length === 0) return [say("policy/no-steps", {}, at(path))];
  return steps.flatMap((step, place) => {
    const here = [...path, "steps", place];
    if (!isObject(step)) return [];
    if (chosen(step, STEPS) === undefined) return [say("policy/empty-step", {}, at(here))];
    const [wait, approval] = [inside(step, "wait"), inside(step, "approval")];
    if (wait !== undefined && chosen(wait, UNTIL) === undefined)
      return [say("policy/wait-for-nothing", {}, at([...here, "wait"]))];
    return approval === undefined ? [] : approvalMistakes(approval, [...here, "approval"], word, spec);
  });
}

function approvalMistakes(
  approval: JsonObject,
  path: Path,
  word: string,
  spec: JsonObject,
): readonly ValueDiagnostic[] {
  const arm = chosen(approval, ARMS);
  if (arm === undefined) return [say("policy/no-approver", {}, at(path))];
  const asked = inside(approval, arm) ?? {};
  return [
    ...fallbackMistakes(arm, asked, [...path, arm]),
    ...(arm === "users" && (listOf(asked, "userIds").length === 0 || listOf(asked, "userIds").length > 32)
      ? [say("policy/users", {}, at([...path, arm]))]
      : []),
    ...(arm === "agent" ? agentMistakes(asked, [...path, arm], word, spec) : []),
    ...escalationMistakes(approval, path),
  ];
}

function fallbackMistakes(arm: string, asked: JsonObject, path: Path): readonly ValueDiagnostic[] {
  if (WITHOUT_FALLBACK.includes(arm) || asked.fallback !== true) return [];
  const list = asked.isGroupFallbackEnabled === true ? "fallbackGroupIds" : "fallbackUserIds";
  return listOf(asked, list).length > 0
    ? []
    : [say("policy/empty-fallback", { list }, at([...path, "fallback"]))];
}

function agentMistakes(
  agent: JsonObject,
  path: Path,
  word: string,
  spec: JsonObject,
): readonly ValueDiagnostic[] {
  const mode = textOf(agent, "agentMode").replace("APPROVAL_AGENT_MODE_", "");
  const failure = textOf(agent, "agentFailureAction").replace("APPROVAL_AGENT_FAILURE_ACTION_", "");
  const policies = listOf(agent, "policyIds");
  const own = spec.id;
  return [
    ...(mode === "" ? [say("policy/agent-incomplete", { field: "agentMode" }, at(path))] : []),
    ...(failure === "" ? [say("policy/agent-incomplete", { field: "agentFailureAction" }, at(path))] : []),
    ...(word === "revoke" ? [say("policy/agent-revokes", {}, at(path))] : []),
    ...(word === "certify" && mode !== "COMMENT_ONLY" ? [say("policy/agent-certifies", {}, at(path))] : []),
    ...(mode === "CHANGE_POLICY_ONLY" && policies.length === 0
      ? [say("policy/agent-incomplete", { field: "policyIds" }, at(path))]
      : []),
    ...(own !== undefined && policies.includes(own)
      ? [say("policy/agent-own-policy", {}, at([...path, "policyIds"]))]
      : []),
    ...(failure === "REASSIGN_TO_USERS" && listOf(agent, "reassignToUserIds").length === 0
      ? [say("policy/agent-incomplete", { field: "reassignToUserIds" }, at(path))]
      : []),
  ];
}

function escalationMistakes(approval: JsonObject, path: Path): readonly ValueDiagnostic[] {
  const { escalation = null, escalationEnabled } = approval;
  if (!isObject(escalation))
    return escalationEnabled === true
      ? [say("policy/escalation-missing", {}, at([...path, "escalationEnabled"]))]
      : [];
  if (escalationEnabled !== true) return [say("policy/escalation-off", {}, at([...path, "escalation"]))];
  return chosen(escalation, ENDS) === undefined
    ? [say("policy/escalation-to-nothing", {}, at([...path, "escalation"]))]
    : [];
}

/** Whether a name of steps is the word of a type, as the service or the vendor spells it elsewhere. */
function isOfType(name: string, word: string): boolean {
  return name.toLowerCase().replace("policy_type_", "") === word;
}

function chosen(value: JsonObject, members: readonly string[]): string | undefined {
  return members.find((name) => isSet(value[name]));
}
