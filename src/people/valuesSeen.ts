import { fieldNamed } from "../impact/fieldNames.js";
import type { Person } from "../impact/person.js";
import { expressionOf } from "../impact/rule/needs.js";
import { type AskedValue, valuesAskedIn } from "../impact/valuesAsked.js";
import type { Json } from "../model/json.js";
import { isAboutUsers, type PeopleQuestion, type UserQuestion } from "../plan/people/question.js";
import { nearest, nearlySame } from "../schema/didYouMean.js";

/** Members of the profile that have the name of a manager, or a name in full. */
const NAMES = /manager|supervisor|boss|(full|display)[ _-]?name/i;

/** Attributes whose values say what people do, and not who they are. */
const OF_WORK = ["department", "jobTitle", "employmentType", "employmentStatus"] as const;

/** Members of the profile whose values may name a person. */
const OF_PERSON =
  /mail|manager|supervisor|boss|lead|owner|login|phone|(user|first|last|full|display|given|family|sur)[ _-]?name|(^|[ _-])id$|I[dD]$/i;

/** With more values than this, an attribute tells people apart. */
const MOST_VALUES = 1_000;

/** A value that fewer people have may say who they are. */
const SHARED_BY = 2;

const MOST_NEAR = 3;

/** So many values are compared with the names of all users. */
const MOST_TRIED = 20;

/** The values that users have of some attributes, to find the nearest to one that no one has. */
export class ValuesSeen {
  /** By attribute: how many people have each value; null for too many values. */
  readonly #counts: Map<string, Map<string, number> | null>;

  constructor(attributes: Iterable<string>) {
    this.#counts = new Map([...attributes].map((name) => [name, new Map()]));
  }

  add(people: readonly Person[]): void {
    for (const person of people)
      for (const name of this.#counts.keys()) this.#addValues(name, valuesOf(person, name));
  }

  /** Whether no user has a value of an attribute; false where its values were too many to remember. */
  isUnmet(attribute: string, value: string, isExact: boolean): boolean {
    const counts = this.#counts.get(attribute);
    if (counts === undefined || counts === null) return false;
    const low = value.toLowerCase();
    return !counts.has(value) && (isExact || ![...counts.keys()].some((one) => one.toLowerCase() === low));
  }

  /** The values nearest to one that several people have, and that say nothing of who they are. */
  nearestTo(attribute: string, value: string, names: NamesSeen): readonly string[] {
    if (isOfPerson(attribute)) return [];
    const counts = this.#counts.get(attribute) ?? new Map<string, number>();
    const shared = [...counts].filter(([, people]) => people >= SHARED_BY).map(([one]) => one);
    const near = nearest(value, shared.sort()).slice(0, MOST_TRIED);
    const personal = names.personalIn(near);
    const known = near.filter((one) => !personal.has(one));
    const best = nearlySame(value, known);
    return best === undefined ? known.slice(0, MOST_NEAR) : [best];
  }

  #addValues(name: string, values: readonly string[]): void {
    const counts = this.#counts.get(name);
    if (counts === undefined || counts === null) return;
    for (const value of values) if (value !== "") counts.set(value, (counts.get(value) ?? 0) + 1);
    if (counts.size > MOST_VALUES) this.#counts.set(name, null);
  }
}

/** Whether a member of the profile may say who someone is. */
export function isOfPerson(attribute: string): boolean {
  return attribute.startsWith("profile.") && OF_PERSON.test(attribute.slice("profile.".length));
}

/** The attribute of work that an expression names, however it spells it; undefined for another one. */
export function ofWork(attribute: string): (typeof OF_WORK)[number] | undefined {
  return OF_WORK.find((name) => name === fieldNamed(attribute));
}

/** What a person has of an attribute. */
export function valuesOf(person: Person, attribute: string): readonly string[] {
  const work = ofWork(attribute);
  if (work !== undefined) return [person[work]];
  if (!attribute.startsWith("profile.")) return [];
  const name = attribute.slice("profile.".length);
  return textsIn(Object.hasOwn(person.profile, name) ? person.profile[name] : undefined);
}

function textsIn(value: Json | undefined): readonly string[] {
  const all = Array.isArray(value) ? value : [value];
  return all.filter((one) => typeof one === "string");
}

/** The values of attributes that a rule asks for; those of a name, an address or an id are left out. */
export function askedBy({ after }: UserQuestion): readonly AskedValue[] {
  return valuesAskedIn(expressionOf(after ?? {}) ?? "").filter(
    ({ attribute }) => ofWork(attribute) !== undefined || attribute.startsWith("profile."),
  );
}

/** What the users have of the attributes that rules compare with values, before any of them was seen. */
export function valuesFor(asked: readonly PeopleQuestion[]): ValuesSeen {
  const values = asked.flatMap((question) => (isAboutUsers(question) ? askedBy(question) : []));
  return new ValuesSeen(new Set(values.map(({ attribute }) => attribute)));
}

/** The names of everyone who was read, and of those whom their profiles name: no value with one of them is shown. */
export class NamesSeen {
  readonly #own: string[] = [];
  readonly #ofOthers = new Set<string>();

  add(people: readonly Person[]): void {
    for (const { id, displayName, email, username, profile } of people) {
      this.#own.push(id, displayName, username);
      if (email !== username) this.#own.push(email);
      for (const member in profile) {
        const value = NAMES.test(member) ? profile[member] : null;
        if (typeof value === "string") this.#ofOthers.add(value);
      }
    }
  }

  /** The values with an address in them, or the id or the name of someone: with its first word or only its letter, in any order. */
  personalIn(values: readonly string[]): ReadonlySet<string> {
    const found = new Set(values.filter((value) => value.includes("@")));
    const left = values.map((value) => ({ value, words: new Set(wordsOf(value)) }));
    const known = new Set(left.flatMap(({ words }) => [...words]));
    for (const name of [...this.#own, ...this.#ofOthers]) {
      const all = wordsOf(name.replace(/\(.*?\)/g, ""));
      const [first = "", last = first] = [all[0], all.at(-1)];
      if (!known.has(first) && !known.has(last)) continue;
      for (const { value, words } of left)
        if (isIn(words, first, last) || isIn(words, last, first)) found.add(value);
    }
    return found;
  }
}

function isIn(words: ReadonlySet<string>, whole: string, other: string): boolean {
  return words.has(whole) && (words.has(other) || words.has(other.charAt(0)));
}

/** Letters of scripts that write no space between words: each is one. */
const WORDS =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]|[\p{L}\p{N}]+/gu;

// biome-ignore lint/suspicious/noControlCharactersInRegex: a text of ASCII has no marks
const ASCII = /^[\x00-\x7f]*$/;

/** The words of a text without capitals and marks: `José` is `jose`. */
function wordsOf(text: string): readonly string[] {
  const low = text.toLowerCase();
  if (ASCII.test(low)) return low.match(/[a-z0-9]+/g) ?? [];
  return low.normalize("NFD").replace(/\p{M}/gu, "").normalize("NFC").match(WORDS) ?? [];
}
