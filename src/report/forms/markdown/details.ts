import { sentencesOf } from "../../plan/people.js";
import type { Difference, FieldReport, RemarkReport, StepReport } from "../../plan/report.js";
import { belowFields, besidePlace, driftTitle, labelOf, lineLabel, nameOf } from "../../plan/words/labels.js";
import { causeOf } from "../../plan/words/reasons.js";
import { SIGNS } from "../../plan/words/signs.js";
import { markWords } from "../../text/changedWords.js";
import { capitalised, code, fence, inline, link, prose } from "../../text/escape.js";
import { plain } from "../../text/paint.js";
import { marginOf, tame, tameLine, tameLines } from "../../text/visible.js";

const MOST_ITEMS = 30;

/** One step, folded: why, what changes, what its reader should know, and the calls it makes. */
export function detailsOf(step: StepReport, linkBase: string | null): string {
  const { action, title, reason, place, people, givenBack, kept, needs, calls, diagnostics } = step;
  const lines = diffOf(step);
  const blocks = [
    `<details><summary>${code(`${SIGNS[action].sign} ${labelOf(step)} ${nameOf(step)}`)}</summary>`,
    [
      ...(title === "" ? [] : [code(title)]),
      ...(place === null ? [] : [link(code(`${place.file}:${place.line}`), place, linkBase)]),
      ...besidePlace(step).map(remarkOf),
      ...(reason === "" ? [] : [inline(reason)]),
    ].join(" · "),
    ...(lines.length === 0 ? [] : [fence(lines, "diff")]),
    ...(givenBack.length === 0
      ? []
      : [`No longer managed, stays as it is in the tenant: ${givenBack.map(code).join(", ")}.`]),
    ...belowFields(step).flatMap((remark) => {
      const [text, lines] = [capitalised(remarkOf(remark)), remark.lines.map(tameLine)];
      return lines.length === 0 ? [`${text}.`] : [`${text}:`, fence(lines, "yaml")];
    }),
    ...(people === null ? [] : [`People: ${sentencesOf(people).map(inline).join("<br>")}`]),
    ...(kept.length === 0 ? [] : [`Kept as it is, unknown to remit: ${kept.map(code).join(", ")}.`]),
    ...diagnostics.map(
      ({ severity, code: name, message, hint }) =>
        `**${severity}** ${code(name)}: ${prose(message)}${hint === undefined ? "" : `<br>${prose(hint)}`}`,
    ),
    ...(needs.length === 0 ? [] : [`After ${needs.map(code).join(", ")}.`]),
    ...(calls.length === 0 ? [] : [`Calls: ${calls.map(code).join(", ")}`]),
    "</details>",
  ];
  return blocks.join("\n\n");
}

/** The sentence of a remark, and its names. */
function remarkOf({ text, names }: RemarkReport): string {
  return [prose(text), ...(names.length === 0 ? [] : [names.map(code).join(", ")])].join(" ");
}

/** The edited fields first, then the fields that only the tenant changed. */
function diffOf(step: StepReport): readonly string[] {
  const { fields, isDrift, action, replaces } = step;
  const drifted = isDrift ? [] : fields.filter(({ cause, edit }) => cause === "drifted" && edit === null);
  const meant = fields.filter((field) => !drifted.includes(field));
  const isWhole = action === "create" || replaces?.by === "create" || action === "delete";
  const title = drifted.length === 0 ? [] : [`# ${driftTitle(step)}`];
  return [...meant, ...drifted].flatMap((field, place) => [
    ...(place === meant.length ? title : []),
    ...fieldOf(field, isWhole && field.cause !== "drifted"),
  ]);
}

function fieldOf(field: FieldReport, isWhole: boolean): readonly string[] {
  const { difference } = field;
  const lines = linesOf(difference);
  const isOneSided = difference.type === "value" && (difference.before === null || difference.after === null);
  if (!isWhole || !isOneSided) return [headOf(field), ...lines];
  const [first = "", ...more] = lines;
  return [`${first.slice(0, 2)}${tame(field.path)}: ${first.slice(2)}`, ...more];
}

function headOf(field: FieldReport): string {
  const { path } = field;
  const said = tame(causeOf(field));
  const more = [said, tame(lineLabel(field))].filter((part) => part !== "");
  return `@@ ${tame(path)} @@${more.length === 0 ? "" : ` ${more.join(", ")}`}`;
}

function linesOf(difference: Difference): readonly string[] {
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
  const more = items.length - shown.length;
  return more === 0 ? lines : [...lines, `# … and ${more} more ${sign === "+" ? "added" : "removed"}`];
}
