import type { Diagnostic, Severity } from "../../model/diagnostic.js";

/** How many diagnostics of each severity there are, and in how many files. */
interface Counts {
  readonly errors: number;
  readonly warnings: number;
  readonly notes: number;
  readonly files: number;
}

/** Counts diagnostics. */
export function count(diagnostics: readonly Diagnostic[]): Counts {
  const of = (severity: Severity) =>
    diagnostics.filter((diagnostic) => diagnostic.severity === severity).length;
  const files = new Set(diagnostics.flatMap((diagnostic) => diagnostic.span?.file ?? []));
  return { errors: of("error"), warnings: of("warning"), notes: of("note"), files: files.size };
}

/** Counts as the start of a sentence: `2 errors, 1 warning in 3 files`. */
export function formatCounts(counts: Counts): string {
  const parts = [
    many(counts.errors, "error"),
    many(counts.warnings, "warning"),
    many(counts.notes, "note"),
  ].filter((part) => part !== "");
  const files = counts.files === 0 ? "" : ` in ${many(counts.files, "file")}`;
  return parts.length === 0 ? "no diagnostics" : `${parts.join(", ")}${files}`;
}

function many(number: number, noun: string): string {
  return number === 0 ? "" : `${number} ${noun}${number === 1 ? "" : "s"}`;
}
