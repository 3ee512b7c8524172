import stringWidth from "string-width";
import { byPlace, type Diagnostic, type Excerpt, type Span } from "../../../model/diagnostic.js";
import { headline } from "../../diagnostics/brief.js";
import { count, formatCounts } from "../../diagnostics/counts.js";
import { wrap } from "../../text/layout.js";
import { type Paint, plain, withNames } from "../../text/paint.js";
import { tame, visible } from "../../text/visible.js";

/** How diagnostics are printed for a person. */
interface TextOptions {
  readonly paint?: Paint;
  /** Columns of the screen: sentences are wrapped there and excerpts of files are cut. Without a screen, only excerpts are. */
  readonly columns?: number;
}

/** The most columns of an excerpt, and the columns around it. */
const WIDEST = 100;

const FRAME = "│ ……".length;

/** A line of a file as it is shown, and the line with the carets under it. */
interface Pointed {
  readonly line: string;
  readonly carets: string;
}

/** One character as a reader sees it: its text on the screen, and its columns in the file. */
interface Cell {
  readonly text: string;
  readonly width: number;
  readonly from: number;
  readonly to: number;
}

const TAB_STOP = 4;

const CUT = "…";

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
    lines.push(...wrap(`${place} ${withNames(tame(other.message), paint)}`, page, margin, `${margin}  `));
  }
  if (hint !== undefined)
    lines.push(
      ...wrap(withNames(tame(hint), paint), page, `${margin}${paint("frame", "=")} `, `${margin}  `),
    );
  return `${lines.join("\n")}\n`;
}

/** A place in the form that editors and terminals use: `reviews/q4.yaml:14:7`. */
function formatPlace(span: Span): string {
  return `${tame(span.file)}:${span.start.line}:${span.start.column}`;
}

/** Shows an excerpt no wider than `width`, with carets under the span, measured by visible width, not by code units. */
function point(excerpt: Excerpt, span: Span, width: number): Pointed {
  const from = Math.max(0, span.start.column - excerpt.column);
  const to = span.end.line > span.start.line ? excerpt.text.length : span.end.column - excerpt.column;
  const cells = toCells(excerpt.text, from, width);
  const first = cells.findIndex((cell) => cell.to > from);
  const start = first === -1 ? cells.length : first;
  const stop = cells.findLastIndex((cell) => cell.from < to) + 1;
  const [left, right] = fitted(cells, start, Math.max(start + 1, stop), width);
  const shown = cells.slice(left, right);
  const begun = excerpt.column > 1 || left > 0 || (cells[0]?.from ?? 0) > 0 ? CUT : "";
  const ended = (cells[right - 1]?.to ?? 0) < excerpt.text.length ? CUT : "";
  const before = widthOf(cells.slice(left, start)) + begun.length;
  const marked = widthOf(cells.slice(start, Math.min(stop, right)));
  return {
    line: `${begun}${shown.map((cell) => cell.text).join("")}${ended}`,
    carets: " ".repeat(before) + "^".repeat(Math.max(1, marked)),
  };
}

/** The characters around a place; of a very long line only those that could be shown. */
function toCells(text: string, from: number, width: number): readonly Cell[] {
  const reach = width * 4;
  const begin = Math.max(0, from - reach);
  const part = text.slice(begin, from + reach);
  const cells: Cell[] = [];
  let column = 0;
  for (const { segment, index } of new Intl.Segmenter("en").segment(part)) {
    const shown = segment === "\t" ? " ".repeat(TAB_STOP - (column % TAB_STOP)) : show(segment, part, index);
    const cell = {
      text: shown,
      width: stringWidth(shown),
      from: begin + index,
      to: begin + index + segment.length,
    };
    cells.push(cell);
    column += cell.width;
  }
  return cells;
}

/** A character as it is shown; the second # of `##[error]`, which is a command for a pipeline, is escaped. */
function show(segment: string, line: string, index: number): string {
  const isMark =
    segment === "#" && line[index - 1] === "#" && /^\w{0,20}\[/.test(line.slice(index + 1, index + 22));
  return isMark ? "\\#" : visible(segment);
}

/** The cells to show: all, or as many around the marked ones as fit. */
function fitted(
  cells: readonly Cell[],
  start: number,
  stop: number,
  width: number,
): readonly [number, number] {
  if (widthOf(cells) <= width) return [0, cells.length];
  const room = width - 2 * CUT.length;
  let left = start;
  let right = start;
  let used = 0;
  const grow = (cell: Cell | undefined) => {
    if (cell === undefined || used + cell.width > room) return false;
    used += cell.width;
    return true;
  };
  while (right < stop && grow(cells[right])) right += 1;
  const lead = used + Math.floor((room - used) / 2);
  while (left > 0 && used < lead && grow(cells[left - 1])) left -= 1;
  while (right < cells.length && grow(cells[right])) right += 1;
  while (left > 0 && grow(cells[left - 1])) left -= 1;
  return [left, right];
}

function widthOf(cells: readonly Cell[]): number {
  return cells.reduce((sum, cell) => sum + cell.width, 0);
}
