import type { Diagnostic, Severity, Span } from "../model/diagnostic.js";
import { render, type Values } from "./render.js";
import type { Sentence } from "./saying.js";
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
