import { beside, widthOf, wrap } from "../../text/layout.js";
import type { Page } from "../../text/page.js";
import { tame } from "../../text/visible.js";
import type { FieldView, StepView } from "../../view/step.js";

/** A page with a column for places. */
export interface PlacedPage extends Page {
  /** How wide a text is made that has a place behind it. */
  readonly column: number;
}

/** A page whose places begin in one column: behind the longest text that has room for its own place. */
export function placedPage(
  { columns, paint }: Page,
  texts: readonly (readonly [text: string, place: string])[],
  indent: number,
): PlacedPage {
  const column = texts.reduce((most, [text, place]) => {
    const width = indent + widthOf(tame(text));
    return place === "" || width + 2 + widthOf(tame(place)) > columns ? most : Math.max(most, width);
  }, 0);
  return { columns, paint, column };
}

/** A text with a place behind it, in the column of the page's places. */
export function besidePlace(
  text: string,
  place: string,
  { columns, paint, column }: PlacedPage,
  indent: string,
  hanging = indent,
): readonly string[] {
  const shown = paint("frame", tame(place));
  if (place === "") return wrap(text, columns, indent, hanging);
  const room = column - widthOf(indent) - widthOf(text);
  const isAligned = room > 0 && column + 2 + widthOf(place) <= columns;
  return isAligned
    ? [`${indent}${text}${" ".repeat(room + 2)}${shown}`]
    : beside(text, shown, columns, indent, hanging);
}

/** What stands behind a field: its cause where the step has several, and its line, with the file where that is not the step's. */
export function behindField({ fields, drifted }: StepView, { paint }: Page): (field: FieldView) => string {
  const isMixed = new Set([...fields, ...drifted.fields].map(({ cause }) => cause)).size > 1;
  return ({ cause, line }) => {
    const parts = [isMixed ? cause : "", line.replace(/^line /, ":")].filter((part) => part !== "");
    return parts.length === 0 ? "" : paint("frame", parts.map(tame).join("  "));
  };
}
