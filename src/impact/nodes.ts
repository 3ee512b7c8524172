import type { ASTNode } from "@marcbachmann/cel-js";

/** The nodes of an expression directly below another: the nodes among its arguments, whatever their shape. */
export function nodesIn(value: unknown): readonly ASTNode[] {
  if (Array.isArray(value)) return value.flatMap(nodesIn);
  const isNode = typeof value === "object" && value !== null && "op" in value && "args" in value;
  return isNode ? [value as ASTNode] : [];
}
