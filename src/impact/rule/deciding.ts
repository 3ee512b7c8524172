import type { ASTNode, Environment } from "@marcbachmann/cel-js";
import { nodesOf, parseExpression, serialize } from "../../manifest/cel.js";
import { type Truth, truthOf } from "../holding.js";
import type { Person } from "../person.js";
import { readRule } from "./rule.js";

/** The part of an expression that decides its answer for one person. */
interface DecidingPart {
  /** The part, spelled as CEL writes it. */
  readonly text: string;
  /** What it is for the person; null where that is unknown. */
  readonly is: Truth;
  /** The fields of the person that it names, such as `subject.department`, with their values as JSON. */
  readonly fields: readonly { readonly name: string; readonly value: string }[];
}

/**
 * The smallest part of an expression that has its answer for a person: of `&&` a false term, of `||` a true one, and all
 * terms where they decide together. Null where the expression cannot be read.
 */
export function decidingPart(expression: string, language: Environment, person: Person): DecidingPart | null {
  try {
    const ask = (node: ASTNode) => answer(node, language, person);
    const { ast } = parseExpression(expression);
    return partOf(ast, ask(ast), ask, person);
  } catch {
    return null;
  }
}

function partOf(ast: ASTNode, whole: Truth, ask: (one: ASTNode) => Truth, person: Person): DecidingPart {
  let [node, is] = [ast, whole];
  for (let inside = insideOf(node, is, ask); inside !== null; inside = insideOf(node, is, ask)) {
    if (node.op === "!_" && is !== null) is = !is;
    node = inside;
  }
  const names = [...new Set(fieldsIn(node))];
  return {
    text: serialize(node),
    is,
    fields: names.map((name) => ({ name, value: shownValue(name, person) })),
  };
}

/** The part of a node that decides its answer alone; null where all of it does. */
function insideOf(node: ASTNode, is: Truth, ask: (one: ASTNode) => Truth): ASTNode | null {
  if (node.op === "&&" || node.op === "||") {
    // One term decides what is unknown, and what one term is enough for.
    const isAlone = is === null || is === (node.op === "||");
    return isAlone ? (node.args.find((term) => ask(term) === is) ?? null) : null;
  }
  if (node.op === "!_") return node.args.op === "&&" || node.args.op === "||" ? node.args : null;
  if (node.op !== "?:") return null;
  const [test, then, otherwise] = node.args;
  const chosen = ask(test);
  return chosen === null ? test : chosen ? then : otherwise;
}

function answer(node: ASTNode, language: Environment, person: Person): Truth {
  const rule = readRule(serialize(node), language);
  return rule.as === "rule" ? truthOf(rule.ask(person)) : null;
}

/** The fields of the person that a part names, the longest path of each: `subject.profile.office`. */
function fieldsIn(part: ASTNode): readonly string[] {
  const nodes = nodesOf(part);
  const inside = new Set(nodes.flatMap((node) => (node.op === "." ? [node.args[0]] : [])));
  return nodes
    .filter((node) => node.op === "." && isField(node) && !inside.has(node))
    .map((node) => serialize(node));
}

function isField(part: ASTNode): boolean {
  let node = part;
  while (node.op === ".") node = node.args[0];
  return node.op === "id" && node.args === "subject";
}

function shownValue(name: string, person: Person): string {
  try {
    const value = name
      .split(".")
      .slice(1)
      .reduce<unknown>((held, member) => (held as Readonly<Record<string, unknown>>)[member], person);
    if (value === undefined) return "not there";
    const isEnum = typeof value === "object" && value !== null && "name" in value;
    return isEnum ? String(value.name) : JSON.stringify(value);
  } catch {
    return "not known";
  }
}
