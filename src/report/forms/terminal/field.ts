import { moreOf } from "../../../words/more.js";
import { markWords } from "../../text/changedWords.js";
import { beside, bound, widthOf, wrap, wrapValue } from "../../text/layout.js";
import type { Page } from "../../text/page.js";
import { tame, tameLines } from "../../text/visible.js";
import { type FieldView, PUT_BACK, sidesOf } from "../../view/step.js";

const MOST_ITEMS = 10;
const INDENT = "    ";
const INNER = "        ";

type Difference = FieldView["difference"];

/** One changed field: what it becomes, and behind it its cause and its line. */
export function renderField(
  field: Pick<FieldView, "path" | "difference" | "isPutBack">,
  behind: string,
  page: Page,
): readonly string[] {
  const { difference, isPutBack } = field;
  const path = tame(field.path);
  const head = (sign: string, text: string) =>
    beside(`${sign} ${text}`, behind, page.columns, INDENT, `${INDENT}  `);
  const whole = isPutBack || difference.type === "text" ? wholeOf(difference) : null;
  if (whole !== null) {
    const [before, after] = isPutBack ? [PUT_BACK.before, PUT_BACK.after] : ["-", "+"];
    const margin = Math.max(before.length, after.length);
    return [
      ...head("~", `${path}:`),
      ...side("removed", before.padEnd(margin), whole.before, page),
      ...side("added", after.padEnd(margin), whole.after, page),
    ];
  }
  switch (difference.type) {
    case "value":
      return renderValue(path, difference, behind, page);
    case "text":
      return [
        ...head("~", `${path}:`),
        ...markWords(difference.words, page.paint).flatMap(({ text }) =>
          wrapValue(text, page.columns, INNER),
        ),
      ];
    case "set":
      return [
        ...head(signOfSet(difference), `${path}:${countsOf(difference)}`),
        ...renderItems(difference, page),
      ];
    case "choice":
      return [
        ...head("~", tame(difference.sentence)),
        ...side("removed", "-", difference.before, page),
        ...side("added", "+", difference.after, page),
      ];
    default:
      return difference satisfies never;
  }
}

/** Both sides of a text with more than one edit, or of a value that an apply puts back; null for any other. */
function wholeOf(difference: Difference): { readonly before: string; readonly after: string } | null {
  const [before, after] = sidesOf(difference);
  if (difference.type === "value") return { before: before ?? "(unset)", after: after ?? "(unset)" };
  if (difference.type !== "text" || before === null || after === null) return null;
  const { words } = difference;
  const edits = words.filter((word, at) => word.as !== "same" && (words[at - 1]?.as ?? "same") === "same");
  return edits.length > 1 && !/\n/.test(before + after) ? { before, after } : null;
}

function renderValue(
  path: string,
  { before, after }: Extract<Difference, { type: "value" }>,
  behind: string,
  page: Page,
): readonly string[] {
  const sign = before === null ? "+" : after === null ? "-" : "~";
  const head = (text: string) => beside(text, behind, page.columns, INDENT, `${INDENT}  `);
  const sides = [before, after].flatMap((value) => (value === null ? [] : [tameLines(value)]));
  const paintSide = (text: string, place: number) =>
    page.paint(after === null || (before !== null && place === 0) ? "removed" : "added", text);
  const short = sides.map((lines, place) => paintSide(lines.join(""), place)).join(" → ");
  const room = page.columns - INDENT.length - 2 - widthOf(behind) - 2;
  const isShort = sides.every((lines) => lines.length === 1) && widthOf(`${path}: ${short}`) <= room;
  if (isShort) return head(`${sign} ${path}: ${short}`);
  return [
    ...head(`${sign} ${path}:`),
    ...side("removed", "-", before, page),
    ...side("added", "+", after, page),
  ];
}

/** A value on lines of its own, each behind its sign or its words. */
function side(
  role: "added" | "removed",
  sign: string,
  value: string | null,
  { columns, paint }: Page,
): readonly string[] {
  if (value === null) return [];
  return tameLines(value).flatMap((line) =>
    // A line does not end inside short braces, nor between a brace and what it holds.
    wrapValue(
      line.replace(/\{ [^{}]{1,30} \}|\{ | \}/g, bound),
      columns,
      `${INNER}${paint(role, sign)} `,
      (text) => paint(role, text),
    ),
  );
}

type SetDifference = Extract<Difference, { type: "set" }>;

function signOfSet({ added, removed, kept }: SetDifference): string {
  if (kept === null || kept > 0 || (added.length > 0 && removed.length > 0)) return "~";
  return added.length > 0 ? "+" : "-";
}

function countsOf({ added, removed, kept }: SetDifference): string {
  if (kept === null) return ` ${bound(`(not seen) → ${added.length}`)}`;
  const parts = [
    ...(added.length > 0 ? [`+${added.length}`] : []),
    ...(removed.length > 0 ? [`-${removed.length}`] : []),
  ];
  const [before, after] = [kept + removed.length, kept + added.length];
  return ` ${bound(`${parts.join(", ")} (${before} → ${after})`)}`;
}

function renderItems({ added, removed }: SetDifference, page: Page): readonly string[] {
  return [...renderSome("-", removed, page), ...renderSome("+", added, page)];
}

/** The first items, and how many more there are. */
function renderSome(sign: "+" | "-", items: readonly string[], page: Page): readonly string[] {
  const shown = items.length <= MOST_ITEMS + 1 ? items : items.slice(0, MOST_ITEMS);
  const role = sign === "+" ? "added" : "removed";
  const lines = shown.flatMap((item) =>
    wrap(page.paint(role, tame(item)), page.columns, `${INNER}${page.paint(role, sign)} `, `${INNER}  `),
  );
  const more = moreOf(items.length - shown.length);
  return [...lines, ...more.map((text) => `${INNER}  ${page.paint("frame", text)}`)];
}
