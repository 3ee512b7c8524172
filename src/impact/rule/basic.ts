import { type ASTNode, Environment } from "@marcbachmann/cel-js";
import { parseExpression } from "../../manifest/cel.js";

const ENVIRONMENT = new Environment({ unlistedVariablesAreDyn: true });

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
