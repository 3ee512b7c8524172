import { isObject, type Json } from "../model/json.js";
import type { Path } from "../model/path.js";

const NOUNS: ReadonlyMap<string, string> = new Map([
  ["string", "a text"],
  ["object", "an object"],
  ["array", "a list"],
  ["boolean", "true or false"],
  ["integer", "a whole number"],
  ["number", "a number"],
  ["null", "null"],
]);

/** What a schema's types are called: `a text or an object`. Null is mentioned only where the value must be null. */
export function nounFor(types: readonly string[]): string {
  const told = types.length > 1 ? types.filter((type) => type !== "null") : types;
  return told.map((type) => NOUNS.get(type) ?? type).join(" or ");
}

/** What a value is called in a sentence. */
export function described(value: Json): string {
  if (value === null) return "empty";
  if (Array.isArray(value)) return "a list";
  if (isObject(value)) return "an object";
  if (typeof value === "string") return "a text";
  return typeof value === "boolean" ? `${value}` : `the number ${value}`;
}

const LONGEST = 80;

/** A value as it is quoted in a sentence, cut where it is too long for one. */
export function shown(value: Json): string {
  return JSON.stringify(typeof value === "string" ? short(value) : value);
}

/** A text, shortened where it is very long. */
export function short(text: string): string {
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}

/** What a place is called: the name of the member, or the item's number in its list; the whole is `root`. */
export function nameOf(path: Path, root: string): string {
  const last = path.at(-1);
  if (typeof last === "number") return `item ${last + 1} of ${nameOf(path.slice(0, -1), root)}`;
  return last ?? root;
}

/** Several names in a sentence, joined by the word. */
export function listed(names: readonly string[], word: "and" | "or"): string {
  const last = names.at(-1) ?? "";
  return names.length < 2 ? last : `${names.slice(0, -1).join(", ")} ${word} ${last}`;
}

/** A value as an author writes it on one line of YAML. */
export function shownInFlow(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(shownInFlow).join(", ")}]`;
  if (!isObject(value)) return typeof value === "string" && /^[\w.-]+$/.test(value) ? value : shown(value);
  const members = Object.entries(value).map(([name, member]) => `${name}: ${shownInFlow(member)}`);
  return members.length === 0 ? "{}" : `{ ${members.join(", ")} }`;
}
