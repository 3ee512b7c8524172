import type { Severity } from "../model/diagnostic.js";

/**
 * A sentence with places for values, as `render.ts` fills them in; or a function, where a sentence has parts that depend on its
 * values.
 */
export type Template = string | ((values: never) => string);

/** What is said: what happened, and what to do next. */
export interface Sentence {
  readonly message?: Template;
  readonly hint?: Template;
  /** Where it is not the usual one of its code. */
  readonly severity?: Severity;
}

/** A code: what it means in every manifest and plan, and all that is ever said of it. */
export interface Saying extends Sentence {
  readonly severity: Severity;
  /** What is wrong, whatever the place. */
  readonly title: string;
  /** What to do, whatever the place; without it, the hint says that, and has no values. */
  readonly help?: string;
  /** How a run ends that this code alone stopped; without it, the exit code follows from when the run stopped. */
  readonly exit?: "error" | "partial" | "refused" | "invalid";
  /**
   * Where a statement stands: below the head, before or after the steps, or among the details that a terminal shows with `-v`;
   * without it, at the end.
   */
  readonly rank?: "top" | "before" | "after" | "end" | "detail";
  /** Where each object of a statement is a sentence of its own; without it, all are names in one. */
  readonly lists?: "lines";
  /** Where one code has several sentences: `say("file/missing#link", …)`. Each has the hint above, or one of its own. */
  readonly cases?: Readonly<Record<string, Sentence>>;
}

/** Codes about one thing, under a heading of docs/diagnostics.md. */
export interface Section {
  readonly heading: string;
  readonly intro?: string;
  readonly rows: Readonly<Record<string, Saying>>;
}
