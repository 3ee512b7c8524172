import { isObject, type Json, type JsonObject } from "../model/json.js";
import type { Path } from "../model/path.js";
import { isSet } from "../schema/groups.js";
import type { ValueDiagnostic } from "../schema/shape.js";
import { say } from "../words/say.js";
import { inside, listOf, textOf } from "./spelling.js";

/** The word of a type, under which its baseline stands. */
export const WORDS: Readonly<Record<string, string>> = {
  POLICY_TYPE_GRANT: "grant",
  POLICY_TYPE_REVOKE: "revoke",
  POLICY_TYPE_CERTIFY: "certify",
};

/** Policies name others no deeper than this. docs/service/whole-tenant.md, section 1.6. */
export const DEEPEST = 5;

/**
 * What the service refuses of a policy, or takes and silently makes something else of, by its type or by names that meet: each
 * at its place. What one object alone shows is in the schema. docs/service/whole-tenant.md, section 1.6.
 */
export function policyMistakes(spec: JsonObject): readonly ValueDiagnostic[] {
  const word = WORDS[textOf(spec, "policyType")];
  if (word === undefined) return [];
  const named = inside(spec, "policySteps") ?? {};
  const keys = listOf(spec, "rules").map((rule) => (isObject(rule) ? (rule.stepKey ?? null) : null));
  return [
    ...baselineMistakes(spec, word, named),
    ...keys.flatMap((key, place) =>
      typeof key === "string" && !isSet(named[key])
        ? [say("policy/no-such-steps", { name: key }, at(["rules", place, "stepKey"]))]
        : [],
    ),
    ...Object.entries(named).flatMap(([name, steps]) => [
      ...(isUsed(name, word, keys) ? [] : [say("policy/dead-steps", { name }, at(["policySteps", name]))]),
      ...agentsMistakes(steps, ["policySteps", name, "steps"], word, spec.id),
    ]),
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
  return [
    meant === undefined
      ? say("policy/no-baseline#none", { word }, at(["policySteps"]))
      : say("policy/no-baseline#meant", { word, meant }, at(["policySteps", meant])),
  ];
}

/** Whether a rule or the type names steps: the service keeps others, and nothing ever uses them. */
function isUsed(name: string, word: string, keys: readonly Json[]): boolean {
  return name === "default" || isOfType(name, word) || keys.includes(name);
}

/** Whether a name of steps is the word of a type, as the service or the vendor spells it elsewhere. */
function isOfType(name: string, word: string): boolean {
  return name.toLowerCase().replace("policy_type_", "") === word;
}

function agentsMistakes(
  steps: Json,
  path: Path,
  word: string,
  own: Json | undefined,
): readonly ValueDiagnostic[] {
  return listOf(isObject(steps) ? steps : {}, "steps").flatMap((step, place) => {
    const agent = inside(inside(step, "approval") ?? {}, "agent");
    if (agent === undefined) return [];
    const here = [...path, place, "approval", "agent"];
    const isCertifying = word === "certify" && agent.agentMode !== "APPROVAL_AGENT_MODE_COMMENT_ONLY";
    return [
      ...(word === "revoke" ? [say("policy/agent-revokes", {}, at(here))] : []),
      ...(isCertifying ? [say("policy/agent-certifies", {}, at(here))] : []),
      ...(own !== undefined && listOf(agent, "policyIds").includes(own)
        ? [say("policy/agent-own-policy", {}, at([...here, "policyIds"]))]
        : []),
    ];
  });
}
