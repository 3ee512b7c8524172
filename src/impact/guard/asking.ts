import type { ASTNode, ParseResult } from "@marcbachmann/cel-js";
import { replaceNode } from "../../manifest/cel.js";
import type { Person } from "../person.js";
import { type EachPerson, eachPersonIn, type Quantifier } from "./eachPerson.js";
import type { GuardInput, HeldFrom } from "./input.js";
import { ASK, type AskPeople, type GuardLanguage, type GuardVariables, KEEP } from "./language.js";
import { PeopleValue } from "./people.js";
import { addBit } from "./peopleIndex.js";

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
