import { type ASTNode, type Environment, ParseError } from "@marcbachmann/cel-js";
import {
  boundNodesOf,
  GRAMMAR,
  nodesOf,
  parseExpression,
  QUICK,
  serialize,
  textIn,
} from "../../manifest/cel.js";
import { FUNCTIONS, METHODS } from "../../manifest/declared.js";
import { once } from "../../model/once.js";
import { giveMeaning, misreadPart, registerMeaning } from "./meaning.js";
import { patternOf } from "./pattern.js";

/** What is left of a condition when no attribute of the person is known: constants, tests of a person, and their ties. */
export type Condition =
  | { readonly as: "constant"; readonly value: boolean }
  /**
   * A test. Two spellings of one test have one name. `isOfPerson`: whether it may differ from one person to another.
   * `unread`: the functions of it that remit does not evaluate, or does not see through; null for none.
   */
  | {
      readonly as: "test";
      readonly name: string;
      readonly equals: Equality | null;
      readonly isOfPerson: boolean;
      readonly unread: string | null;
    }
  | { readonly as: "not"; readonly inner: Condition }
  | { readonly as: "and" | "or"; readonly parts: readonly [Condition, Condition] };

/** A test that compares an attribute with one literal: at most one of several literals can be equal. */
export interface Equality {
  readonly attribute: string;
  readonly literal: string;
}

/** Functions of the service that remit does not evaluate. */
const OF_THE_SERVICE: ReadonlySet<string> = new Set([
  "ip",
  "cidr",
  "ListAppUsersForUser",
  "GetAppUserManagers",
]);

const EVALUATED: ReadonlySet<string> = new Set(
  [...[...FUNCTIONS].map((name) => name.slice(name.lastIndexOf(".") + 1)), ...METHODS].filter(
    (name) => !OF_THE_SERVICE.has(name),
  ),
);

/** Tests of a text that every text passes where they ask for an empty one. */
const ASKS_FOR_PART: ReadonlySet<string> = new Set(["contains", "startsWith", "endsWith"]);

/** Short texts of many kinds: to try a pattern with them takes no time, whatever it is. */
const TEXTS = ["", "a", "Z", "0", "é", " ", "-", "_", "@", ".", "aZ", "0 "];

/** Reads a CEL expression as a condition; or says that it does not parse, or that it is too large to be read. */
export function readCondition(expression: string): Condition | "not an expression" | "too large" {
  try {
    return conditionOf(parseExpression(expression).ast);
  } catch (error) {
    const isSyntax = error instanceof ParseError && error.code !== "limit_exceeded";
    return isSyntax ? "not an expression" : "too large";
  }
}

function conditionOf(node: ASTNode): Condition {
  switch (node.op) {
    case "||":
      return tied("or", conditionOf(node.args[0]), conditionOf(node.args[1]));
    case "&&":
      return tied("and", conditionOf(node.args[0]), conditionOf(node.args[1]));
    case "!_":
      return not(conditionOf(node.args));
    case "?:": {
      const [test, then, otherwise] = node.args;
      const condition = conditionOf(test);
      return tied(
        "or",
        tied("and", condition, conditionOf(then)),
        tied("and", not(condition), conditionOf(otherwise)),
      );
    }
    case "==":
      return equality(node, node.args);
    case "!=":
      return not(equality(node, node.args));
    case "<":
      return comparison(node, node.args);
    case ">=":
      return not(comparison(node, node.args));
    case ">":
      return comparison(node, [node.args[1], node.args[0]]);
    case "<=":
      return not(comparison(node, [node.args[1], node.args[0]]));
    case "rcall":
      return macro(node) ?? leaf(node);
    default:
      return leaf(node);
  }
}

function equality(node: ASTNode, [one, other]: readonly [ASTNode, ASTNode]): Condition {
  for (const [literal, rest] of [
    [one, other],
    [other, one],
  ] as const) {
    if (literal.op === "value" && typeof literal.args === "boolean") {
      return literal.args ? conditionOf(rest) : not(conditionOf(rest));
    }
  }
  const [first = "", second = ""] = [serialize(one), serialize(other)].sort();
  // Not every number is equal to itself.
  const folded = fold(node);
  if (folded !== null) return node.op === "!=" ? not(folded) : folded;
  if (first === second) return constant(true);
  const [literal, attribute] = one.op === "value" ? [one, other] : [other, one];
  const equals =
    literal.op === "value" ? { attribute: serialize(attribute), literal: serialize(literal) } : null;
  return testOf(node, `${first} == ${second}`, equals);
}

function comparison(node: ASTNode, [less, more]: readonly [ASTNode, ASTNode]): Condition {
  const [first, second] = [serialize(less), serialize(more)];
  if (first === second) return constant(false);
  const folded = fold(node);
  if (folded !== null) return node.op === ">=" || node.op === "<=" ? not(folded) : folded;
  return testOf(node, `${first} < ${second}`);
}

