import { type Count, certainIn } from "../impact/count.js";
import type { Person } from "../impact/person.js";
import type { BoundedRange, Spread, SpreadValue } from "../plan/people/impact.js";
import { isAboutUsers, type PeopleQuestion } from "../plan/people/question.js";
import { askedBy, isOfPerson, ofWork, valuesOf } from "./valuesSeen.js";

/** A value of which fewer people move has no name: it might tell who they are. */
const LEAST = 5;
/** So many values are named; the others are one. */
const MOST_VALUES = 12;
/** So many attributes are looked at. */
const MOST_ATTRIBUTES = 5;

/** What a plan tells apart even where no rule asks for it. */
const ALWAYS = ["department", "employmentType"];

/** What users have of some attributes: remembered once for all who have the same. */
export class Traits {
  readonly attributes: readonly string[];
  readonly #of = new Map<string, readonly string[]>();
  readonly #shared = new Map<string, readonly string[]>();

  constructor(asked: readonly PeopleQuestion[]) {
    const all = asked.flatMap((question) => (isAboutUsers(question) ? askedBy(question) : []));
    const fit = all
      .map(({ attribute }) => ofWork(attribute) ?? attribute)
      .filter((name) => !isOfPerson(name));
    this.attributes = [...new Set([...ALWAYS, ...fit])].slice(0, MOST_ATTRIBUTES);
  }

  add(people: readonly Person[]): void {
    for (const person of people) {
      const values = this.attributes.map((name) => onlyOf(valuesOf(person, name)));
      const name = values.join("\0");
      const shared = this.#shared.get(name);
      if (shared === undefined) this.#shared.set(name, values);
      this.#of.set(person.id, shared ?? values);
    }
  }

  /** The value that a person has of an attribute; empty for none, for several, and where it was not read. */
  traitOf(id: string, attribute: string): string {
    return this.#of.get(id)?.[this.attributes.indexOf(attribute)] ?? "";
  }
}

function onlyOf([value = "", ...others]: readonly string[]): string {
  return others.length > 0 ? "" : value;
}

/** Who gains and who loses, by what they have of each attribute that tells some of them apart. */
export function spreadOf(
  traits: Traits,
  personalIn: (values: readonly string[]) => ReadonlySet<string>,
  known: Readonly<Record<"gains" | "loses", readonly Count[]>>,
  together: Readonly<Record<"gains" | "loses", BoundedRange>>,
): readonly Spread[] {
  const sides = (["gains", "loses"] as const).map((side) => ({
    all: new Set(known[side].flatMap(({ people }) => people)),
    certain: certainIn(known[side]),
    together: together[side],
  }));
  const moved = new Set(sides.flatMap(({ all }) => [...all]));
  const shared = traits.attributes.map((attribute) => {
    const traitOf = (id: string) => traits.traitOf(id, attribute);
    const values = [...numbersOf(moved, traitOf)]
      .filter(([value, people]) => value !== "" && people >= LEAST)
      .sort(([one, some], [other, more]) => more - some || (one < other ? -1 : 1))
      .slice(0, MOST_VALUES)
      .map(([value]) => value);
    return { attribute, traitOf, values };
  });
  const personal = personalIn(shared.flatMap(({ values }) => values));
  return shared.flatMap(({ attribute, traitOf, values: all }) => {
    const named = all.filter((value) => !personal.has(value));
    if (named.length === 0) return [];
    const [gains, loses] = sides.map(({ all, certain, together: whole }) => {
      const [most, least] = [numbersOf(all, traitOf), numbersOf(certain, traitOf)];
      const rows = named.map((value) => ({ low: least.get(value) ?? 0, high: most.get(value) ?? 0 }));
      return [...rows, without(whole, rows)];
    });
    const values: readonly SpreadValue[] = [...named, null].map((value, at) => ({
      value,
      gains: gains?.[at] ?? NO_ONE,
      loses: loses?.[at] ?? NO_ONE,
    }));
    return [{ attribute, values: values.filter((one) => one.gains.high + one.loses.high > 0) }];
  });
}

const NO_ONE: BoundedRange = { low: 0, high: 0 };

function numbersOf(ids: ReadonlySet<string>, traitOf: (id: string) => string): ReadonlyMap<string, number> {
  const numbers = new Map<string, number>();
  for (const id of ids) {
    const trait = traitOf(id);
    numbers.set(trait, (numbers.get(trait) ?? 0) + 1);
  }
  return numbers;
}

/** What is left of a number of people without some of them. */
function without(whole: BoundedRange, some: readonly BoundedRange[]): BoundedRange {
  const left = (side: "low" | "high") => some.reduce((rest, one) => rest - one[side], whole[side]);
  const low = left("low");
  return { low, high: Math.max(low, left("high")) };
}
