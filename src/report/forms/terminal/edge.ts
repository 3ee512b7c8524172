import type { FieldReport, PlanReport, StepReport } from "../../plan/report.js";
import { freeAfter } from "../../plan/words/labels.js";
import { causeOf as causeOfField } from "../../plan/words/reasons.js";
import { beside, usable, widthOf } from "../../text/layout.js";
import type { Page } from "../../text/page.js";
import { tame } from "../../text/tame.js";

// The columns besides a path, a cause and a file: margins, a sign, a colon, and a line number of up to five digits.
const SPARE = 17;

/** A page with places at its right edge. */
export interface PlacedPage extends Page {
  /** The digits of the longest line number among its places. */
  readonly digits: number;
}

/** The page of a plan, and what all its places have in common. */
export interface PlanPage extends PlacedPage {
  /** The columns of the longest cause that stands beside a field. */
  readonly causes: number;
  /** The columns of the longest file of a field's place; null where not every line has room for its file. */
  readonly files: number | null;
}

/** The page of a plan: its edge is decided once, so that the places of all steps stand in one column. */
export function planPageOf({ steps, statements }: PlanReport, { columns, paint }: Page): PlanPage {
  const fields = steps.flatMap((step) => step.fields.map((field) => ({ field, step })));
  const lines = [
    ...steps.flatMap(({ place }) => (place === null ? [] : [place.line])),
    ...fields.flatMap(({ field }) => (field.line === null ? [] : [field.line])),
    ...statements.flatMap(({ objects }) =>
      objects.flatMap(({ place }) => (place === null ? [] : [place.line])),
    ),
  ];
  const digits = digitsOf(lines);
  const causes = widest(fields.map(({ field, step }) => causeOf(field, step)));
  const files = widest(fields.map(({ field, step }) => fileOf(step, field)));
  const paths = widest(fields.map(({ field }) => tame(field.path)));
  const hasRoom = usable(columns) - paths - causes - files >= SPARE;
  return { columns: usable(columns), paint, digits, causes, files: hasRoom ? files : null };
}

/** The digits of the longest of some line numbers. */
export function digitsOf(lines: readonly number[]): number {
  return String(lines.reduce((most, line) => Math.max(most, line), 1)).length;
}

/** A text with a place at the right edge: the files of all places of a page end in one column. */
export function besidePlace(
  text: string,
  place: string,
  { columns, paint, digits }: PlacedPage,
  indent: string,
  hanging = indent,
): readonly string[] {
  return beside(text, paint("frame", tame(place)), columns, indent, hanging, freeAfter(place, digits));
}

/** The right edge of a field: a text, and the columns after it that stay free. */
export interface Edge {
  readonly text: string;
  readonly free: number;
}

/** The right edge of the fields of a step: the cause, and the line, with its file where the page has room for files. */
export function edgeOf(
  step: StepReport,
  { paint, digits, causes, files }: PlanPage,
): (field: FieldReport) => Edge {
  return (field) => {
    // The line of another file says nothing without that file.
    const file = files === null && field.file === null ? "" : fileOf(step, field);
    const where = field.line === null ? "" : `${file}:${field.line}`;
    const cause = causeOf(field, step);
    const margin = " ".repeat(Math.max(0, (files ?? 0) - widthOf(file)));
    const text = cause === "" ? where : `${cause.padEnd(causes)}  ${margin}${where}`.trimEnd();
    return { text: paint("frame", text), free: freeAfter(text, digits) };
  };
}

function fileOf({ place }: StepReport, { file }: FieldReport): string {
  return file !== null ? tame(file) : place === null ? "" : tame(place.file);
}

/** Each field has its cause beside it only if the fields of the step have different causes; otherwise the step has it. */
function causeOf(field: FieldReport, { fields }: StepReport): string {
  const isMixed = new Set(fields.map(causeOfField)).size > 1;
  return isMixed ? tame(causeOfField(field)) : "";
}

function widest(texts: readonly string[]): number {
  return texts.reduce((most, text) => Math.max(most, widthOf(text)), 0);
}
