import type { Person } from "../impact/person.js";

/** Members of the profile that have the name of a manager, or a name in full. */
const NAMES = /manager|supervisor|boss|(full|display)[ _-]?name/i;

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
