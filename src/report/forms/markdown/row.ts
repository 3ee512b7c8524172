import { moreOf } from "../../../words/more.js";
import { code, inline, link } from "../../text/escape.js";
import { clipped } from "../../text/layout.js";
import { tame } from "../../text/visible.js";
import { SIGNS } from "../../view/signs.js";
import { type FieldView, fieldsOf, placeOf, type StepView, sidesOf } from "../../view/step.js";
import { tableHead, tableRow } from "./table.js";

const LONGEST_CELL = 120;
/** A value that is longer stands in the fold of its step. */
const LONGEST_VALUE = 40;
const LONGEST_SIDE = 80;
const MOST_FIELDS = 4;

/** The signs that have a picture of their own. */
const MARKS: Partial<Readonly<Record<StepView["action"], string>>> = {
  create: "➕",
  update: "✏️",
  replace: "🔁",
  delete: "➖",
  blocked: "⛔",
};

/** What a table of steps begins with. */
export const STEPS_HEAD = tableHead([["", "center"], ["object"], ["people", "right"], ["what"], ["line"]]);

/** A step as a row: its sign, its name, its people, what changes, and its line. */
export function rowOf(step: StepView, linkBase: string | null, what = whatOf(step)): string {
  const { action, label, name, title, people } = step;
  const said = [what, ...(title === "" ? [] : [inline(clipped(title, LONGEST_CELL))])];
  return tableRow([
    MARKS[action] ?? SIGNS[action].sign.trim(),
    [boldName(name), label].join(" · "),
    people === null ? "" : `**${inline(people)}**`,
    said.filter((part) => part !== "").join("<br>"),
    lineOf(step, linkBase),
  ]);
}

/** The name in bold above its kind, as long as it has one kind. */
function boldName(name: string): string {
  const [, kind = "", own = name] = /^(\w+)\/([^→]+)$/.exec(name) ?? [];
  return `**${inline(own)}**${kind === "" ? "" : `<br>${inline(kind)}`}`;
}

/** A link shows the name of the file only: its address has the rest. */
function lineOf(step: StepView, linkBase: string | null): string {
  const { place } = step;
  if (place === null) return inline(placeOf(step));
  const own = place.file.replace(/^.*[/\\]/, "");
  const linked = link(code(`${own}:${place.line}`), place, linkBase);
  return linked.startsWith("[") ? linked : code(placeOf(step));
}

/** What a row says besides its action: the fields of an update or a drift, otherwise the reason. */
export function whatOf(step: StepView, isDrift = step.isDrift): string {
  const { action, label, reason, staysActive } = step;
  const fields = fieldsOf(step);
  if (staysActive) return `⚠ **${inline(reason)}**`;
  const isAccepted = label === "accept";
  const hasFields = action === "update" || isDrift || isAccepted;
  if (action === "create" || action === "blocked" || !hasFields || fields.length === 0) return inline(reason);
  const shown = fields.slice(0, MOST_FIELDS).map(isDrift ? driftedField : fieldOf);
  const text = [...shown, ...moreOf(fields.length - MOST_FIELDS)].join("<br>");
  return isAccepted ? `drift accepted: ${text}` : text;
}

/** A field that the tenant changed: a reader decides here whether it stays, so both sides are shown. */
function driftedField({ path, difference }: FieldView): string {
  const [before, after] = sidesOf(difference).map((value) => (value === null ? "unset" : cell(value)));
  if (difference.type !== "choice") return `${cell(path)}: ${before} → ${after}`;
  const isKnown = difference.before !== null || difference.after !== null;
  return `${inline(difference.sentence)}${isKnown ? `: ${before} → ${after}` : ""}`;
}

function cell(text: string): string {
  return code(clipped(text.replaceAll(/\s+/g, " "), LONGEST_SIDE));
}

/** A field, with what it changes where that is short. */
function fieldOf({ path, difference }: FieldView): string {
  const name = code(clipped(path, LONGEST_CELL));
  if (difference.type === "set") {
    const [added, removed] = [difference.added.length, difference.removed.length];
    return `${name}: ${[...(added === 0 ? [] : [`+${added}`]), ...(removed === 0 ? [] : [`−${removed}`])].join(" ")}`;
  }
  if (difference.type !== "value") return name;
  const sides = [difference.before, difference.after].map((value) => value ?? "unset");
  return sides.some((value) => value.length > LONGEST_VALUE || value.includes("\n"))
    ? name
    : `${name}: ${sides.map(inline).join(" → ")}`;
}

/** A step in the fewest bytes: its sign and its address. */
export function briefOf({ action, address }: StepView): string {
  const { sign } = SIGNS[action];
  return `${sign.trim() === "" ? action : sign} ${clipped(tame(address), LONGEST_CELL)}`;
}
