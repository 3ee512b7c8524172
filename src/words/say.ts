import { type Address, formatAddress } from "../model/address.js";
import type { Diagnostic, Severity, Span } from "../model/diagnostic.js";
import type { Json } from "../model/json.js";
import type { Sentence, Template } from "./saying.js";
import { type Code, rowOf } from "./sections.js";

/** Every sentence by its key: its code, or `code#case` where the code has several. */
type Sentences = {
  [C in keyof Code as Code[C] extends { readonly message: unknown } ? C : never]: Code[C];
} & {
  [K in CaseKey<keyof Code>]: K extends `${infer C extends keyof Code}#${infer S}`
    ? CaseOf<Code[C], S>
    : never;
};

type CaseKey<C extends keyof Code> = C extends keyof Code
  ? Code[C] extends { readonly cases: infer S }
    ? `${C}#${keyof S & string}`
    : never
  : never;

/** A case of a row, with the row's severity and hint where it has none of its own. */
type CaseOf<R, S> = R extends { readonly cases: infer All }
  ? S extends keyof All
    ? Omit<R, keyof All[S]> & All[S]
    : never
  : never;

/** A sentence of the table. */
export type Said = keyof Sentences;

type Member<R, M extends string> = R extends { readonly [N in M]: infer T } ? T : undefined;

/** The values of a sentence and of its hint. */
export type ValuesOf<K extends Said> = Values<Member<Sentences[K], "message">> &
  Values<Member<Sentences[K], "hint">>;

/** What a sentence is: a diagnostic without a place. */
type Spoken<K extends Said> = {
  readonly code: string;
  readonly severity: Member<Sentences[K], "severity">;
  readonly message: string;
} & (Sentences[K] extends { readonly hint: unknown } ? { readonly hint: string } : unknown);

/** Where it is said, if that is known, or what differs there: another severity, a hint that names what was meant. */
interface Place {
  readonly span?: Span | null;
  readonly hint?: string | undefined;
  readonly severity?: Severity;
}

type Placed<P> = Omit<P, "span" | "hint"> &
  Pick<Diagnostic, "span" | "hint"> &
  (P extends { readonly hint: string } ? { readonly hint: string } : unknown);

/** Sentences without values. */
type Fixed = { [K in Said]: keyof ValuesOf<K> extends never ? K : never }[Said];

/** The diagnostic of a sentence, with its values filled in and its place beside them. */
export function say<K extends Fixed>(key: K): Spoken<K>;
export function say<K extends Said, const P extends object = object>(
  key: K,
  values: ValuesOf<K>,
  place?: P & Place,
): Spoken<K> & Placed<P>;
export function say(key: string, values: unknown = {}, at: object = {}): object {
  return sayNamed(key, values, at);
}

type Named = Pick<Diagnostic, "code" | "severity" | "message" | "hint">;

/** The same for a sentence that data names, such as a schema: a test checks that there is one, and its values. */
export function sayNamed(key: string, values: unknown, at: object = {}): Named {
  const { hint, span = null, ...place }: Place = at;
  const [code = "", of] = key.split("#");
  const row = rowOf(code);
  const said: Sentence | undefined = of === undefined ? row : row.cases?.[of];
  if (said?.message === undefined) throw new Error(`nothing is said of ${key}`);
  const usual = said.hint ?? row.hint;
  const next = hint ?? (usual === undefined ? undefined : render(usual, values));
  return {
    code,
    severity: said.severity ?? row.severity,
    message: render(said.message, values),
    ...(next === undefined ? {} : { hint: next }),
    ...(span === null ? {} : { span }),
    ...place,
  };
}

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
