import { code, inline, link } from "../../text/escape.js";
import { clipped } from "../../text/layout.js";
import { tame } from "../../text/visible.js";
import { SIGNS } from "../../view/signs.js";
import { type FieldView, fieldsOf, placeOf, type StepView } from "../../view/step.js";
import { tableHead, tableRow } from "./table.js";

const LONGEST_CELL = 120;
/** A value that is longer stands in the fold of its step. */
const LONGEST_VALUE = 40;
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
function whatOf(step: StepView): string {
  const { action, label, reason, isDrift, staysActive } = step;
  const fields = fieldsOf(step);
  if (staysActive) return `⚠ **${inline(reason)}**`;
  const isAccepted = label === "accept";
  const hasFields = action === "update" || isDrift || isAccepted;
  if (action === "create" || action === "blocked" || !hasFields || fields.length === 0)
    return isDrift ? `drift: ${inline(reason)}` : inline(reason);
  const shown = fields.slice(0, MOST_FIELDS).map(fieldOf);
  const more = fields.length - shown.length;
  const text = [...shown, ...(more === 0 ? [] : [`and ${more} more`])].join("<br>");
  return isDrift ? `drift: ${text}` : isAccepted ? `drift accepted: ${text}` : text;
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
  const name = [...tame(address)];
  const shown = name.length <= LONGEST_CELL ? name : [...name.slice(0, LONGEST_CELL - 1), "…"];
  return `${sign.trim() === "" ? action : sign} ${shown.join("")}`;
}
