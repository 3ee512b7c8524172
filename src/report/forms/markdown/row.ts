import type { StepReport } from "../../plan/report.js";
import { labelOf, nameOf, placeOf } from "../../plan/words/labels.js";
import { SIGNS } from "../../plan/words/signs.js";
import { code, inline, link } from "../../text/escape.js";
import { clipped } from "../../text/layout.js";

const LONGEST_CELL = 120;
const MOST_FIELDS = 4;

/** A step as an item of a list: whatever the width of a screen is, none of it is cut. */
export function rowOf(step: StepReport, linkBase: string | null, what = whatOf(step)): string {
  const { action, title, place, people } = step;
  const name = place === null ? code(nameOf(step)) : link(code(nameOf(step)), place, linkBase);
  const isLinked = place !== null && linkBase !== null;
  const where = isLinked || placeOf(step) === "" ? [] : [code(placeOf(step))];
  const sign = SIGNS[action].sign.trim();
  const mark = sign === "" ? labelOf(step) : `${code(sign)} ${labelOf(step)}`;
  const below = [
    ...(people === null ? [] : [`${people.review === null ? "people: " : ""}**${inline(people.brief)}**`]),
    ...(what === "" ? [] : [what]),
    ...(title === "" ? [] : [inline(clipped(title, LONGEST_CELL))]),
  ];
  return [
    `- ${[`${mark} ${name}`, ...where].join(" ")}`,
    ...(below.length === 0 ? [] : [below.join(" · ")]),
  ].join("<br>");
}

/** What a row says besides its action: the fields of an update or a drift, otherwise the reason. */
function whatOf(step: StepReport): string {
  const { action, fields, reason, isDrift, staysActive } = step;
  if (staysActive) return `⚠ **${inline(reason)}**`;
  const isAccepted = labelOf(step) === "accept";
  const hasFields = action === "update" || isDrift || isAccepted;
  if (action === "create" || action === "blocked" || !hasFields || fields.length === 0)
    return isDrift ? `drift: ${inline(reason)}` : inline(reason);
  const shown = fields.slice(0, MOST_FIELDS).map(({ path }) => code(clipped(path, LONGEST_CELL)));
  const more = fields.length - shown.length;
  const text = `${shown.join(", ")}${more === 0 ? "" : ` and ${more} more`}`;
  return isDrift ? `drift: ${text}` : isAccepted ? `drift accepted: ${text}` : text;
}
