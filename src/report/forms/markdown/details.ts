import { moreOf } from "../../../words/more.js";
import { markWords } from "../../text/changedWords.js";
import { capitalised, code, fence, inline, placeLink, prose } from "../../text/escape.js";
import { plain } from "../../text/paint.js";
import { marginOf, tame, tameLine, tameLines } from "../../text/visible.js";
import { SIGNS } from "../../view/signs.js";
import type { Below, FieldView, StepView } from "../../view/step.js";

const MOST_ITEMS = 30;

/** One step, folded: why, what changes, what its reader should know, and the calls it makes. */
export function detailsOf(step: StepView, linkBase: string | null): string {
  const { action, label, name, title, reason, place, beside, below, needs, calls } = step;
  const lines = diffOf(step);
  const blocks = [
    `<details><summary>${code(`${SIGNS[action].sign} ${label} ${name}`)}</summary>`,
    [
      ...(title === "" ? [] : [code(title)]),
      ...(place === null ? [] : [placeLink(place, linkBase)]),
      ...beside.map(remarkOf),
      ...(reason === "" ? [] : [inline(reason)]),
    ].join(" · "),
    ...(lines.length === 0 ? [] : [fence(lines, "diff")]),
    ...below.flatMap(toldOf),
    ...(needs.length === 0 ? [] : toldOf({ as: "names", text: "after", names: needs })),
    ...(calls.length === 0 ? [] : [`Calls: ${calls.map(code).join(", ")}`]),
    "</details>",
  ];
  return blocks.join("\n\n");
}

/** What stands below the fields of a step. */
function toldOf(one: Below): readonly string[] {
  switch (one.as) {
    case "names":
      return [`${capitalised(one.text)} ${one.names.map(code).join(", ")}.`];
    case "lines": {
      const [text, lines] = [capitalised(remarkOf(one.remark)), one.remark.lines.map(tameLine)];
      return lines.length === 0 ? [`${text}.`] : [`${text}:`, fence(lines, "yaml")];
    }
    case "people":
      return [`People: ${one.sentences.map(inline).join("<br>")}`];
    case "diagnostic": {
      const { severity, code: name, message, hint } = one.diagnostic;
      return [
        `**${severity}** ${code(name)}: ${prose(message)}${hint === undefined ? "" : `<br>${prose(hint)}`}`,
      ];
    }
    default:
      return one satisfies never;
  }
}

/** The sentence of a remark, and its names. */
function remarkOf({ text, names }: StepView["beside"][number]): string {
  return [prose(text), ...(names.length === 0 ? [] : [names.map(code).join(", ")])].join(" ");
}

function diffOf({ fields, drifted }: StepView): readonly string[] {
  const title = drifted.fields.length === 0 ? [] : [`# ${drifted.title}`];
  return [...fields.flatMap(fieldOf), ...title, ...drifted.fields.flatMap(fieldOf)];
}

function fieldOf(field: FieldView): readonly string[] {
  const { difference, isOfWhole } = field;
  const lines = linesOf(difference);
  const isOneSided = difference.type === "value" && (difference.before === null || difference.after === null);
  if (!isOfWhole || !isOneSided) return [headOf(field), ...lines];
  const [first = "", ...more] = lines;
  return [`${first.slice(0, 2)}${tame(field.path)}: ${first.slice(2)}`, ...more];
}

function headOf({ path, cause, line }: FieldView): string {
  const more = [cause, line].filter((part) => part !== "").map(tame);
  return `@@ ${tame(path)} @@${more.length === 0 ? "" : ` ${more.join(", ")}`}`;
}

function linesOf(difference: FieldView["difference"]): readonly string[] {
  switch (difference.type) {
    case "value":
      return [...side("-", difference.before), ...side("+", difference.after)];
    case "text":
      return markWords(difference.words, plain).map(
        ({ text, isChanged }) => `${isChanged ? "! " : marginOf("  ", text)}${text}`,
      );
    case "set":
      return [
        ...(difference.kept === null ? ["- (not seen)"] : []),
        ...some("-", difference.removed),
        ...some("+", difference.added),
        ...((difference.kept ?? 0) === 0 ? [] : [`# ${difference.kept} unchanged`]),
      ];
    case "choice":
      return [
        `! ${tame(difference.sentence)}`,
        ...side("-", difference.before),
        ...side("+", difference.after),
      ];
    default:
      return difference satisfies never;
  }
}

function side(sign: "+" | "-", value: string | null): readonly string[] {
  return value === null ? [] : tameLines(value).map((line) => `${sign} ${line}`);
}

function some(sign: "+" | "-", items: readonly string[]): readonly string[] {
  const shown = items.length <= MOST_ITEMS + 1 ? items : items.slice(0, MOST_ITEMS);
  const lines = shown.map((item) => `${sign} ${tame(item)}`);
  const more = moreOf(items.length - shown.length, `more ${sign === "+" ? "added" : "removed"}`);
  return [...lines, ...more.map((text) => `# ${text}`)];
}
