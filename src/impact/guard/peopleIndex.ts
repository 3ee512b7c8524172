import { canonical } from "../../model/json.js";
import type { Person } from "../person.js";

/** The people of one plan. Each has a number, so that many guards can ask about long lists of them. */
export interface PeopleIndex {
  /** The people of a list, by their numbers. */
  readonly numbersOf: (list: readonly Person[]) => Int32Array;
  /** The people of a list, and those who were asked about before, in groups of those who are equal in some fields. */
  readonly groupsBy: (fields: readonly PersonField[], list: readonly Person[]) => AlikeGroups;
}

/** A field of a person, or of what a field contains. */
export type PersonField = readonly [name: string, ...inner: readonly string[]];

/** People in groups of those who are equal in some fields: what reads only these fields is the same for a group. */
interface AlikeGroups {
  /** The group of each person, by number. */
  readonly of: Int32Array;
  /** One person of each group. */
  readonly first: readonly Person[];
  /** The groups of a list, each as a bit. */
  readonly bitsOf: (list: readonly Person[]) => Uint32Array;
}

/** An index without people yet. Lists are numbered when they are first asked about. */
export function indexPeople(): PeopleIndex {
  const people: Person[] = [];
  const numbers = new Map<Person, number>();
  const lists = new Map<readonly Person[], Int32Array>();
  // Lists of one tenant have their people in the same order: who came after someone mostly does so again.
  const after: number[] = [];
  const grouped = new Map<string, ReturnType<typeof groupsOf>>();
  const named = new Map<readonly PersonField[], ReturnType<typeof groupsOf>>();

  const numberOf = (person: Person): number => {
    const known = numbers.get(person);
    if (known !== undefined) return known;
    numbers.set(person, people.length);
    return people.push(person) - 1;
  };
  const numbersOf = (list: readonly Person[]): Int32Array => {
    const known = lists.get(list);
    if (known !== undefined) return known;
    const made = new Int32Array(list.length);
    let before = -1;
    for (const [at, person] of list.entries()) {
      const guess = after[before + 1] ?? 0;
      const number = people[guess] === person ? guess : numberOf(person);
      after[before + 1] = number;
      made[at] = number;
      before = number;
    }
    lists.set(list, made);
    return made;
  };
  return {
    numbersOf,
    groupsBy(fields, list) {
      numbersOf(list);
      const known =
        named.get(fields) ?? grouped.get(JSON.stringify(fields)) ?? groupsOf(people, fields, numbersOf);
      if (!named.has(fields)) grouped.set(JSON.stringify(fields), known);
      named.set(fields, known);
      return known();
    },
  };
}

function groupsOf(
  people: readonly Person[],
  fields: readonly PersonField[],
  numbersOf: PeopleIndex["numbersOf"],
): () => AlikeGroups {
  const ids = new Map<string, number>();
  const first: Person[] = [];
  const lists = new Map<readonly Person[], Uint32Array>();
  let of = new Int32Array(0);

  /** Puts those into groups who were numbered since the last time. */
  const grow = () => {
    if (of.length === people.length) return;
    const more = new Int32Array(people.length);
    more.set(of);
    for (let number = of.length; number < people.length; number++) more[number] = groupOf(number);
    of = more;
  };
  const groupOf = (number: number): number => {
    const person = people[number];
    if (person === undefined) throw new Error("a number without a person");
    const spelled = fields.map((field) => spellingOf(person, field)).join("\n");
    const known = ids.get(spelled);
    if (known !== undefined) return known;
    ids.set(spelled, first.length);
    return first.push(person) - 1;
  };
  const bitsOf = (list: readonly Person[]): Uint32Array => {
    const known = lists.get(list);
    if (known !== undefined) return known;
    const made = new Uint32Array(Math.ceil(first.length / 32));
    for (const number of numbersOf(list)) addBit(made, of[number] ?? 0);
    lists.set(list, made);
    return made;
  };
  return () => {
    grow();
    return { of, first, bitsOf };
  };
}

/** What a person has in a field, as a text; a field that was not read has the reason. */
function spellingOf(person: Person, [name, ...inner]: PersonField): string {
  try {
    let value = (person as unknown as Readonly<Record<string, unknown>>)[name];
    for (const part of inner) {
      const isObject = typeof value === "object" && value !== null && Object.hasOwn(value, part);
      value = isObject ? (value as Readonly<Record<string, unknown>>)[part] : undefined;
    }
    if (typeof value === "string") return JSON.stringify(value);
    return value === undefined ? "" : canonical(value);
  } catch (error) {
    return `not read: ${error instanceof Error ? error.message : ""}`;
  }
}

/** Sets one bit. */
export function addBit(bits: Uint32Array, at: number): void {
  const word = at >>> 5;
  bits[word] = (bits[word] ?? 0) | (1 << (at & 31));
}
