import type { Kind } from "../kinds/kind.js";
import { listOf, textOf } from "../kinds/spelling.js";
import { isObject, type JsonObject } from "../model/json.js";
import type { ValueDiagnostic } from "../schema/shape.js";
import { say } from "../words/say.js";
import { nodesOf, parseExpression, QUICK } from "./cel.js";

/** The rules of an object that are not switched off, in their order: the first whose condition holds decides. */
export function rulesInForce(spec: JsonObject): readonly JsonObject[] {
  return listOf(spec, "rules").filter(isObject).filter(isOn);
}

function isOn({ disabled }: JsonObject): boolean {
  return disabled !== true;
}

/** Whether a condition holds whatever it is asked about: it is empty, or true by what it writes alone. */
export function takesAll(condition: string): boolean {
  const text = condition.trim();
  if (text === "" || text === "true") return true;
  try {
    const parsed = parseExpression(text);
    const isQuick = nodesOf(parsed.ast).every(
      ({ op, args }) => (op !== "call" && op !== "rcall") || QUICK.has(args[0]),
    );
    return isQuick && parsed({}) === true;
  } catch {
    // It is not an expression, or its value rests on what it names.
    return false;
  }
}

const OF_STEPS = { all: "policy/unreached-rule#all", same: "policy/unreached-rule#same" } as const;
const OF_SETTINGS = {
  all: "policy/unreached-configuration#all",
  same: "policy/unreached-configuration#same",
} as const;

/** The rules that decide nothing, whatever is asked: an earlier one takes all that they would take. */
export function unreachedRules({ firstRule }: Kind, spec: JsonObject): readonly ValueDiagnostic[] {
  if (firstRule === undefined) return [];
  const rules = listOf(spec, "rules").map((rule) => (isObject(rule) && isOn(rule) ? rule : null));
  const conditions = rules.map((rule) => (rule === null ? null : textOf(rule, "condition").trim()));
  const forAll = conditions.findIndex((condition) => condition !== null && takesAll(condition));
  return conditions.flatMap((condition, place): readonly ValueDiagnostic[] => {
    if (condition === null) return [];
    const isForAll = forAll !== -1 && forAll < place;
    const taker = isForAll ? forAll : conditions.indexOf(condition);
    if (taker === place) return [];
    const at = {
      path: ["spec", "rules", place],
      on: "value",
      related: [{ path: ["spec", "rules", taker], message: "the earlier rule is here" }],
    } as const;
    const how = isForAll ? "all" : "same";
    if (firstRule.by === "steps") return [say(OF_STEPS[how], {}, at)];
    const earlier = JSON.stringify(textOf(rules[taker] ?? {}, "displayName"));
    return [say(OF_SETTINGS[how], { earlier }, at)];
  });
}
