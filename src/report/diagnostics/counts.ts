import type { Diagnostic, Severity } from "../../model/diagnostic.js";
import { many } from "../text/layout.js";

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
  const found = (["error", "warning", "note"] as const).flatMap((severity) => {
    const number = counts[`${severity}s`];
    return number === 0 ? [] : [many(number, severity)];
  });
  const files = counts.files === 0 ? "" : ` in ${many(counts.files, "file")}`;
  return found.length === 0 ? "no diagnostics" : `${found.join(", ")}${files}`;
}
