import { sentencesOf } from "../../plan/people.js";
import type { FieldReport, RemarkReport, StepReport } from "../../plan/report.js";
import { belowFields, driftTitle, isPutBack, nameOf, placeOf, plainRemark } from "../../plan/words/labels.js";
import { bound, wrap, wrapValue } from "../../text/layout.js";
import type { Page } from "../../text/page.js";
import { tame } from "../../text/visible.js";
import { renderBelow } from "./below.js";
import { renderField } from "./field.js";
import { markOf, UNDER_MARK } from "./mark.js";
import { behindField, besidePlace, type PlacedPage } from "./place.js";

const INDENT = "  ";

/** One step: its action and address, what it is and why, its fields, and its diagnostics. */
export function renderStep(
  step: StepReport,
  page: PlacedPage,
  needing: readonly StepReport[] = [],
): readonly string[] {
  const { columns, paint } = page;
  const mark = markOf(step, page);
  const address = paint("strong", tame(nameOf(step)));
  return [
    ...besidePlace(address, placeOf(step), page, mark, UNDER_MARK),
    ...renderAbout(step, page),
    ...renderFields(step, page),
    ...renderGivenBack(step, page),
    ...belowFields(step).flatMap((remark) => renderRemark(remark, page)),
    ...renderPeople(step, page),
    ...renderKept(step, page),
    ...step.diagnostics.flatMap((diagnostic) => renderBelow(diagnostic, page)),
    ...renderNeeding(needing, page),
    ...(step.needs.length === 0
      ? []
      : wrap(paint("frame", `after ${step.needs.map(tame).join(", ")}`), columns, INDENT)),
  ];
}

/** What the object is and why it changes; a blocked step's reason is in its diagnostics. */
function renderAbout(
  { title, reason, staysActive, action, diagnostics }: StepReport,
  { columns, paint }: Page,
) {
  const isSaid = action === "blocked" && diagnostics.length > 0;
  const why = isSaid ? "" : paint(staysActive ? "warning" : "frame", tame(reason));
  const about = [paint("frame", tame(title)), why].filter((part) => part !== "");
  return about.length === 0 ? [] : wrap(about.join(paint("frame", " · ")), columns, INDENT);
}

/** The edited fields first; the fields that only the tenant changed follow below a title. */
function renderFields(step: StepReport, page: PlacedPage): readonly string[] {
  const drifted = step.isDrift
    ? []
    : step.fields.filter(({ cause, edit }) => cause === "drifted" && edit === null);
  const meant = step.fields.filter((field) => !drifted.includes(field));
  const behind = behindField(step, page);
  const render = (field: FieldReport) => renderField(field, behind(field), page, isPutBack(step, field));
  if (drifted.length === 0) return meant.flatMap(render);
  const title = wrap(driftTitle(step), page.columns, INDENT);
  return [...meant.flatMap(render), ...title, ...drifted.flatMap(render)];
}

function renderKept({ kept }: StepReport, { columns, paint }: Page): readonly string[] {
  return kept.flatMap((place) => wrap(paint("frame", `${tame(place)}: kept as it is`), columns, "    "));
}

/** What a step means for people. */
export function renderPeople({ people }: StepReport, { columns, paint }: Page): readonly string[] {
  const [first, ...rest] = people === null ? [] : sentencesOf(people);
  if (first === undefined) return [];
  // A line does not end between a number and what it counts.
  const text = `people: ${tame(first).replace(/\d /g, bound)}`;
  return [
    ...wrap(text, columns, "    ", "      "),
    ...rest.flatMap((line) => wrap(paint("frame", tame(line)), columns, "      ", "        ")),
  ];
}

/** The steps that are blocked only because this one is. */
function renderNeeding(needing: readonly StepReport[], { columns, paint }: Page): readonly string[] {
  const [one] = needing;
  if (one === undefined) return [];
  const named = needing.slice(0, MOST_NEEDING).map(({ address }) => tame(address));
  const rest = needing.length - named.length;
  const names = [...named, ...(rest > 0 ? [`${rest} more`] : [])].join(", ");
  const what = `and ${needing.length} that ${needing.length === 1 ? "needs" : "need"} it`;
  return wrap(`${paint("error", what)}: ${names}`, columns, INDENT, "    ");
}

/** The most steps that are named below the one that they need. */
const MOST_NEEDING = 5;

function renderGivenBack({ givenBack }: StepReport, { columns, paint }: Page): readonly string[] {
  if (givenBack.length === 0) return [];
  const text = `no longer managed: ${givenBack.map(tame).join(", ")} (stays as it is in the tenant)`;
  return wrap(paint("frame", text), columns, "    ");
}

function renderRemark(remark: RemarkReport, { columns, paint }: Page): readonly string[] {
  const text = `${tame(plainRemark(remark))}${remark.lines.length === 0 ? "" : ":"}`;
  return [
    ...wrap(paint("frame", text), columns, "    "),
    ...remark.lines.flatMap((line) => wrapValue(tame(line), columns, "      ")),
  ];
}
