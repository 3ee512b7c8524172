import { byPlace, type Diagnostic, type Span } from "../../../model/diagnostic.js";
import { headline } from "../../diagnostics/brief.js";
import { count, formatCounts } from "../../diagnostics/counts.js";
import { wrap } from "../../text/layout.js";
import { type Paint, plain } from "../../text/paint.js";
import { tame } from "../../text/visible.js";
import { point } from "./pointer.js";

/** How diagnostics are printed for a person. */
interface TextOptions {
  readonly paint?: Paint;
  /** Columns of the screen: sentences are wrapped there and excerpts of files are cut. Without a screen, only excerpts are. */
  readonly columns?: number;
}

/** The most columns of an excerpt, and the columns around it. */
const WIDEST = 100;
const FRAME = "│ ……".length;

/** Diagnostics for a person, by place, with the line and a caret under the fault; empty where there are none. */
export function toText(diagnostics: readonly Diagnostic[], options: TextOptions = {}): string {
  if (diagnostics.length === 0) return "";
  const texts = [...diagnostics].sort(byPlace).map((diagnostic) => formatDiagnostic(diagnostic, options));
  return `${texts.join("\n")}\n${formatCounts(count(diagnostics))}\n`;
}

/** One diagnostic for a person, of several lines. */
export function formatDiagnostic(diagnostic: Diagnostic, options: TextOptions = {}): string {
  const { paint = plain, columns } = options;
  const { severity, span, excerpt, hint, related = [] } = diagnostic;
  const number = span === undefined ? "" : String(span.start.line);
  const margin = " ".repeat(Math.max(2, number.length));
  const page = columns ?? Number.POSITIVE_INFINITY;
  const lines = [...wrap(headline(diagnostic, paint), page, "", "  ")];
  if (span !== undefined) lines.push(`${margin}${paint("frame", `┌ ${formatPlace(span)}`)}`);
  if (span !== undefined && excerpt !== undefined) {
    const { line, carets } = point(
      excerpt,
      span,
      Math.max(1, Math.min(WIDEST, page - margin.length - FRAME)),
    );
    lines.push(`${paint("frame", `${number.padStart(margin.length)}│`)}${line === "" ? "" : ` ${line}`}`);
    lines.push(`${margin}${paint("frame", "│")} ${paint(severity, carets)}`);
  }
  for (const other of related) {
    const place = paint("frame", `├ ${formatPlace(other.span)}`);
    lines.push(...wrap(`${place} ${tame(other.message)}`, page, margin, `${margin}  `));
  }
  if (hint !== undefined)
    lines.push(...wrap(tame(hint), page, `${margin}${paint("frame", "=")} `, `${margin}  `));
  return `${lines.join("\n")}\n`;
}

/** A place in the form that editors and terminals use: `reviews/q4.yaml:14:7`. */
function formatPlace(span: Span): string {
  return `${tame(span.file)}:${span.start.line}:${span.start.column}`;
}
