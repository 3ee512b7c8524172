/** A point in a file; line and column count from 1, columns in UTF-16 units. */
interface Position {
  readonly line: number;
  readonly column: number;
}

/** A stretch of a file; `end` is just past its last character. */
export interface Span {
  readonly file: string;
  readonly start: Position;
  readonly end: Position;
}

/** The offending line itself, so that any reader can show it without the file. */
export interface Excerpt {
  /** The text of the line; of a very long line, the part around the problem. */
  readonly text: string;
  /** The column of the first character of `text`, counted from 1. */
  readonly column: number;
}

/** A line of a file. */
export interface Line {
  readonly file: string;
  readonly line: number;
}

/** The line that a stretch begins on; null without one. */
export function lineAt(span: Span): Line;
export function lineAt(span: Span | null | undefined): Line | null;
export function lineAt(span: Span | null | undefined): Line | null {
  return span == null ? null : { file: span.file, line: span.start.line };
}

/** A line as a reader writes it: `groups.yaml:12`. */
export function formatLine({ file, line }: Line): string {
  return `${file}:${line}`;
}

export type Severity = "error" | "warning" | "note";

/** Another place that belongs to the problem, and why. */
export interface Related {
  readonly message: string;
  readonly span: Span;
}

/** A problem or a useful fact for an author or operator, with a code, a location and a next step. */
export interface Diagnostic {
  /** Stable and public, `area/fault`: `schema/unknown-field`. */
  readonly code: string;
  readonly severity: Severity;
  readonly message: string;
  readonly span?: Span;
  readonly excerpt?: Excerpt;
  /** What to do next, in one or two sentences. */
  readonly hint?: string;
  readonly related?: readonly Related[];
  /** What was checked, in words that are the same whether it passes or fails; only JUnit shows them. */
  readonly check?: string;
}

/** A stage's result, with its diagnostics. */
export interface Checked<T> {
  readonly value: T;
  readonly diagnostics: readonly Diagnostic[];
}

/** The result of a stage that refuses. */
export function refuse(diagnostic: Diagnostic): Checked<null> {
  return { value: null, diagnostics: [diagnostic] };
}

/** Whether anything in the list is an error. */
export function hasErrors(diagnostics: readonly Diagnostic[]): boolean {
  return diagnostics.some((diagnostic) => diagnostic.severity === "error");
}

/** The same list with every warning made an error, for `--strict`. */
export function strictly(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  return diagnostics.map((diagnostic) =>
    diagnostic.severity === "warning" ? { ...diagnostic, severity: "error" as const } : diagnostic,
  );
}

/** Orders diagnostics by file, line, column, then code, so that output never depends on timing. */
export function byPlace(one: Diagnostic, other: Diagnostic): number {
  const [a, b] = [one.span, other.span];
  if (a === undefined || b === undefined) return Number(a === undefined) - Number(b === undefined);
  if (a.file !== b.file) return a.file < b.file ? -1 : 1;
  return (
    a.start.line - b.start.line ||
    a.start.column - b.start.column ||
    (one.code === other.code ? 0 : one.code < other.code ? -1 : 1)
  );
}
