import type { Kind } from "../kinds/kind.js";
import { DEEPEST, WORDS } from "../kinds/policyMistakes.js";
import { inside, listOf, textOf, textsOf } from "../kinds/spelling.js";
import { rulesInForce, takesAll } from "../manifest/firstRule.js";
import { isObject, type Json, type JsonObject } from "../model/json.js";

/** Who has to agree at the least before access is given or kept, from the laxest to what gives none at all. */
const LEAST = ["nobody", "a machine", "the requester", "another person", "never"] as const;
export type Least = (typeof LEAST)[number];

/** One way through a policy: where a rule or the baseline leads to, through other policies, too. */
export interface Way {
  /** The field that names the policy, and the policy's id; null for a way through the policy itself. */
  readonly by: { readonly field: string; readonly policy: string } | null;
  /** The conditions that hold for those who come this way, and those that do not. */
  readonly holds: readonly string[];
  readonly fails: readonly string[];
  readonly least: Least;
  /** The same where app owners, an expression or an agent that only comments ask no one. */
  readonly may: Least;
}

/** The spec of a policy, by what other objects name it with; undefined where it is not known. */
export type PolicyLookup = (id: string) => JsonObject | undefined;

/**
 * Who has to agree at the least, on each way by which an object with rules gives or keeps access. A policy of removals gives
 * no one access. A policy that is not known counts as one that asks another person.
 */
export function waysThrough(
  firstRule: NonNullable<Kind["firstRule"]>,
  spec: JsonObject,
  lookup: PolicyLookup,
): readonly Way[] {
  if (firstRule.by === "steps") return waysIn(spec, { lookup, left: DEEPEST, hasOwners: true });
  // What no rule sets, something else decides.
  return waysOfRules(rulesInForce(spec), (rule) => {
    const settings = inside(rule, "settings") ?? {};
    return firstRule.names.flatMap((name) => {
      const id = textOf(settings, name);
      return id === "" ? [] : waysBy(name, id, lookup);
    });
  });
}

/** The ways to which a field leads that names a policy. */
export function waysBy(field: string, policy: string, lookup: PolicyLookup): readonly Way[] {
  const ways = waysOfPolicy(policy, { lookup, left: DEEPEST, hasOwners: true });
  return ways.map((way) => ({ ...way, by: { field, policy } }));
}

/** The ways through rules of which the first one decides whose condition holds. */
function waysOfRules(
  rules: readonly JsonObject[],
  waysOf: (rule: JsonObject) => readonly Way[],
): readonly Way[] {
  const ways: Way[] = [];
  const fails: string[] = [];
  for (const rule of rules) {
    const condition = textOf(rule, "condition").trim();
    const isForAll = takesAll(condition);
    const holds = isForAll ? [] : [condition];
    for (const way of waysOf(rule))
      ways.push({ ...way, holds: [...holds, ...way.holds], fails: [...fails, ...way.fails] });
    if (isForAll) break;
    fails.push(condition);
  }
  return ways;
}

/** The laxest of some answers. */
function laxest(some: readonly Least[]): Least {
  return LEAST.find((least) => some.includes(least)) ?? "never";
}

/** Whether one answer asks less than another one. */
export function isLaxer(one: Least, other: Least): boolean {
  return LEAST.indexOf(one) < LEAST.indexOf(other);
}

interface Following {
  readonly lookup: PolicyLookup;
  /** How many policies deeper it may go; a ring ends, too. */
  readonly left: number;
  /** Whether app owners and expressions name someone. */
  readonly hasOwners: boolean;
}

function waysIn(spec: JsonObject, following: Following): readonly Way[] {
  const word = WORDS[textOf(spec, "policyType")];
  if (word === undefined || word === "revoke") return [];
  const baseline = { condition: "true", stepKey: word, policyId: spec.baselinePolicyId ?? null };
  return waysOfRules([...rulesInForce(spec), baseline], (rule) => waysOfOutcome(rule, spec, following));
}

