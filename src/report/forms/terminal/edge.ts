import type { FieldReport, StepReport } from "../../plan/report.js";
import { freeAfter } from "../../plan/words/labels.js";
import { causeOf as causeOfField } from "../../plan/words/reasons.js";
import { beside, widthOf } from "../../text/layout.js";
import type { Page } from "../../text/page.js";
import { tame } from "../../text/tame.js";

// The columns besides a path, a cause and a file: margins, a sign, a colon, and a line number of up to five digits.
const SPARE = 17;

/** The page of a plan. */
export interface PlanPage extends Page {
  /** The digits of the longest line number among its places. */
  readonly digits: number;
}

/** A text with a place at the right edge: the files of all places of a plan end in one column. */
export function besidePlace(
  text: string,
  place: string,
  { columns, paint, digits }: PlanPage,
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

/** The right edge of the fields of a step: the cause, and the line, with its file if there is room for it in every line. */
export function edgeOf(step: StepReport, { columns, paint, digits }: PlanPage): (field: FieldReport) => Edge {
  const { fields, place } = step;
  const file = place === null ? "" : tame(place.file);
  const width = widest(fields.map((field) => causeOf(field, step)));
  const room = columns - widest(fields.map(({ path }) => tame(path))) - width - widthOf(file);
  return (field) => {
    const where = field.line === null ? "" : `${room >= SPARE ? file : ""}:${field.line}`;
    const cause = causeOf(field, step).padEnd(width);
    const text = [cause, where].filter((part) => part !== "").join("  ");
    return { text: paint("frame", text), free: freeAfter(text, digits) };
  };
}

/** Each field has its cause beside it only if the fields of the step have different causes; otherwise the step has it. */
function causeOf(field: FieldReport, { fields }: StepReport): string {
  const isMixed = new Set(fields.map(causeOfField)).size > 1;
  return isMixed ? tame(causeOfField(field)) : "";
}

function widest(texts: readonly string[]): number {
  return texts.reduce((most, text) => Math.max(most, widthOf(text)), 0);
}
