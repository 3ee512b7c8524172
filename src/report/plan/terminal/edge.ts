import { widthOf } from "../../text/layout.js";
import type { Page } from "../../text/page.js";
import { tame } from "../../text/tame.js";
import { causeOf as causeOfField } from "../reasons.js";
import type { FieldReport, StepReport } from "../report.js";

// The columns besides a path, a cause and a file: margins, a sign, a colon, and a line number of up to five digits.
const SPARE = 17;

/** The right edge of the fields of a step: the cause, and the line, with its file if there is room for it in every line. */
export function edgeOf(step: StepReport, { columns, paint }: Page): (field: FieldReport) => string {
  const { fields, place } = step;
  const file = place === null ? "" : tame(place.file);
  const width = widest(fields.map((field) => causeOf(field, step)));
  const room = columns - widest(fields.map(({ path }) => tame(path))) - width - widthOf(file);
  return (field) => {
    const where = field.line === null ? "" : `${room >= SPARE ? file : ""}:${field.line}`;
    const cause = causeOf(field, step).padEnd(width);
    return paint("frame", [cause, where].filter((part) => part !== "").join("  "));
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
