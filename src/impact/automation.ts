import { type ASTNode, Environment } from "@marcbachmann/cel-js";
import { type Holders, refName } from "../kinds/people.js";
import { parseExpression } from "../manifest/cel.js";
import { isObject, type Json, type JsonObject } from "../model/json.js";
import { type Askable, type AskableBy, askableOf, OF_ALL, OF_ONE } from "./alike.js";
import { assuming, holding, ofStatus, type Truth } from "./holding.js";

const ENVIRONMENT = new Environment({ unlistedVariablesAreDyn: true });

/** What decides who gets an entitlement: whether it holds for each person. */
export interface AutomationCondition extends Askable {
  /** `ends` where no rule exists any more. */
  readonly as: "rule" | "ends";
}

/** Whether an automation has no rule: it does not exist, or says so. */
export function isWithoutRule(automation: JsonObject | null): boolean {
  return automation === null || isObject(automation.none);
}

/** The condition of an automation. Null means that none exists; undefined that it was not seen. */
export function conditionOf(
  automation: JsonObject | null | undefined,
  language: Environment,
  members: ReadonlyMap<string, Holders>,
): AutomationCondition {
  if (automation === undefined) return rule(() => holding(null, "the rule in the tenant was not seen"));
  if (automation === null || isWithoutRule(automation)) return ENDS;
  const { cel, basic, entitlements } = automation;
  if (isObject(cel)) return written(cel.expression, language);
  if (isObject(basic)) return writtenByForm(basic.expression, language);
  if (isObject(entitlements)) return byRefs(entitlements.entitlementRefs, members);
  return rule(() => holding(null, "the automation has a condition that remit does not know"));
}

const ENDS: AutomationCondition = { as: "ends", about: () => holding(false), ...OF_ALL };

function rule(about: Askable["about"], { reads, isQuick }: AskableBy = OF_ALL): AutomationCondition {
  return { as: "rule", about: (person) => ofStatus(person, about(person)), reads, isQuick };
}

function written(expression: Json | undefined, language: Environment): AutomationCondition {
  const { about, ...by } = askableOf(typeof expression === "string" ? expression : "", language);
  return rule(about, by);
}

// That the service reads the text of its own form as CEL is likely, and not documented.
function writtenByForm(expression: Json | undefined, language: Environment): AutomationCondition {
  const text = typeof expression === "string" ? expression : "";
  if (!isBasic(text)) return rule(() => holding(null, "the basic rule has a form that is not documented"));
  const inner = written(text, language);
  return rule((person) => assuming("basic", inner.about(person)), inner);
}

function byRefs(refs: Json | undefined, members: ReadonlyMap<string, Holders>): AutomationCondition {
  const keys = (Array.isArray(refs) ? refs : []).map((ref) =>
    isObject(ref) ? refName({ appId: String(ref.appId), id: String(ref.id) }) : "",
  );
  if (keys.length === 0) {
    return rule(() => ({
      depends: ["noRefs"],
      under: (isFalse) => (isFalse.has("noRefs") ? null : false),
      why: null,
    }));
  }
  return rule((person) => {
    const held = keys.map((key): Truth => {
      const holders = members.get(key);
      return holders === undefined ? null : holders.has(person.id) ? (holders.get(person.id) ?? null) : false;
    });
    const [any, all] = [some(held), every(held)];
    if (any === all)
      return holding(any, any === null ? "who holds the entitlement of a ref is unknown" : null);
    return {
      depends: ["anyRef"],
      under: (isFalse) => (isFalse.has("anyRef") ? all : any),
      why: any === null ? "who holds the entitlement of a ref is unknown" : null,
    };
  }, OF_ONE);
}

function some(truths: readonly Truth[]): Truth {
  if (truths.includes(true)) return true;
  return truths.includes(null) ? null : false;
}

function every(truths: readonly Truth[]): Truth {
  if (truths.includes(false)) return false;
  return truths.includes(null) ? null : true;
}

/**
 * Whether the service's own form could have written an expression. Such a text compares fields of the person with texts,
 * tests that a field is there, and joins these by and, or, not.
 */
export function isBasic(expression: string): boolean {
  try {
    return isCondition(parseExpression(expression, ENVIRONMENT).ast);
  } catch {
    return false;
  }
}

function isCondition(node: ASTNode): boolean {
  switch (node.op) {
    case "&&":
    case "||":
      return node.args.every(isCondition);
    case "!_":
      return isCondition(node.args);
    case "==":
    case "!=":
      return isField(node.args[0]) && isText(node.args[1]);
    case "call":
      return node.args[0] === "has" && node.args[1].every(isField);
    default:
      return false;
  }
}

function isField(node: ASTNode): boolean {
  if (node.op === "id") return node.args === "subject";
  if (node.op === ".") return isField(node.args[0]);
  return node.op === "[]" && isField(node.args[0]) && isText(node.args[1]);
}

function isText(node: ASTNode): boolean {
  return node.op === "value" && typeof node.args === "string";
}
