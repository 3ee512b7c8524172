import type { Environment } from "@marcbachmann/cel-js";
import { parseExpression, serialize, termsOf } from "../manifest/cel.js";
import type { Json } from "../model/json.js";
import { asAssumed, type Holding, holding, holdingOf } from "./holding.js";
import type { Person } from "./person.js";
import type { FieldsRead, SharedField } from "./rule/fieldsRead.js";
import { MISSING, type Rule, readRule } from "./rule/rule.js";

/** What can be asked about a person: a rule, or the users of a scope. */
export interface Askable {
  readonly about: (person: Person) => Holding;
  /** What of a person decides the answer; null where anything of them may. */
  readonly reads: FieldsRead | null;
  /** Whether it needs no limit of time. */
  readonly isQuick: boolean;
}

/** How it may be asked. */
export type AskableBy = Omit<Askable, "about">;

/** A question that has one answer for everyone. */
export const OF_ALL: AskableBy = { reads: { fields: [], profile: [] }, isQuick: true };

/** A question about each person by themselves. */
export const OF_ONE: AskableBy = { reads: null, isQuick: true };

/** What two questions read together. */
export function bothReads(one: FieldsRead | null, other: FieldsRead | null): FieldsRead | null {
  if (one === null || other === null) return null;
  return { fields: [...one.fields, ...other.fields], profile: [...one.profile, ...other.profile] };
}

/** People of one page who have the same answer. */
export interface Alike {
  /** What they share; null where it is not sure that another person has the same. */
  readonly values: string | null;
  readonly one: Person;
  /** Their places in the page. */
  readonly places: readonly number[];
}

type SortPage = (people: readonly Person[]) => readonly Alike[];

// Many rules read the same, so a page is sorted once for them.
const sorted = new WeakMap<readonly Person[], Map<string, readonly Alike[]>>();

/** Sorts pages by what is read of people; null for everything, which no two share. */
export function sortBy(reads: FieldsRead | null): SortPage {
  const fields = [...new Set(reads?.fields)].sort();
  const profile = [...new Set(reads?.profile)].sort();
  const name = reads === null ? "" : JSON.stringify([fields, profile]);
  const sort: SortPage = (people) =>
    reads === null ? people.map(alone) : alikeAmong(people, (person) => valuesOf(person, fields, profile));
  return (people) => {
    const pages = sorted.get(people) ?? new Map<string, readonly Alike[]>();
    const known = pages.get(name) ?? sort(people);
    sorted.set(people, pages.set(name, known));
    return known;
  };
}

function alone(one: Person, place: number): Alike {
  return { values: null, one, places: [place] };
}

function alikeAmong(people: readonly Person[], shared: (person: Person) => string | null): readonly Alike[] {
  const found = new Map<string, Alike & { readonly places: number[] }>();
  const others: Alike[] = [];
  people.forEach((one, place) => {
    const values = shared(one);
    const known = values === null ? undefined : found.get(values);
    if (known !== undefined) known.places.push(place);
    else if (values === null) others.push(alone(one, place));
    else found.set(values, { values, one, places: [place] });
  });
  return [...found.values(), ...others];
}

/** Each value with its length before it, so that no two lists of values are one text. The status of a person always counts. */
function valuesOf(person: Person, fields: readonly SharedField[], profile: readonly string[]): string | null {
  let values = person.status.name;
  for (const field of fields) {
    const value = person[field];
    values += spelled(typeof value === "string" ? value : value.name);
  }
  for (const name of profile) {
    const value = memberOf(person.profile[name], Object.hasOwn(person.profile, name));
    if (value === null) return null;
    values += value;
  }
  return values;
}

/** A member of a profile; null for what is compared in more ways than as a text. */
function memberOf(value: Json | undefined, isThere: boolean): string | null {
  if (!isThere) return ",";
  return typeof value === "string" ? spelled(value) : null;
}

function spelled(value: string): string {
  return `,${value.length}:${value}`;
}

type ReadableRule = Extract<Rule, { as: "rule" }>;

/**
 * An expression as a question about people. The answer for a person may be unknown, and one of the terms that all have to
 * hold may leave them out: then that is the answer.
 */
export function askableOf(expression: string, language: Environment): Askable {
  const rule = readRule(expression, language);
  if (rule.as === "rule") {
    let terms: readonly ReadableRule[] | null = null;
    const about = (person: Person) => {
      const held = holdingOf(rule, person);
      if (held.why === null || held.why === MISSING) return held;
      terms ??= termsIn(expression, language);
      return leftOutBy(terms, person) ?? held;
    };
    return { about, reads: rule.reads, isQuick: rule.isQuick };
  }
  const terms = termsIn(expression, language);
  const unknown = holding(null, rule.why);
  const about = (person: Person) => leftOutBy(terms, person) ?? unknown;
  const reads = terms.reduce<FieldsRead | null>((all, term) => bothReads(all, term.reads), OF_ALL.reads);
  return { about, reads, isQuick: terms.every(({ isQuick }) => isQuick) };
}

/** The terms of an expression that all have to hold, as far as they can be read; none where it is one term. */
function termsIn(expression: string, language: Environment): readonly ReadableRule[] {
  try {
    const terms = termsOf(parseExpression(expression).ast);
    if (terms.length < 2) return [];
    return terms.map((term) => readRule(serialize(term), language)).filter((term) => term.as === "rule");
  } catch {
    return [];
  }
}

/** What leaves a person out; null for nothing. */
function leftOutBy(terms: readonly ReadableRule[], person: Person): Holding | null {
  for (const term of terms) {
    const held = holdingOf(term, person);
    const isFalse = held.depends.length === 0 && asAssumed(held) === false;
    if (isFalse || held.why === MISSING) return held;
  }
  return null;
}
