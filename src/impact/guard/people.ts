import type { JsonObject } from "../../model/json.js";
import type { Person } from "../person.js";
import { NotRead } from "../rule/fault.js";

/** Some people, or why it is not known who they are. */
export type People = { readonly people: readonly Person[] } | { readonly unknown: string };

/** What a step, or all steps together, mean for people. */
export interface PeopleView {
  /** Those who may gain access, and those who may lose it. */
  readonly gain: People;
  readonly lose: People;
  /** Those who may enter a review, and those who may leave one. They keep their access. */
  readonly enter: People;
  readonly leave: People;
  /** How many keep their access. */
  readonly keep: { readonly count: number } | { readonly unknown: string };
}

const NOBODY: People = { people: [] };

/** What means nothing for anyone. */
export const NO_PEOPLE: PeopleView = {
  gain: NOBODY,
  lose: NOBODY,
  enter: NOBODY,
  leave: NOBODY,
  keep: { count: 0 },
};

/** Of which nothing is known, for one reason. */
export function unknownPeople(why: string): PeopleView {
  const unknown = { unknown: why };
  return { gain: unknown, lose: unknown, enter: unknown, leave: unknown, keep: unknown };
}

/** Several as one, in which each person is once; unknown where one of them is. */
export function allPeople(views: readonly PeopleView[]): PeopleView {
  if (views.length < 2) return views[0] ?? NO_PEOPLE;
  const together = (which: Exclude<keyof PeopleView, "keep">): People => {
    const found = new Map<string, Person>();
    for (const view of views) {
      const some = view[which];
      if ("unknown" in some) return some;
      for (const person of some.people) found.set(person.id, person);
    }
    return { people: [...found.values()] };
  };
  return {
    gain: together("gain"),
    lose: together("lose"),
    enter: together("enter"),
    leave: together("leave"),
    keep: KEPT_BY_SEVERAL,
  };
}

const KEPT_BY_SEVERAL = { unknown: "a person may keep something by several steps" };

/** The fields of `people`, by their types. */
export const PEOPLE_FIELDS = {
  gain: "list<User>",
  lose: "list<User>",
  enter: "list<User>",
  leave: "list<User>",
  keep: "int",
} as const satisfies Readonly<Record<keyof PeopleView, string>>;

/** `people` as expressions read it. */
export class PeopleValue {
  readonly #view: PeopleView;
  readonly #hearing: Hearing;

  constructor(view: PeopleView, hearing: Hearing) {
    this.#view = view;
    this.#hearing = hearing;
  }

  get gain(): readonly Person[] {
    return this.#list("gain");
  }

  get lose(): readonly Person[] {
    return this.#list("lose");
  }

  get enter(): readonly Person[] {
    return this.#list("enter");
  }

  get leave(): readonly Person[] {
    return this.#list("leave");
  }

  get keep(): bigint {
    const { keep } = this.#view;
    return "count" in keep ? BigInt(keep.count) : this.#missing("keep", keep.unknown);
  }

  /** Whether there is someone. */
  has(name: string): boolean {
    if (name === "keep") return this.keep > 0n;
    if (name === "gain" || name === "lose" || name === "enter" || name === "leave")
      return this.#list(name).length > 0;
    throw new Error(`no field ${name} exists`);
  }

  #list(name: Exclude<keyof PeopleView, "keep">): readonly Person[] {
    const some = this.#view[name];
    return "people" in some ? some.people : this.#missing(name, some.unknown);
  }

  #missing(name: string, why: string): never {
    this.#hearing.unknown ??= `people.${name} is unknown: ${why}`;
    throw new NotRead(`people.${name}`, { by: "the guard", why: `which is unknown: ${why}` });
  }
}

/** A value of a guard's input as data: what it contains, and the fields of it that are not known, each with the reason. */
export interface GuardView {
  readonly values: JsonObject;
  readonly unknown: ReadonlyMap<string, string>;
  /** Fields that have unknown fields of their own. */
  readonly inner?: ReadonlyMap<string, GuardView>;
}

/** Hears why something that an evaluation read is not known; it keeps the first reason. */
export interface Hearing {
  unknown: string | null;
}

/** The unknown fields of what is known. */
export const KNOWN: ReadonlyMap<string, string> = new Map();
