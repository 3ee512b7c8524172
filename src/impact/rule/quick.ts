import type { ASTNode } from "@marcbachmann/cel-js";
import { nodesOf } from "../../manifest/cel.js";

/** Functions that take no longer than their texts are long. Regular expressions and macros can be made to run for hours. */
export const QUICK: ReadonlySet<string> = new Set([
  "startsWith",
  "endsWith",
  "contains",
  "lowerAscii",
  "upperAscii",
  "size",
  "int",
  "string",
  "trim",
]);

/** What only asks the subject of a rule, or the clock. */
const QUICK_OF_RULES: ReadonlySet<string> = new Set(["has", "now", "HasEntitlement", "HasApp"]);

/** A longer rule may take long in itself. */
const LONGEST = 2_000;

/** Whether no value of a person can make a rule slow, so that it needs no limit of time. */
export function isQuick(expression: string, ast: ASTNode): boolean {
  if (expression.length > LONGEST) return false;
  return nodesOf(ast).every(
    (node) =>
      (node.op !== "call" && node.op !== "rcall") ||
      QUICK.has(node.args[0]) ||
      QUICK_OF_RULES.has(node.args[0]),
  );
}
