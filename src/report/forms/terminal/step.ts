import { bound, wrap, wrapValue } from "../../text/layout.js";
import type { Page } from "../../text/page.js";
import { tame } from "../../text/visible.js";
import { type Alone, needingTitle } from "../../view/blocks.js";
import { type Below, type FieldView, placeOf, type StepView } from "../../view/step.js";
import { renderBelow } from "./below.js";
import { renderField } from "./field.js";
import { markOf, UNDER_MARK } from "./mark.js";
import { behindField, besidePlace, type PlacedPage } from "./place.js";

const INDENT = "  ";

/** One step: its action and address, what it is and why, its fields, and its diagnostics. */
export function renderStep(
  step: StepView,
  page: PlacedPage,
  needing: Alone["needing"] = [],
): readonly string[] {
  const { columns, paint } = page;
  const { fields, drifted, below, needs } = step;
  const behind = behindField(step, page);
  const render = (field: FieldView) => renderField(field, behind(field), page);
  return [
    ...besidePlace(paint("strong", tame(step.name)), placeOf(step), page, markOf(step, page), UNDER_MARK),
    ...renderAbout(step, page),
    ...fields.flatMap(render),
    ...(drifted.fields.length === 0 ? [] : wrap(drifted.title, columns, INDENT)),
    ...drifted.fields.flatMap(render),
    ...below.flatMap((one) => renderTold(one, page)),
    ...renderNeeding(needing, page),
    ...(needs.length === 0
      ? []
      : wrap(paint("frame", `after ${needs.map(tame).join(", ")}`), columns, INDENT)),
  ];
}

/** What the object is and why it changes; a blocked step's reason is in its diagnostics. */
function renderAbout(
  { title, reason, staysActive, action, below }: StepView,
  { columns, paint }: Page,
): readonly string[] {
  const isSaid = action === "blocked" && below.some(({ as }) => as === "diagnostic");
  const why = isSaid ? "" : paint(staysActive ? "warning" : "frame", tame(reason));
  const about = [paint("frame", tame(title)), why].filter((part) => part !== "");
  return about.length === 0 ? [] : wrap(about.join(paint("frame", " · ")), columns, INDENT);
}

/** What stands below the fields of a step. */
function renderTold(one: Below, page: Page): readonly string[] {
  const { columns, paint } = page;
  switch (one.as) {
    case "names":
      return wrap(paint("frame", `${one.text} ${one.names.map(tame).join(", ")}`), columns, "    ");
    case "lines": {
      const { lines } = one.remark;
      const text = `${tame(one.plain)}${lines.length === 0 ? "" : ":"}`;
      return [
        ...wrap(paint("frame", text), columns, "    "),
        ...lines.flatMap((line) => wrapValue(tame(line), columns, "      ")),
      ];
    }
    case "people":
      return renderPeople(one.sentences, page);
    case "diagnostic":
      return renderBelow(one.diagnostic, page);
    default:
      return one satisfies never;
  }
}

/** What a step means for people. */
export function renderPeople(sentences: readonly string[], { columns, paint }: Page): readonly string[] {
  const [first = "", ...rest] = sentences;
  // A line does not end between a number and what it counts.
  const text = `people: ${tame(first).replace(/\d /g, bound)}`;
  return [
    ...wrap(text, columns, "    ", "      "),
    ...rest.flatMap((line) => wrap(paint("frame", tame(line)), columns, "      ", "        ")),
  ];
}

/** The steps that are blocked only because this one is. */
function renderNeeding(needing: Alone["needing"], { columns, paint }: Page): readonly string[] {
  if (needing.length === 0) return [];
  const named = needing.slice(0, MOST_NEEDING).map(({ address }) => tame(address));
  const rest = needing.length - named.length;
  const names = [...named, ...(rest > 0 ? [`${rest} more`] : [])].join(", ");
  return wrap(`${paint("error", needingTitle(needing.length))}: ${names}`, columns, INDENT, "    ");
}

/** The most steps that are named below the one that they need. */
const MOST_NEEDING = 5;
