import { kinds } from "../kinds/index.js";
import { onceFor } from "../model/onceFor.js";
import type { Place } from "./resource.js";

/** A text that manifests are read from. */
export interface Source {
  /** As it is shown: relative to the project, `-` for standard input. */
  readonly file: string;
  readonly text: string;
  /** Whether the author named this very file; otherwise it was found in a folder. */
  readonly named: boolean;
}

/** How much of a long line is shown, and how much of that stands before the fault. */
const WINDOW = 240;
const LEAD = 80;

/** What a manifest says of itself; a file that says it nowhere may hold anything, a secret too. */
export const OF_REMIT = /apiVersion["']?\s*:\s*["'[]*remit\//;

/** How a manifest begins that has lost its version; another tool's document names its own. */
const KIND = new RegExp(`^["'{ ]*kind["']?:\\s*["']?(?:${kinds.map(({ name }) => name).join("|")})\\b`, "m");
const VERSION = /^["'{ ]*apiVersion["']?:/m;
const PROJECT_FILE = /(?:^|[/:])remit\.ya?ml$/;

/** What stands in the place of a file's name where the command line has the text. */
export const OF_COMMAND = "--rule";

/** Lines may be shown of a manifest, of the project file, and of what the operator piped in. */
const isQuotable = onceFor(
  ({ file, text }: Source) =>
    file === "-" ||
    file === OF_COMMAND ||
    PROJECT_FILE.test(file) ||
    OF_REMIT.test(text) ||
    (KIND.test(text) && !VERSION.test(text)),
  new WeakMap(),
);

/** The place of the characters from `start` up to, not including, `end`. */
export function placeAt(source: Source, start: number, end: number): Place {
  const starts = linesOf(source);
  const from = positionAt(source, starts, start);
  const to = positionAt(source, starts, Math.max(start, end));
  return {
    span: { file: source.file, start: from, end: to },
    ...(isQuotable(source) && { excerpt: excerptAt(source, starts, from.line, from.column) }),
  };
}

/** Where each line of a source begins. */
const linesOf = onceFor((source: Source): readonly number[] => {
  const starts = [0];
  for (let at = source.text.indexOf("\n"); at >= 0; at = source.text.indexOf("\n", at + 1))
    starts.push(at + 1);
  return starts;
}, new WeakMap());

function positionAt(source: Source, starts: readonly number[], offset: number) {
  const inside = Math.min(Math.max(0, offset), source.text.length);
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((starts[middle] ?? 0) <= inside) low = middle;
    else high = middle - 1;
  }
  return { line: low + 1, column: inside - (starts[low] ?? 0) + 1 };
}

function excerptAt(source: Source, starts: readonly number[], line: number, column: number) {
  const start = starts[line - 1] ?? 0;
  const next = starts[line] ?? source.text.length + 1;
  const text = source.text.slice(start, next - 1).replace(/\r$/, "");
  if (text.length <= WINDOW) return { text, column: 1 };
  const from = Math.max(0, Math.min(column - 1 - LEAD, text.length - WINDOW));
  return { text: text.slice(from, from + WINDOW), column: from + 1 };
}
