import { memberIn, nodesIn, parseExpression, textIn } from "../../manifest/cel.js";

/** What the expression of a guard asks for that is not in the step itself. */
interface GuardNeeds {
  /** Whether it asks who gains, loses, enters, leaves or holds something. */
  readonly readsPeople: boolean;
  /** Whether it asks for the labels of a step. */
  readonly readsLabels: boolean;
  /** The entitlements for which it asks who holds them, as it writes them. */
  readonly holds: readonly (readonly [app: string, entitlement: string])[];
}

/** What an expression asks for. Entitlements whose names it computes are not among them, and stay unknown. */
export function asksFor(expression: string): GuardNeeds {
  const open = [parseExpression(expression.trimEnd()).ast];
  const holds: (readonly [string, string])[] = [];
  let [readsPeople, readsLabels] = [false, false];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (node.op === "id" && node.args === "people") readsPeople = true;
    if (memberIn(node) === "labels") readsLabels = true;
    if (node.op === "call" && node.args[0] === "holds") {
      const [, app, entitlement] = node.args[1].map(textIn);
      if (typeof app === "string" && typeof entitlement === "string") holds.push([app, entitlement]);
      readsPeople = true;
    }
    open.push(...nodesIn(node.args));
  }
  return { readsPeople, readsLabels, holds };
}
