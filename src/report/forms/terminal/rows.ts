import { formatLine } from "../../../model/diagnostic.js";
import { moreOf } from "../../../words/more.js";
import { widthOf, wrap } from "../../text/layout.js";
import { tame } from "../../text/visible.js";
import type { Records, Rows, ShapeRow } from "../../view/blocks.js";
import { placeOf } from "../../view/step.js";
import { renderBelow } from "./below.js";
import { markOf } from "./mark.js";
import { besidePlace, type PlacedPage, placedPage } from "./place.js";
import { renderStep } from "./step.js";

/** The most addresses of steps that only record something. */
const NAMED = 10;

/** Rows of shapes: what they have in common, then a line for each. */
export function renderRows({ shapes, rows }: Rows, page: PlacedPage): readonly string[] {
  const files = new Set(rows.map(({ place }) => place?.file ?? ""));
  const [file = ""] = files.size === 1 ? files : [];
  const names = rows.map(({ name }) => widthOf(tame(name)));
  const width = names.reduce((most, one) => Math.max(most, one), 0);
  const texts = rows.map((row) => [textOf(row, width), whereOf(row, file)] as const);
  const inner = placedPage(page, texts, 4);
  const head = file === "" ? [] : wrap(page.paint("frame", `rows of ${tame(file)}`), page.columns, "  ");
  return [
    ...shapes.flatMap((shape) => renderStep(shape, page)),
    ...head,
    ...texts.flatMap(([text, where]) => besidePlace(text, where, inner, "    ", "      ")),
  ];
}

function textOf({ name, values, people }: ShapeRow, width: number): string {
  const shown = tame(name);
  const facts = [...values, ...people].map(tame).join(", ");
  return facts === "" ? shown : `${shown}${" ".repeat(Math.max(0, width - widthOf(shown)))}  ${facts}`;
}

function whereOf({ place }: ShapeRow, file: string): string {
  if (place === null) return "";
  return place.file === file ? `:${place.line}` : formatLine(place);
}

/** Steps that only record something: what remit does with all of them, and of those that are not adopted, the first. */
export function renderRecords({ all: steps, notes }: Records, page: PlacedPage): readonly string[] {
  const { columns, paint } = page;
  const [first] = steps;
  if (first === undefined) return [];
  const count = steps.length;
  if (first.label === "adopt") {
    const what = count === 1 ? `${tame(first.address)} matches` : `${count} objects match`;
    const text = `${markOf(first, page)}${paint("strong", what)}: only recorded`;
    return [...wrap(text, columns, "", "  "), ...notes.flatMap((note) => renderBelow(note, page))];
  }
  return [
    `${markOf(first, page)}${paint("strong", `${count} resources`)}`,
    ...wrap(paint(first.staysActive ? "warning" : "frame", tame(first.reason)), columns, "  "),
    ...steps.slice(0, NAMED).flatMap((step) => besidePlace(tame(step.address), placeOf(step), page, "    ")),
    ...moreOf(count - NAMED).map((text) => `    ${paint("frame", text)}`),
  ];
}
