import type { ASTNode } from "@marcbachmann/cel-js";
import { nodesIn, nodesOf, QUICK } from "../../manifest/cel.js";

/** How much a value can hold at most: signs of a text and items of a list, with all that is inside. */
interface Size {
  readonly all: number;
  /** Of one item, where the value is a list. */
  readonly item: number;
}

/** What a field of a person may hold; much more than any does. */
const GIVEN: Size = { all: 1_000, item: 1_000 };

/** What the people of a tenant may hold whom a function gives. */
const PEOPLE: Size = { all: 10_000, item: 1 };

/** Larger values than this would take memory that the plan itself needs. */
const MOST = 10_000_000;

/** What only asks the subject of a rule, or the clock. */
const QUICK_OF_RULES: ReadonlySet<string> = new Set(["has", "now", "HasEntitlement", "HasApp"]);

/** A longer rule may take long in itself. */
const LONGEST = 2_000;

/** Whether an expression may make a value so large that it takes the memory of the plan: `map(a, a + a)` again and again. */
export function mayGrow(expression: ASTNode): boolean {
  return largest(expression) > MOST;
}

/** The largest value that is made on the way. */
function largest(expression: ASTNode): number {
  let most = 0;
  visit(expression, new Map());
  return most;

  function visit(node: ASTNode, variables: ReadonlyMap<string, Size>): Size {
    const size = sizeOf(node, variables);
    most = Math.max(most, size.all);
    return size;
  }

  function sizeOf(node: ASTNode, variables: ReadonlyMap<string, Size>): Size {
    const sizes = (some: readonly ASTNode[]) => some.map((one) => visit(one, variables));
    switch (node.op) {
      case "value":
        return one(typeof node.args === "string" ? node.args.length : 1);
      case "id":
        return variables.get(node.args) ?? GIVEN;
      case "list": {
        const items = sizes(node.args);
        return { all: sum(items) + items.length, item: Math.max(1, ...items.map(({ all }) => all)) };
      }
      case "?:":
        return largestOf(sizes(node.args));
      case "rcall":
        return called(node, variables);
      default: {
        const inner = sizes(nodesIn(node.args));
        return { all: sum(inner) + 1, item: largestOf(inner).item };
      }
    }
  }

  function called(
    node: Extract<ASTNode, { readonly op: "rcall" }>,
    variables: ReadonlyMap<string, Size>,
  ): Size {
    const [name, receiver, values] = node.args;
    const list = visit(receiver, variables);
    const [variable, ...bodies] = values;
    if (GIVES_PEOPLE.has(name)) return PEOPLE;
    if (NAMES_A_VALUE.has(name) && variable?.op === "id") {
      const [first, second] = bodies;
      const named = second === undefined || first === undefined ? list : visit(first, variables);
      const body = second ?? first;
      return body === undefined ? list : visit(body, new Map([...variables, [variable.args, named]]));
    }
    if (MACROS.has(name) && variable?.op === "id") {
      const inside = new Map([...variables, [variable.args, one(list.item)]]);
      const made = bodies.map((body) => visit(body, inside));
      const item = made.at(-1)?.all ?? 1;
      return name === "map" ? { all: list.all * item, item } : list;
    }
    const inner = values.map((value) => visit(value, variables));
    if (name === "replace" || name === "join") return one(list.all * Math.max(1, sum(inner)));
    return { all: list.all + sum(inner), item: list.item };
  }
}

const MACROS: ReadonlySet<string> = new Set(["map", "filter", "all", "exists", "exists_one"]);

/** Functions that name a value for the expression inside them. */
const NAMES_A_VALUE: ReadonlySet<string> = new Set(["bind", "optMap", "optFlatMap"]);

const GIVES_PEOPLE: ReadonlySet<string> = new Set(["GetEntitlementMembers", "DirectReports", "GetManagers"]);

function one(all: number): Size {
  return { all, item: all };
}

function largestOf(sizes: readonly Size[]): Size {
  return sizes.reduce((most, size) => (size.all > most.all ? size : most), one(1));
}

function sum(sizes: readonly Size[]): number {
  return sizes.reduce((total, { all }) => total + all, 0);
}

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
