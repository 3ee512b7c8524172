import { renderNote } from "../../diagnostics/below.js";
import { beside, wrap } from "../../text/layout.js";
import type { Page } from "../../text/page.js";
import { tame } from "../../text/tame.js";
import type { FieldReport, StepReport } from "../report.js";
import { edgeOf } from "./edge.js";
import { renderField } from "./field.js";
import { markOf, UNDER_MARK } from "./mark.js";

const INDENT = "  ";

/** One step: its action and address, what it is and why, its fields, and what its reader should know. */
export function renderStep(step: StepReport, page: Page): readonly string[] {
  const { columns, paint } = page;
  const place = step.place === null ? "" : paint("frame", tame(`${step.place.file}:${step.place.line}`));
  const mark = markOf(step.action, page);
  const address = paint("strong", tame(step.address));
  const about = [tame(step.title), step.reason].filter((part) => part !== "").join(" · ");
  return [
    ...beside(address, place, columns, mark, UNDER_MARK),
    ...wrap(paint("frame", about), columns, INDENT),
    ...renderFields(step, page),
    ...renderGivenBack(step, page),
    ...step.notes.flatMap((note) => renderNote(note, page)),
    ...(step.needs.length === 0
      ? []
      : wrap(paint("frame", `after ${step.needs.map(tame).join(", ")}`), columns, INDENT)),
  ];
}

/** What somebody wrote comes first; what the tenant changed by itself stands apart from it. */
function renderFields(step: StepReport, page: Page): readonly string[] {
  const drifted = step.isDrift ? [] : step.fields.filter(({ cause }) => cause === "drifted");
  const meant = step.fields.filter((field) => !drifted.includes(field));
  const edge = edgeOf(step, page);
  const render = (field: FieldReport) => renderField(field, edge(field), page);
  if (drifted.length === 0) return meant.flatMap(render);
  const title = wrap("changed in the tenant since the last apply, and put back:", page.columns, INDENT);
  return [...meant.flatMap(render), ...title, ...drifted.flatMap(render)];
}

function renderGivenBack({ givenBack }: StepReport, { columns, paint }: Page): readonly string[] {
  if (givenBack.length === 0) return [];
  const text = `given back: ${givenBack.map(tame).join(", ")} (no longer written, left as it is)`;
  return wrap(paint("frame", text), columns, "    ");
}