function waysOfOutcome(outcome: JsonObject, spec: JsonObject, following: Following): readonly Way[] {
  const named = inside(inside(spec, "policySteps") ?? {}, textOf(outcome, "stepKey"));
  if (named !== undefined) {
    const least = (hasOwners: boolean) => leastOfSteps(listOf(named, "steps"), { ...following, hasOwners });
    return [wayOf(least(true), least(false))];
  }
  const other = textOf(outcome, "policyId");
  // Without any step, the service denies.
  return other === "" ? [] : waysOfPolicy(other, following);
}

function waysOfPolicy(id: string, following: Following): readonly Way[] {
  const { lookup, left } = following;
  const spec = lookup(id);
  if (spec === undefined) return [wayOf("another person", "another person")];
  return left === 0 ? [] : waysIn(spec, { ...following, left: left - 1 });
}

function wayOf(least: Least, may: Least): Way {
  return { by: null, holds: [], fails: [], least, may };
}

function leastOfPolicy(id: string, following: Following): Least {
  return laxest(waysOfPolicy(id, following).map(({ least, may }) => (following.hasOwners ? least : may)));
}

/** What a list of steps asks from its first step on: the end of the list gives access. */
function leastOfSteps([step, ...rest]: readonly Json[], following: Following): Least {
  if (step === undefined) return "nobody";
  if (inside(step, "accept") !== undefined) return "nobody";
  if (inside(step, "reject") !== undefined) return "never";
  const later = leastOfSteps(rest, following);
  const approval = inside(step, "approval");
  if (approval === undefined || isSkipped(approval, following)) return later;
  return laxest([...asked(approval, later, following), ...afterwards(approval, later, following)]);
}

/** What is asked where the approvers of a step answer. */
function asked(approval: JsonObject, later: Least, following: Following): readonly Least[] {
  const both = (least: Least) => (isLaxer(least, later) ? later : least);
  // A webhook may change the steps, and such an agent may do everything.
  if (inside(approval, "webhook") !== undefined) return ["a machine"];
  const agent = inside(approval, "agent");
  if (agent !== undefined) {
    const skips = textOf(agent, "agentFailureAction").endsWith("SKIP_POLICY_STEP") ? [later] : [];
    const mode = textOf(agent, "agentMode").replace("APPROVAL_AGENT_MODE_", "");
    if (mode === "FULL_CONTROL") return [...skips, "a machine"];
    if (mode !== "CHANGE_POLICY_ONLY") return [...skips, both("another person")];
    const chosen = laxest(listOf(agent, "policyIds").map((id) => leastOfPolicy(String(id), following)));
    return [...skips, isLaxer(chosen, "a machine") ? "a machine" : chosen];
  }
  if (inside(approval, "self") !== undefined) return [both("the requester")];
  const [arm] = Object.values(approval).filter(
    (value) => isObject(value) && value.allowSelfApproval === true,
  );
  return [both(arm === undefined ? "another person" : "the requester")];
}

/** What is asked where the approvers of a step do not answer in time. */
function afterwards(approval: JsonObject, later: Least, following: Following): readonly Least[] {
  const escalation = approval.escalationEnabled === true ? inside(approval, "escalation") : undefined;
  if (escalation === undefined) return [];
  if (inside(escalation, "skipStep") !== undefined) return [later];
  const other = textOf(inside(escalation, "replacePolicy") ?? {}, "policyId");
  return other === "" ? [] : [leastOfPolicy(other, following)];
}

/**
 * Whether a step has no approvers: an empty list skips it. docs/service/whole-tenant.md, section 1.7. Whether anyone answers
 * beside an agent that only comments is not documented.
 */
function isSkipped(approval: JsonObject, { hasOwners }: Following): boolean {
  if (textOf(inside(approval, "agent") ?? {}, "agentMode").endsWith("COMMENT_ONLY")) return !hasOwners;
  const expression = inside(approval, "expression");
  if (expression === undefined) return !hasOwners && inside(approval, "appOwners") !== undefined;
  const texts = textsOf(expression, "expressions");
  const isEmpty = texts.length > 0 && texts.every((text) => text.trim() === "[]");
  return expression.fallback !== true && (isEmpty || !hasOwners);
}