/** `exists` and `all` whose body does not depend on the element. */
function macro(node: Extract<ASTNode, { readonly op: "rcall" }>): Condition | null {
  const [name, list, [, body]] = node.args;
  if ((name !== "exists" && name !== "all") || body === undefined) return null;
  const inside = conditionOf(body);
  if (inside.as !== "constant") return null;
  const isEmpty = list.op === "list" && list.args.length === 0;
  const isFilled = list.op === "list" && list.args.length > 0;
  if (name === "all" && (inside.value || isEmpty)) return constant(true);
  if (name === "exists" && (!inside.value || isEmpty)) return constant(false);
  return isFilled ? inside : null;
}

function leaf(node: ASTNode): Condition {
  if (node.op === "value" && typeof node.args === "boolean") return constant(node.args);
  if (node.op === "in" && node.args[1].op === "list" && node.args[1].args.length === 0)
    return constant(false);
  return fold(node) ?? testOf(node, serialize(node));
}

function testOf(node: ASTNode, name: string, equals: Equality | null = null): Condition {
  const isPersonal = isOfPerson(node);
  return { as: "test", name, equals, isOfPerson: isPersonal, unread: unreadIn(node, isPersonal) };
}

/** The value of a part that names nothing of a person; null where it does, or where evaluating it may take long. */
function fold(node: ASTNode): Condition | null {
  if (!isClosed(node) || misreadPart(node) !== null) return null;
  try {
    const parsed = folding().parse(serialize(node));
    giveMeaning(parsed.ast);
    const value: unknown = parsed({});
    return typeof value === "boolean" ? constant(value) : null;
  } catch {
    return null;
  }
}

/** The grammar with the meaning of CEL, for parts that name nothing. */
const folding = once((): Environment => {
  const language = GRAMMAR.clone();
  registerMeaning(language);
  return language;
});

/** Whether a part names nothing, calls only what is quick, and has no long list. */
function isClosed(part: ASTNode): boolean {
  return nodesOf(part).every((node) => {
    if (node.op === "id") return false;
    if (node.op === "list" || node.op === "map") return node.args.length <= 1_000;
    return (node.op !== "call" && node.op !== "rcall") || QUICK.has(node.args[0]);
  });
}

/** Names that mean the same for everyone: packages of functions, and the names of values. */
const COMMON: ReadonlySet<string> = new Set([
  "c1",
  "time",
  "TimeFormat",
  "UserStatus",
  "UserType",
  "AppUserType",
]);

/** Whether a part names the person, or something that may be of the person. */
function isOfPerson(part: ASTNode): boolean {
  return boundNodesOf(part).some(
    ({ node, bound }) => node.op === "id" && !COMMON.has(node.args) && !bound.has(node.args),
  );
}

/** Two conditions as one; a constant decides it, or leaves the other. */
function tied(as: "and" | "or", one: Condition, other: Condition): Condition {
  for (const [part, rest] of [
    [one, other],
    [other, one],
  ] as const) {
    if (part.as === "constant") return part.value === (as === "or") ? part : rest;
  }
  return { as, parts: [one, other] };
}

function constant(value: boolean): Condition {
  return { as: "constant", value };
}

function not(inner: Condition): Condition {
  if (inner.as === "constant") return constant(!inner.value);
  return inner.as === "not" ? inner.inner : { as: "not", inner };
}

/**
 * The functions and attributes of a test whose answer remit does not know without people: it does not evaluate them, or
 * every text may pass. Null for none. Where a test is the same for all people, remit evaluates none of its functions.
 */
function unreadIn(test: ASTNode, isOfPerson: boolean): string | null {
  const names = nodesOf(test).flatMap((node) => {
    const call = node.op === "call" || node.op === "rcall" ? node.args[0] : null;
    if (!isOfPerson) return call ?? [];
    if (call !== null) return isUnread(node, call) ? call : [];
    const isOfSubject = node.op === "." && node.args[0].op === "id" && node.args[0].args === "subject";
    // The service shows no attributes.
    return isOfSubject && node.args[1] === "attributes" ? "subject.attributes" : [];
  });
  return names.length === 0 ? null : [...new Set(names)].sort().join(" and ");
}

function isUnread(node: ASTNode, name: string): boolean {
  if (!EVALUATED.has(name)) return true;
  const [text] = node.op === "rcall" ? node.args[2] : [];
  const written = text === undefined ? null : textIn(text);
  if (ASKS_FOR_PART.has(name)) return written === "";
  if (name !== "matches" || text === undefined) return false;
  if (written === null) return !nodesOf(text).some(({ op }) => op === "id");
  const pattern = patternOf(written);
  return pattern === null || TEXTS.every((one) => pattern.test(one));
}
