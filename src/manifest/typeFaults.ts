import type { ASTNode, Environment, ParseResult } from "@marcbachmann/cel-js";
import { once } from "../model/once.js";
import { didYouMean } from "../schema/didYouMean.js";
import { say } from "../words/say.js";
import { asCall, type Bound, bindingIn, GRAMMAR, nodesIn, textIn } from "./cel.js";
import { ENUMS } from "./declared.js";
import { ENVIRONMENTS, type EnvironmentName, MESSAGES } from "./environments.js";
import type { ExpressionFault } from "./expressions.js";
import { HAS, typedLanguage } from "./typedLanguage.js";
import { isUnknownFunction } from "./unknownNames.js";
import { areComparable, describeType, isEnum, isNumber, itemOf } from "./valueTypes.js";

type Characters = Pick<ExpressionFault, "start" | "end">;

/** What the library's checker says; its types do not declare all of it. */
interface CheckerError {
  readonly code: string;
  readonly summary: string;
  readonly range?: Characters;
  readonly node?: ASTNode;
}

/**
 * Values of an expression whose types do not fit, and members that are not documented. What has no known type fits
 * everywhere. It changes the expression, which was parsed in the language of the environment.
 */
export function typeFaults(
  parsed: ParseResult,
  nodes: readonly Bound[],
  text: string,
  environment: EnvironmentName,
): readonly ExpressionFault[] {
  const language = typedLanguage(environment);
  const found = new Map<string, ExpressionFault>();
  // A wrong attribute is named once, at its first place.
  const tell = (fault: ExpressionFault) => {
    const which = fault.severity === "warning" ? fault.message : `${fault.start} ${fault.message}`;
    if (!found.has(which)) found.set(which, fault);
  };
  for (const one of nodes) {
    const { node } = one;
    if (isUnknownFunction(one, text)) giveAnyType(node);
    else if (node.op === "call" && node.args[0] === "has") {
      const [, [field]] = node.args;
      // The library checks nothing of what `has(a.b)` asks for.
      if (field?.op === "." || field?.op === ".?") asCall(node, [HAS, node.args[1]]);
      else {
        tell(say("expression/type#has", {}, placeOf(node)));
        giveAnyType(node);
      }
    }
  }
  let checked = parsed.check();
  for (let tried = 0; !checked.valid; tried += 1) {
    const error = checked.error as unknown as CheckerError;
    const { node } = error;
    if (tried === MOST_TRIED || node === undefined || (node as Typed).checkedType === anyType())
      return [...found.values()];
    if (!isTaken(node)) tell(faultOf(error, node, language));
    giveAnyType(node);
    checked = parsed.check();
  }
  const result = resultFault(checked.type ?? ANY, parsed.ast, environment);
  if (result !== null) tell(result);
  return [...found.values()].sort((one, other) => one.start - other.start);
}

function placeOf({ start, end }: ASTNode): Characters {
  return { start, end: Math.max(end, start + 1) };
}

/** Each try walks the expression anew: one with more faults than this is not checked to its end. */
const MOST_TRIED = 200;

interface Typed {
  checkedType?: { readonly name: string } | undefined;
}

function typeOf(node: ASTNode | undefined): string {
  return (node as Typed | undefined)?.checkedType?.name ?? ANY;
}

const ANY = "dyn";

const anyType = once(() => {
  const parsed = GRAMMAR.parse("dyn(1)");
  parsed.check();
  return (parsed.ast as ASTNode & { readonly checkedType: { readonly name: string } }).checkedType;
});

/** Lets the next check take a node as a value of any type. */
function giveAnyType(node: ASTNode): void {
  (node as Typed).checkedType = anyType();
}

const COMPARISONS = ["==", "!=", "<", "<=", ">", ">=", "in"];

/** CEL makes values of one type from those of another by these, of more types than the library knows. */
const CONVERSIONS = ["bool", "bytes", "double", "duration", "int", "string", "timestamp", "uint"];

/** Whether the service may take what the library's checker refuses: that is stricter than CEL. */
function isTaken(node: ASTNode): boolean {
  const types = sidesOf(node).map(typeOf);
  const [one = ANY, other = ANY] = types;
  if (node.op === "call" || node.op === "rcall") {
    // The library has not all macros of CEL.
    if (bindingIn(node) !== null) return true;
    if (types.includes("null") || (node.op === "rcall" && one.startsWith(ANY))) return true;
    const isPlain = !/^(list|map)/.test(one) && !Object.hasOwn(MESSAGES, one);
    return node.op === "call" && CONVERSIONS.includes(node.args[0]) && types.length === 1 && isPlain;
  }
  if (node.op === "?:") return areComparable(typeOf(node.args[1]), typeOf(node.args[2]));
  if (node.op === "in") return areComparable(one, itemOf(other) ?? other);
  if (COMPARISONS.includes(node.op)) return areComparable(one, other);
  return isEnum(one) && isNumber(other);
}

/** What an operator or a function takes, in the order it stands. */
function sidesOf(node: ASTNode): readonly ASTNode[] {
  switch (node.op) {
    case "call":
      return node.args[1];
    case "rcall":
      return [node.args[1], ...node.args[2]];
    case "!_":
    case "-_":
      return [node.args];
    default:
      return nodesIn(node.args);
  }
}

