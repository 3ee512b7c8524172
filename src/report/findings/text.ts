import { byPlace, type Diagnostic, type Span } from "../../model/diagnostic.js";
import { tame } from "../tame.js";
import { count, formatCounts } from "./counts.js";
import { headline, nextStep } from "./notice.js";
import { type Paint, plain } from "./paint.js";
import { point } from "./pointer.js";

/** How findings are printed for a person. */
export interface TextOptions {
  readonly paint?: Paint;
  /** Columns that a line of a file may take. */
  readonly width?: number;
}

/** Findings for a person, by place, with the line and a caret under the fault; empty where there are none. */
export function toText(diagnostics: readonly Diagnostic[], options: TextOptions = {}): string {
  if (diagnostics.length === 0) return "";
  const findings = [...diagnostics].sort(byPlace).map((diagnostic) => formatFinding(diagnostic, options));
  return `${findings.join("\n")}\n${formatCounts(count(diagnostics))}\n`;
}

/** One finding for a person, of several lines. */
export function formatFinding(diagnostic: Diagnostic, options: TextOptions = {}): string {
  const { paint = plain, width = 100 } = options;
  const { severity, span, excerpt, hint, related = [] } = diagnostic;
  const number = span === undefined ? "" : String(span.start.line);
  const margin = " ".repeat(Math.max(2, number.length));
  const lines = [headline(diagnostic, paint)];
  if (span !== undefined) lines.push(`${margin}${paint("frame", `┌ ${formatPlace(span)}`)}`);
  if (span !== undefined && excerpt !== undefined) {
    const { line, carets } = point(excerpt, span, width);
    lines.push(`${paint("frame", `${number.padStart(margin.length)}│`)}${line === "" ? "" : ` ${line}`}`);
    lines.push(`${margin}${paint("frame", "│")} ${paint(severity, carets)}`);
  }
  for (const other of related) {
    lines.push(`${margin}${paint("frame", `├ ${formatPlace(other.span)}`)} ${tame(other.message)}`);
  }
  if (hint !== undefined) lines.push(nextStep(hint, paint, margin));
  return `${lines.join("\n")}\n`;
}

/** A place as editors and terminals know it: `reviews/q4.yaml:14:7`. */
export function formatPlace(span: Span): string {
  return `${tame(span.file)}:${span.start.line}:${span.start.column}`;
}
