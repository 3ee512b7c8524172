import type { ASTNode, ParseResult } from "@marcbachmann/cel-js";
import { nodesIn, nodesOf, replaceNode, textIn } from "../../manifest/cel.js";
import type { Person } from "../person.js";
import type { GuardInput, HeldFrom } from "./input.js";
import {
  ASK,
  type AskPeople,
  type GuardLanguage,
  type GuardVariables,
  HAS,
  KEEP,
  VARIABLES,
} from "./language.js";
import { PeopleValue } from "./people.js";
import { addBit, type PersonField } from "./peopleIndex.js";

/** What is asked about a list of people: whether one, all or exactly one of them is so, or which are. */
type Quantifier = "exists" | "all" | "exists_one" | "filter";

/** A list of people of the input. */
type PeopleList = "gain" | "lose" | "enter" | "leave";

/** A part of an expression that asks each person of a list the same: `people.gain.exists(p, p.department == "Tax")`. */
interface EachPerson {
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
const OF_EVERY_INPUT: readonly string[] = ["context", "today"];

/**
 * Lets an expression ask its lists of people by other means than the library, which looks at each person again for each
 * step. People who are equal in what it reads of them are asked about once. What it says stays the same.
 */
export function askPeopleOnce(ast: ASTNode, language: GuardLanguage): readonly AskPeople[] {
  return eachPersonIn(ast).map((each, at) => {
    const name = each.quantifier === "filter" ? KEEP : ASK;
    replaceNode(each.node, language.environment.parse(`${name}(${at})`).ast);
    return askingOf(each, language);
  });
}

// What is known of a group of people; 0 where it was not asked about.
const TRUE = 1;
const FALSE = 2;
const FAILED = 3;

/** From what it may be known who holds something. */
const SOURCES: readonly HeldFrom[] = ["the rules of the project", "the grants of the tenant"];

/** What was answered about groups of people. */
interface Answered {
  readonly states: Uint8Array;
  /** The groups for which the answer is the usual one, which decides nothing. */
  readonly usual: Uint32Array;
  /** The groups about which each of the sources answered. */
  readonly from: readonly Uint32Array[];
  readonly failures: Map<number, Failure>;
}

interface Failure {
  readonly error: unknown;
  /** What was not known; null where something else failed. */
  readonly unknown: string | null;
}

/** What the answers about a person depend on beside the step. */
const COMMON = ["index", "holds", "context", "today"] as const;

/** What is kept for other steps, in groups of people. */
const MOST_KEPT = 10_000_000;

function askingOf(each: EachPerson, language: GuardLanguage): AskPeople {
  const ask = language.aboutPerson(each.variable);
  replaceNode(ask.ast, each.body);
  const others = each.others?.map((text) => language.environment.parse(text)) ?? null;
  const answered = new Map<string, Answered>();
  let asked: GuardInput | null = null;

  return (facts, input) => {
    const people = listOf(facts, each);
    if (people.length === 0) return USUALLY[each.quantifier];
    // What the whole expression says is unknown already.
    if (language.hearing.unknown !== null) throw new Error("something else is unknown");
    if (COMMON.some((name) => asked?.[name] !== input[name])) answered.clear();
    asked = input;
    const groups = input.index.groupsBy(each.fields, people);
    const key = others === null ? null : keyOf(others, facts, language);
    const known = largeEnough(key === null ? undefined : answered.get(key), groups.first.length);
    if (answered.size * groups.first.length > MOST_KEPT) answered.clear();
    if (key !== null) answered.set(key, known);
    const bound = { ...facts };
    const learn = (group: number) => {
      bound[each.variable] = groups.first[group];
      learnOf(ask, bound, known, group, each, language);
    };
    const list = {
      people,
      numbers: input.index.numbersOf(people),
      bits: groups.bitsOf(people),
      of: groups.of,
    };
    return quantified(each.quantifier, list, known, learn, language);
  };
}

/** Reads a list of people, or fails where it is unknown. */
function listOf({ people }: GuardVariables, { list }: EachPerson): readonly Person[] {
  return people instanceof PeopleValue ? people[list] : [];
}

/** The values of what an expression reads of the step; null where they are unknown, or no plain values. */
function keyOf(
  others: readonly ParseResult[],
  facts: GuardVariables,
  { hearing }: GuardLanguage,
): string | null {
  try {
    const values = others.map((other): unknown => other(facts));
    if (values.some((value) => typeof value === "object")) return null;
    return JSON.stringify(values.map((value) => `${typeof value} ${String(value)}`));
  } catch {
    // The expression may not read it.
    hearing.unknown = null;
    return null;
  }
}

function largeEnough(known: Answered | undefined, count: number): Answered {
  if (known !== undefined && known.states.length >= count) return known;
  const states = new Uint8Array(count);
  states.set(known?.states ?? []);
  const bits = (some: Uint32Array | undefined) => {
    const made = new Uint32Array(Math.ceil(count / 32));
    made.set(some ?? []);
    return made;
  };
  const from = SOURCES.map((_, at) => bits(known?.from[at]));
  return { states, usual: bits(known?.usual), from, failures: known?.failures ?? new Map() };
}

/** Asks about one person of a group. What is unknown of one person may not matter where another decides. */
function learnOf(
  ask: ParseResult,
  facts: GuardVariables,
  { states, usual, from, failures }: Answered,
  group: number,
  { quantifier, asksHolds }: EachPerson,
  { hearing, heldFrom }: GuardLanguage,
): void {
  const before = asksHolds ? [...heldFrom] : [];
  if (asksHolds) heldFrom.clear();
  let state = FAILED;
  let error: unknown = null;
  try {
    const value: unknown = ask(facts);
    if (typeof value === "boolean") state = value ? TRUE : FALSE;
    else error = new TypeError("neither true nor false");
  } catch (thrown) {
    error = thrown;
  }
  if (hearing.unknown !== null) state = FAILED;
  if (state === FAILED) failures.set(group, { error, unknown: hearing.unknown });
  hearing.unknown = null;
  states[group] = state;
  if (state !== FAILED && state !== decisive(quantifier)) addBit(usual, group);
  if (!asksHolds) return;
  for (const [at, bits] of from.entries()) if (heldFrom.delete(SOURCES[at] as HeldFrom)) addBit(bits, group);
  for (const one of before) heldFrom.add(one);
}

/** What a quantifier says of people none of whom decides it. */
const USUALLY = { exists: false, all: true, exists_one: false, filter: [] } as const;

/** The answer about one person that decides what a quantifier says, or that it counts. */
function decisive(quantifier: Quantifier): number {
  return quantifier === "all" ? FALSE : TRUE;
}

/** People by their numbers, and the groups that they are in. */
interface Listed {
  readonly people: readonly Person[];
  readonly numbers: Int32Array;
  /** The group of each number. */
  readonly of: Int32Array;
  readonly bits: Uint32Array;
}

/** What a quantifier says of a list: one person who decides it does so whatever is unknown of another. */
function quantified(
  quantifier: Quantifier,
  list: Listed,
  { states, usual, from, failures }: Answered,
  learn: (group: number) => void,
  { hearing, heldFrom }: GuardLanguage,
): boolean | readonly Person[] {
  let [isDecided, isFailed] = [false, false];
  for (let word = 0; word < list.bits.length; word++) {
    for (let rest = (list.bits[word] ?? 0) & ~(usual[word] ?? 0); rest !== 0; rest &= rest - 1) {
      const group = word * 32 + (31 - Math.clz32(rest & -rest));
      if (states[group] === 0) learn(group);
      if (states[group] === FAILED) isFailed = true;
      else if (states[group] === decisive(quantifier)) isDecided = true;
    }
  }
  for (const [at, bits] of from.entries())
    if (overlap(list.bits, bits)) heldFrom.add(SOURCES[at] as HeldFrom);
  const isQuick = quantifier === "exists" || quantifier === "all";
  if (isDecided && isQuick) return quantifier === "exists";
  const groupAt = (at: number) => list.of[list.numbers[at] ?? 0] ?? 0;
  if (isFailed) {
    const first = list.people.findIndex((_, at) => states[groupAt(at)] === FAILED);
    const failure = failures.get(groupAt(first));
    hearing.unknown ??= failure?.unknown ?? null;
    throw failure?.error;
  }
  if (!isDecided) return USUALLY[quantifier];
  const found = list.people.filter((_, at) => states[groupAt(at)] === TRUE);
  return quantifier === "filter" ? found : found.length === 1;
}

function overlap(some: Uint32Array, others: Uint32Array): boolean {
  return some.some((word, at) => (word & (others[at] ?? 0)) !== 0);
}

/** The parts that are asked about each person of a list, of an expression in which `has` asks by its other name. */
function eachPersonIn(ast: ASTNode): readonly EachPerson[] {
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
    } else if (OF_EVERY_INPUT.includes(row.root)) return;
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
