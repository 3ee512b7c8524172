import type { ASTNode } from "@marcbachmann/cel-js";
import { GRAMMAR, replaceNode } from "../../manifest/cel.js";
import { divided, negated } from "./numbers.js";
import { minus, plus } from "./times.js";
import { areEqual, chosen, compareValues, isWithin, toKey } from "./values.js";

/** What stands for an operator of CEL: a function of its two sides, or of one key. */
export const OPERATORS: Readonly<
  Record<string, readonly [signature: string, handler: (...sides: never[]) => unknown]>
> = {
  "==": ["equal(dyn, dyn): bool", areEqual],
  "!=": ["notEqual(dyn, dyn): bool", (one, other) => !areEqual(one, other)],
  "<": ["less(dyn, dyn): bool", (one, other) => compareValues(one, other) === -1],
  ">": ["more(dyn, dyn): bool", (one, other) => compareValues(one, other) === 1],
  "<=": ["notMore(dyn, dyn): bool", (one, other) => [-1, 0].includes(compareValues(one, other) ?? 1)],
  ">=": ["notLess(dyn, dyn): bool", (one, other) => [1, 0].includes(compareValues(one, other) ?? -1)],
  in: ["within(dyn, dyn): bool", isWithin],
  "+": ["plus(dyn, dyn): dyn", plus],
  "-": ["minus(dyn, dyn): dyn", minus],
  "/": ["divided(dyn, dyn): dyn", divided],
  "-_": ["negated(dyn): dyn", negated],
  ".": ["chosen(dyn, dyn): dyn", chosen],
  key: ["key(dyn): dyn", toKey],
};

/**
 * Lets a node of an expression that was just parsed ask them; gives whether that changed it. `hasTimes`: whether the
 * expression has moments, whose sums the library does not have right.
 */
export function giveOperator(node: ASTNode, hasTimes: boolean, prefix: string): boolean {
  function stand(sides: readonly ASTNode[], name: string = node.op): true {
    replaceNode(node, call(prefix, name, sides));
    return true;
  }

  switch (node.op) {
    case "==":
    case "!=":
      // The library has these right, and rules are full of them.
      return !node.args.some(isPlainLiteral) && stand(node.args);
    case "<":
    case ">":
    case "<=":
    case ">=":
    case "/":
      return stand(node.args);
    case "in":
      return stand([node.args[0], keysOf(node.args[1])]);
    case "-_":
      return stand([node.args]);
    case "+":
    case "-":
      return hasTimes && stand(node.args);
    case ".":
      return isOptional(node.args[0]) && stand([node.args[0], literal(node.args[1])]);
    case "[]":
      return isOptional(node.args[0]) && stand(node.args, ".");
    case "map":
      return node.args.map((entry) => guardKey(entry, prefix)).includes(true);
    default:
      return false;
  }
}

/** The keys of a map that is written as one: the library keeps a key as a text, and "1" is not 1. */
function keysOf(container: ASTNode): ASTNode {
  if (container.op !== "map" || container.args.some(([, value]) => value.op !== "value")) return container;
  const keys = GRAMMAR.parse("[]").ast;
  return Object.assign(keys, { args: container.args.map(([key]) => key) });
}

function isPlainLiteral(node: ASTNode): boolean {
  return node.op === "value" && (typeof node.args === "string" || typeof node.args === "boolean");
}

/** Whether a part is a row of fields that begins with an optional one. */
function isOptional(part: ASTNode): boolean {
  let node = part;
  while (node.op === "." || node.op === "[]") node = node.args[0];
  return node.op === ".?" || node.op === "[?]";
}

// Every other literal of a map is a key that CEL has.
function guardKey(entry: [ASTNode, ASTNode], prefix: string): boolean {
  const [key] = entry;
  if (key.op === "value" && typeof key.args === "string") return false;
  entry[0] = call(prefix, "key", [key]);
  return true;
}

function call(prefix: string, operator: string, sides: readonly ASTNode[]): ASTNode {
  const [signature = ""] = OPERATORS[operator] ?? [];
  const made = GRAMMAR.parse(`${prefix}${signature.split("(")[0]}()`).ast;
  (made.args as unknown[])[1] = sides;
  return made;
}

function literal(text: string): ASTNode {
  return GRAMMAR.parse(JSON.stringify(text)).ast;
}
