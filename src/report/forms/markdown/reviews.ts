import { moreOf } from "../../../words/more.js";
import { inline } from "../../text/escape.js";
import { clipped } from "../../text/layout.js";
import type { ReviewChange } from "../../view/reviews.js";
import { tableHead, tableRow } from "./table.js";

/** So many fields and entitlements of a review are shown; the fold of its step has all of them. */
const MOST = 12;
const LONGEST_CELL = 80;

/** A review whose scope changes, as a table: what it asks about now, and after an apply. */
export function reviewTable({ name, brief, fields, removed, added, kept, grants }: ReviewChange): string {
  const cell = (value: string | null) => (value === null ? "not set" : inline(clipped(value, LONGEST_CELL)));
  const list = (names: readonly string[], sign: string) => [
    ...names.slice(0, MOST).map((one) => `${sign} ${cell(one)}`),
    ...moreOf(names.length - MOST),
  ];
  const stays = kept === 0 ? [] : [`${kept} as before`];
  const sides = [
    [...stays, ...list(removed, "−")].join("<br>"),
    [...stays, ...list(added, "+")].join("<br>"),
  ];
  return [
    tableHead([[cell(name)], ["now"], ["after an apply"]]),
    ...fields
      .slice(0, MOST)
      .map(({ name: field, before, after }) => tableRow([inline(field), cell(before), cell(after)])),
    ...(removed.length + added.length === 0 ? [] : [tableRow(["entitlements", ...sides])]),
    ...(grants === null ? [] : [tableRow(["grants", ...grants])]),
    ...(brief === "" ? [] : [tableRow(["people", "", `**${inline(brief)}**`])]),
  ].join("\n");
}
