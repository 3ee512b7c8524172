import { code, inline } from "../../text/escape.js";
import { clipped } from "../../text/layout.js";
import type { NightView } from "../../view/night.js";
import { type FieldView, fieldsOf, sidesOf } from "../../view/step.js";
import { rowOf } from "../markdown/row.js";

const LONGEST_VALUE = 80;
const MOST_FIELDS = 4;

/** The row of a drifted object: its people, its name, and each field before and after. */
export function driftRowOf(
  { step, isDangerous }: NightView["drifted"][number],
  linkBase: string | null,
): string {
  const fields = fieldsOf(step);
  const shown = fields.slice(0, MOST_FIELDS).map(fieldOf);
  const more = fields.length - shown.length;
  const what =
    fields.length === 0 ? [inline(step.reason)] : [...shown, ...(more === 0 ? [] : [`and ${more} more`])];
  return rowOf(step, linkBase, `${isDangerous ? "⚠ " : ""}${what.join("<br>")}`);
}

function fieldOf({ path, difference }: FieldView): string {
  const [before, after] = sidesOf(difference);
  if (difference.type === "choice") {
    const values = before === null && after === null ? "" : `: ${sideOf(before)} → ${sideOf(after)}`;
    return `${inline(difference.sentence)}${values}`;
  }
  return `${cell(path)}: ${sideOf(before)} → ${sideOf(after)}`;
}

function sideOf(value: string | null): string {
  return value === null ? "unset" : cell(value);
}

function cell(text: string): string {
  return code(clipped(text.replaceAll(/\s+/g, " "), LONGEST_VALUE));
}