function faultOf(error: CheckerError, node: ASTNode, language: Environment): ExpressionFault {
  const at = placeOf(node);
  const sides = sidesOf(node);
  const [left = ANY, right = ANY] = sides.map((side) => describeType(typeOf(side)));
  switch (error.code) {
    case "no_such_key":
      return unknownMember(error, node);
    case "no_such_overload": {
      const operator = node.op.replace("_", "");
      if (sides.length === 1) return say("expression/type#unary", { operator, what: left }, at);
      if (!COMPARISONS.includes(operator))
        return say("expression/type#operator", { operator, left, right }, at);
      if (operator === "in")
        return say("expression/type#within", { left, right }, { ...at, hint: comparedRight(sides) });
      return say("expression/type#compare", { operator, left, right }, { ...at, hint: comparedRight(sides) });
    }
    case "no_matching_overload":
      return callFault(node, language, at);
    case "invalid_logical_operand": {
      const what = sides.map(typeOf).find((type) => type !== "bool" && type !== ANY) ?? ANY;
      return say("expression/type#logic", { operator: node.op, what: describeType(what) }, at);
    }
    case "invalid_condition_type":
      return say("expression/type#condition", { what: describeType(typeOf(node)) }, at);
    case "invalid_comprehension_range":
      return say("expression/type#range", { what: describeType(typeOf(node)) }, at);
    case "incompatible_ternary_branches": {
      const [one, other] = sides.slice(1).map((side) => describeType(typeOf(side)));
      return say("expression/type#branches", { one: one ?? "", other: other ?? "" }, at);
    }
    case "cannot_index_type":
      return say("expression/type#members", { what: left }, at);
    case "invalid_index_type":
      return say("expression/type#index", { what: left, index: right }, at);
    default:
      return say(
        "expression/type#other",
        { what: error.summary.replace(/^./, (first) => first.toLowerCase()) },
        at,
      );
  }
}

function unknownMember({ range, summary }: CheckerError, node: ASTNode): ExpressionFault {
  const [of] = sidesOf(node);
  const type = typeOf(of);
  const name = summary.replace("No such key: ", "");
  const known = Object.keys(typesIn(type));
  const near = didYouMean(name, known);
  const others = `Known are ${known.join(", ")}.`;
  const isOfPeople = type === "User" || type === "AppUser";
  return say(
    "expression/unknown-attribute",
    { who: describeType(type), name },
    { start: range?.start ?? 0, end: range?.end ?? 1, hint: near ?? (isOfPeople ? undefined : others) },
  );
}

function typesIn(type: string): Readonly<Record<string, unknown>> {
  return Object.hasOwn(MESSAGES, type) ? MESSAGES[type as keyof typeof MESSAGES] : {};
}

/** How two values are compared that are of different types. */
function comparedRight(sides: readonly ASTNode[]): string {
  const types = sides.map(typeOf).map((type) => itemOf(type) ?? type);
  const message = types.find((type) => Object.hasOwn(MESSAGES, type));
  if (message !== undefined) return `Compare a field of it: ${Object.keys(typesIn(message)).join(", ")}.`;
  const name = types.find(isEnum);
  if (name !== undefined && types.includes("string")) return enumHint(name as keyof typeof ENUMS, sides);
  if (types.includes("string") && types.some(isNumber))
    return "Write the number in quotes, or make a number of the text: int(TEXT).";
  return "Compare values of one type.";
}

/** How the values of an enum are written that stand in quotes. */
function enumHint(name: keyof typeof ENUMS, sides: readonly ASTNode[]): string {
  const { prefix } = ENUMS[name];
  const values: readonly string[] = ENUMS[name].values.filter((value) => value !== "UNSPECIFIED");
  const written = sides.flatMap((side) => (side.op === "list" ? side.args : [side])).map(textIn);
  const texts = written.map((text) => text?.toUpperCase().replace(`${prefix}_`, ""));
  const meant = values.filter((value) => texts.includes(value));
  const known = meant.length > 0 ? meant : values;
  return `Write ${known.map((value) => `${name}.${value}`).join(", ")} without quotes.`;
}

function callFault(node: ASTNode, language: Environment, at: Characters): ExpressionFault {
  if (node.op !== "call" && node.op !== "rcall") throw new Error("only a function has overloads");
  const [name] = node.args;
  const types = sidesOf(node).map(typeOf);
  const all = language.getDefinitions().functions.filter((one) => one.name === name);
  const isMethod = node.op === "rcall" && !types[0]?.endsWith("Functions");
  const own = all.filter(({ receiverType }) => !isMethod || receiverType === types[0]);
  if (isMethod && own.length === 0) {
    const receivers = [...new Set(all.flatMap(({ receiverType }) => receiverType ?? []))];
    const of = receivers.map(describeType).join(" or ");
    return say("expression/type#method", { name, what: describeType(types[0] ?? ANY), of }, at);
  }
  const taken = own.map(({ params }) => listed(params.map(({ type }) => type)));
  const given = listed(node.op === "rcall" ? types.slice(1) : types);
  return say("expression/type#arguments", { name, given, taken: [...new Set(taken)].join(", or ") }, at);
}

function listed(types: readonly string[]): string {
  return types.length === 0 ? "nothing" : types.map(describeType).join(" and ");
}

/** A result that is not what the field takes. */
function resultFault(
  type: string,
  { start, end }: ASTNode,
  environment: EnvironmentName,
): ExpressionFault | null {
  const { gives } = ENVIRONMENTS[environment];
  const isAny = (one: string) => one.startsWith(ANY) || /^[A-Z]$/.test(one);
  const item = itemOf(type) ?? type;
  if (isAny(item) && (gives === "users" || isAny(type))) return null;
  if (gives === "condition" ? type === "bool" : item === "User") return null;
  return say(`expression/type#${gives}Result`, { what: describeType(type) }, { start, end });
}
