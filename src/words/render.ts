import { type Address, formatAddress } from "../model/address.js";
import type { Json } from "../model/json.js";
import type { Template } from "./saying.js";

type Text = string | number | Address;

/** What stands between the braces of a sentence; a brace before a space is a brace of the sentence itself. */
type Slots<T extends string> = T extends `${string}{${infer After}`
  ? After extends `${infer Slot}}${infer Rest}`
    ? Slot extends "" | ` ${string}` | `${string}{${string}`
      ? Slots<After>
      : Slot | Slots<Rest>
    : never
  : never;

type Mark = ":" | "?" | "," | "&" | "|" | "!" | "`";

type NameOf<S extends string> = S extends `${infer Name}${Mark}${string}` ? Shortest<Name> : S;
type Shortest<N extends string> = N extends `${infer Name}${Mark}${string}` ? Name : N;

type ValueOf<N extends string, S extends string> = [
  Extract<S, `${N},` | `${N}&` | `${N}|` | `${N}\``>,
] extends [never]
  ? [Extract<S, `${N}:${string}` | `${N}?${string}`>] extends [never]
    ? [Extract<S, `${N}!`>] extends [never]
      ? Text
      : Json
    : number
  : readonly Text[];

/** The values that a sentence needs, each with the type that its place asks for. */
export type Values<T> = T extends string
  ? { readonly [N in NameOf<Slots<T>>]: ValueOf<N, Slots<T>> }
  : T extends (values: infer V) => string
    ? V
    : unknown;

const SLOT = /\{([a-z]\w*)(?:([:?,&|!`])([^{}]*))?\}/gi;

/**
 * A sentence with its values.
 *
 * - `{file}`: a text, a number or an address; `{name!}`: in quotes
 * - `{steps:step}`, `{entries:entry/entries}`: 1 step, 2 steps; `{steps?is/are}`: the word alone
 * - `{names,}`, `{names&}`, `{names|}`: a, b, c; a, b and c; a, b or c; with a back-tick in place of the comma, each is code
 */
export function render(template: Template, values: unknown): string {
  if (typeof template === "function") return template(values as never);
  const known = values as Readonly<Record<string, Text | readonly Text[]>>;
  return template.replaceAll(SLOT, (slot, name: string, mark: string | undefined, words: string) => {
    const value = known[name];
    if (value === undefined) throw new Error(`no value for ${slot}`);
    if (mark === "!") return JSON.stringify(value);
    return mark === undefined ? textOf(value as Text) : formatted(value, mark, words);
  });
}

function formatted(value: Text | readonly Text[], mark: string, words: string): string {
  const isOne = (Array.isArray(value) ? value.length : value) === 1;
  const [one = "", more = `${one}s`] = words.split("/");
  if (mark === ":") return `${textOf(value as Text)} ${isOne ? one : more}`;
  if (mark === "?") return isOne ? one : more;
  const list = (value as readonly Text[]).map(textOf);
  if (mark === "`") return list.map((item) => `\`${item}\``).join(", ");
  if (mark === "," || list.length < 2) return list.join(", ");
  return `${list.slice(0, -1).join(", ")} ${mark === "&" ? "and" : "or"} ${list.at(-1)}`;
}

function textOf(value: Text): string {
  return typeof value === "object" ? formatAddress(value) : `${value}`;
}
