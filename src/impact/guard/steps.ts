import type { ASTNode } from "@marcbachmann/cel-js";
import { nodesIn } from "../../manifest/cel.js";

/** How long the lists of a guard's input are. */
export interface Lengths {
  readonly people: number;
  readonly steps: number;
  /** Of any other list, at most. */
  readonly others: number;
}

/** How many steps an evaluation takes at most, and how many items its value has. */
interface Cost {
  readonly steps: number;
  readonly items: number;
}

const PEOPLE: ReadonlySet<string> = new Set(["gain", "lose", "enter", "leave"]);
const MACROS: ReadonlySet<string> = new Set(["all", "exists", "exists_one", "filter", "map"]);

/** Whether an expression asks about each item of a list. */
export function hasLoops(node: ASTNode): boolean {
  return (node.op === "rcall" && MACROS.has(node.args[0])) || nodesIn(node.args).some(hasLoops);
}

/** How many steps the evaluation of an expression takes at most: the same on every machine, unlike its time. */
export function stepsOf(expression: ASTNode, lengths: Lengths): number {
  return costOf(expression, lengths, new Map()).steps;
}

function costOf(node: ASTNode, lengths: Lengths, bound: ReadonlyMap<string, number>): Cost {
  if (node.op === "id") return { steps: 1, items: bound.get(node.args) ?? lengths.others };
  if (node.op === "rcall" && MACROS.has(node.args[0])) return ofMacro(node, lengths, bound);
  const inner = nodesIn(node.args).map((one) => costOf(one, lengths, bound));
  const steps = inner.reduce((sum, one) => sum + one.steps, 1);
  const items = Math.max(lengths.others, ...inner.map((one) => one.items));
  if (node.op === "." && PEOPLE.has(node.args[1])) return { steps, items: lengths.people };
  if (node.op === "." && node.args[1] === "steps") return { steps, items: lengths.steps };
  if (node.op === ".") return { steps, items: lengths.others };
  // Lists may be tied together, and looked through one item at a time.
  if (node.op === "+") return { steps: steps + items, items: inner.reduce((sum, one) => sum + one.items, 0) };
  return node.op === "in" || node.op === "==" ? { steps: steps + items, items } : { steps, items };
}

function ofMacro(
  node: Extract<ASTNode, { readonly op: "rcall" }>,
  lengths: Lengths,
  bound: ReadonlyMap<string, number>,
): Cost {
  const [, receiver, [variable, ...bodies]] = node.args;
  const list = costOf(receiver, lengths, bound);
  const inside = variable?.op === "id" ? new Map([...bound, [variable.args, lengths.others]]) : bound;
  const body = bodies.reduce((sum, one) => sum + costOf(one, lengths, inside).steps, 1);
  return { steps: list.steps + list.items * body, items: list.items };
}
