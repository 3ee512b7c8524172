import { byPeople } from "../../plan/byPeople.js";
import type { Difference, FieldReport, StepReport } from "../../plan/report.js";
import { code, inline } from "../../text/escape.js";
import { clipped } from "../../text/layout.js";
import { rowOf } from "../markdown/row.js";

/** From this risk on, a change opens a rule to all, or ends the access of all. */
const DANGEROUS = 6;
const LONGEST_VALUE = 80;
const MOST_FIELDS = 4;

/** Drifted objects for a reader who has to act: the dangerous first, then those that concern the most people. */
export function byDanger(steps: readonly StepReport[]): readonly StepReport[] {
  return steps.toSorted((one, other) => other.risk - one.risk || byPeople(one, other));
}

/** The row of a drifted object: its people, its name, and each field before and after. */
export function driftRowOf(step: StepReport, linkBase: string | null): string {
  const { fields, reason } = step;
  const shown = fields.slice(0, MOST_FIELDS).map(fieldOf);
  const more = fields.length - shown.length;
  const what =
    fields.length === 0 ? [inline(reason)] : [...shown, ...(more === 0 ? [] : [`and ${more} more`])];
  const mark = step.risk >= DANGEROUS ? "⚠ " : "";
  return rowOf(step, linkBase, `${mark}${what.join("<br>")}`);
}

function fieldOf({ path, difference }: FieldReport): string {
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

/** A field before and after, each as one text; null where it has no value. */
function sidesOf(difference: Difference): readonly [before: string | null, after: string | null] {
  switch (difference.type) {
    case "value":
    case "choice":
      return [difference.before, difference.after];
    case "text": {
      const without = (side: "removed" | "added") =>
        difference.words
          .filter(({ as }) => as !== side)
          .map(({ text }) => text)
          .join("");
      return [without("added"), without("removed")];
    }
    case "set": {
      const { added, removed, kept } = difference;
      const side = (items: readonly string[]) =>
        [...items, ...((kept ?? 0) === 0 ? [] : [`${kept} more`])].join(", ");
      const [before, after] = [side(removed), side(added)];
      return [before === "" ? null : before, after === "" ? null : after];
    }
    default:
      return difference satisfies never;
  }
}

function cell(text: string): string {
  return code(clipped(text.replaceAll(/\s+/g, " "), LONGEST_VALUE));
}
