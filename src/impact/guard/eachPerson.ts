import type { ASTNode } from "@marcbachmann/cel-js";
import { nodesIn, nodesOf, textIn } from "../../manifest/cel.js";
import { HAS, VARIABLES } from "./language.js";
import type { PersonField } from "./peopleIndex.js";

/** What is asked about a list of people: whether one, all or exactly one of them is so, or which are. */
export type Quantifier = "exists" | "all" | "exists_one" | "filter";

/** A list of people of the input. */
type PeopleList = "gain" | "lose" | "enter" | "leave";

/** A part of an expression that asks each person of a list the same: `people.gain.exists(p, p.department == "Tax")`. */
export interface EachPerson {
  readonly node: ASTNode;
  readonly quantifier: Quantifier;
  readonly list: PeopleList;
  readonly variable: string;
  readonly body: ASTNode;
  /** What the body reads of a person. */
  readonly fields: readonly PersonField[];
  /** Whether it asks who holds something. */
  readonly asksHolds: boolean;
  /** What it reads of the step, as expressions; null where that is not written as names alone. */
  readonly others: readonly string[] | null;
}

const QUANTIFIERS: readonly string[] = ["exists", "all", "exists_one", "filter"] satisfies Quantifier[];
const LISTS: readonly string[] = ["gain", "lose", "enter", "leave"] satisfies PeopleList[];
const MACROS: ReadonlySet<string> = new Set([...QUANTIFIERS, "map"]);

/** What is the same for all steps of a plan, and no list. */
const COMMON: readonly string[] = ["context", "today"];

/** The parts that are asked about each person of a list, of an expression in which `has` asks by its other name. */
export function eachPersonIn(ast: ASTNode): readonly EachPerson[] {
  const found: EachPerson[] = [];
  visit(ast, new Set());
  return found;

  function visit(node: ASTNode, bound: ReadonlySet<string>): void {
    const one = eachPersonAt(node, bound);
    if (one !== null) found.push(one);
    const inside = new Set([...bound, ...boundBy(node)]);
    for (const inner of nodesIn(node.args)) visit(inner, inside);
  }
}

/** `bound` are the names that have a meaning of their own where the node stands. */
function eachPersonAt(node: ASTNode, bound: ReadonlySet<string>): EachPerson | null {
  if (node.op !== "rcall") return null;
  const [quantifier, receiver, [variable, body, more]] = node.args;
  if (!isOneOf<Quantifier>(quantifier, QUANTIFIERS) || body === undefined || more !== undefined) return null;
  const { root, names } = rowOf(receiver) ?? {};
  const [list = "", deeper] = names ?? [];
  if (root !== "people" || bound.has(root) || deeper !== undefined) return null;
  if (!isOneOf<PeopleList>(list, LISTS) || variable?.op !== "id" || isVariable(variable.args)) return null;
  const read = readBy(body, variable.args, bound);
  return read === null ? null : { node, quantifier, list, variable: variable.args, body, ...read };
}

function isVariable(name: string): boolean {
  return VARIABLES.step.includes(name);
}

function isOneOf<Word extends string>(word: string, words: readonly string[]): word is Word {
  return words.includes(word);
}

/** The names that a node gives to values for what is inside it. */
function boundBy(node: ASTNode): readonly string[] {
  if (node.op !== "rcall") return [];
  const [name, , [variable]] = node.args;
  return (MACROS.has(name) || name === "bind") && variable?.op === "id" ? [variable.args] : [];
}

/** What an expression about one person reads; null where that is more than the person, the step, and what is common. */
function readBy(
  body: ASTNode,
  person: string,
  outside: ReadonlySet<string>,
): Pick<EachPerson, "fields" | "others" | "asksHolds"> | null {
  const inside = nodesOf(body).flatMap(boundBy);
  if ([...inside, person].some((name) => isVariable(name) || outside.has(name)) || inside.includes(person))
    return null;
  const fields = new Map<string, PersonField>();
  const others = new Set<string>();
  let [isRead, isNamed, asksHolds] = [true, true, false];
  visit(body);
  return isRead ? { fields: [...fields.values()], others: isNamed ? [...others] : null, asksHolds } : null;

  function visit(node: ASTNode): void {
    const row = rowOf(node);
    if (row === null) {
      const [asked, ...more] = node.op === "call" && node.args[0] === "holds" ? node.args[1] : [];
      const isOfPerson = asked?.op === "id" && asked.args === person;
      if (isOfPerson) fields.set("id", ["id"]);
      asksHolds ||= asked !== undefined;
      for (const inner of isOfPerson ? more : nodesIn(node.args)) visit(inner);
    } else if (row.root === person) {
      const [name, ...inner] = row.names;
      if (name === undefined) isRead = false;
      else fields.set(row.text, [name, ...inner]);
    } else if (row.root === "step") {
      others.add(row.text);
      isNamed &&= row.names.length > 0;
    } else if (COMMON.includes(row.root)) return;
    else if (isVariable(row.root) || outside.has(row.root)) isRead = false;
  }
}

/** `a.b["c"]`, or `has(a.b)`. */
interface Row {
  readonly root: string;
  readonly names: readonly string[];
  readonly text: string;
}

function rowOf(node: ASTNode): Row | null {
  if (node.op === "id") return { root: node.args, names: [], text: node.args };
  const isAsked = node.op === "call" && node.args[0] === HAS;
  if (!isAsked && node.op !== "." && node.op !== "[]") return null;
  const [of, name] = (isAsked ? node.args[1] : node.args) as readonly [ASTNode, ASTNode | string];
  const outer = rowOf(of);
  const last = typeof name === "string" ? name : textIn(name);
  if (outer === null || last === null) return null;
  const { root, names, text } = outer;
  const key = JSON.stringify(last);
  const chosen = node.op === "." ? `${text}.${last}` : `${text}[${key}]`;
  return { root, names: [...names, last], text: isAsked ? `${HAS}(${text}, ${key})` : chosen };
}
