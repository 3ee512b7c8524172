import stringWidth from "string-width";
import type { Page } from "../../text/page.js";
import { tame } from "../../text/tame.js";
import { CAUSES } from "../reasons.js";
import type { FieldReport, StepReport } from "../report.js";

// What stands beside a path, a cause and a file: margins, a sign, a colon, and a line of up to five digits.
const SPARE = 17;

/** What stands at the right edge of a step's fields: the cause, and the line with its file where all have room for it. */
export function edgeOf(step: StepReport, { columns, paint }: Page): (field: FieldReport) => string {
  const { fields, place } = step;
  const file = place === null ? "" : tame(place.file);
  const width = widest(fields.map((field) => causeOf(field, step)));
  const room = columns - widest(fields.map(({ path }) => tame(path))) - width - stringWidth(file);
  return (field) => {
    const where = field.line === null ? "" : `${room >= SPARE ? file : ""}:${field.line}`;
    const cause = causeOf(field, step).padEnd(width);
    return paint("frame", [cause, where].filter((part) => part !== "").join("  "));
  };
}

/** All of a new object is there for the first time, which its action says already. */
function causeOf({ cause }: FieldReport, { action }: StepReport): string {
  return cause === null || (action === "create" && cause === "first") ? "" : CAUSES[cause];
}

function widest(texts: readonly string[]): number {
  return texts.reduce((most, text) => Math.max(most, stringWidth(text)), 0);
}
