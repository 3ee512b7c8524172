import type { Replaced } from "./edit.js";
import type { RowOrMember } from "./held.js";
import { behindComment, columnOf, eolOf, lineEnd, lineStart } from "./lines.js";

/** Takes items out of a list or map between brackets, and adds others at its end. What stays keeps its comments. */
export function editFlowItems(
  text: string,
  held: readonly RowOrMember[],
  removed: ReadonlySet<number>,
  added: readonly string[],
): readonly Replaced[] {
  const [first] = held;
  const last = held.at(-1);
  if (first === undefined || last === undefined) return [];
  const between = betweenItems(text, held);
  if (held.every((_, at) => removed.has(at)))
    return [{ range: [first.start, last.end], text: added.join(between) }];
  const edits = runsOf(held, removed).flatMap(([from, to]): readonly Replaced[] => {
    const [one, other, next, before] = [held[from], held[to], held[to + 1], held[from - 1]];
    if (one === undefined || other === undefined) return [];
    if (next !== undefined) return [cut(text, one, other, next)];
    if (added.length > 0)
      return [{ range: [one.start, other.end], text: added.join(between) }, ...withoutComment(text, other)];
    return before === undefined ? [] : [...cutLast(text, before, one, other), ...withoutComment(text, other)];
  });
  const isLastKept = !removed.has(held.length - 1);
  return isLastKept && added.length > 0 ? [...edits, ...append(text, last, added, between)] : edits;
}

/** Stretches of items that go together, by their first and last place. */
function runsOf(
  held: readonly RowOrMember[],
  removed: ReadonlySet<number>,
): readonly (readonly [number, number])[] {
  const runs: [number, number][] = [];
  for (const at of held.keys()) {
    if (!removed.has(at)) continue;
    const run = runs.at(-1);
    if (run !== undefined && run[1] === at - 1) run[1] = at;
    else runs.push([at, at]);
  }
  return runs;
}

/** Items with one behind them: with their comma, and with their lines where they have some to themselves. */
function cut(text: string, first: RowOrMember, last: RowOrMember, next: RowOrMember): Replaced {
  const comma = commaBehind(text, last, next.start);
  const isAlone = /^[ \t]*(#.*)?\r?$/.test(text.slice(comma, lineEnd(text, comma)));
  if (!isAlone) return { range: [first.start, next.start], text: "" };
  const start = lineStart(text, first.start);
  const ownsLine = text.slice(start, first.start).trim() === "";
  if (ownsLine) return { range: [start, lineEnd(text, comma) + 1], text: "" };
  const end = lineEnd(text, comma);
  return { range: [first.start, text[end - 1] === "\r" ? end - 1 : end], text: "" };
}

/** The last items, with the comma before them. */
function cutLast(
  text: string,
  before: RowOrMember,
  first: RowOrMember,
  last: RowOrMember,
): readonly Replaced[] {
  const comma = commaBehind(text, before, first.start);
  const hasComment = text.slice(before.end, first.start).includes("#");
  if (!hasComment) return [{ range: [before.end, last.end], text: "" }];
  const start = lineStart(text, first.start);
  const ownsLine = text.slice(start, first.start).trim() === "";
  const line = text[start - 2] === "\r" ? start - 2 : start - 1;
  return [
    { range: [comma - 1, comma], text: "" },
    { range: [ownsLine ? line : first.start, last.end], text: "" },
  ];
}

function append(
  text: string,
  last: RowOrMember,
  added: readonly string[],
  between: string,
): readonly Replaced[] {
  const comma = /^[ \t]*,/.exec(text.slice(last.end))?.[0].length ?? 0;
  const behind = behindComment(text, last.end + comma);
  if (behind === last.end + comma)
    return [{ range: [last.end, last.end], text: `${between}${added.join(between)}` }];
  // The comment belongs to the last item.
  const newLine = `${eolOf(text)}${" ".repeat(columnOf(text, last.start))}`;
  return [
    ...(comma > 0 ? [] : [{ range: [last.end, last.end] as const, text: "," }]),
    { range: [behind, behind], text: `${newLine}${added.join(`,${newLine}`)}${comma > 0 ? "," : ""}` },
  ];
}

/** The comment on the line of an item that goes. */
function withoutComment(text: string, { end }: RowOrMember): readonly Replaced[] {
  const comma = /^[ \t]*,/.exec(text.slice(end))?.[0].length ?? 0;
  const behind = behindComment(text, end + comma);
  return behind === end + comma ? [] : [{ range: [end + comma, behind], text: "" }];
}

/** Behind the comma that follows an item. */
function commaBehind(text: string, { end }: RowOrMember, limit: number): number {
  let at = end;
  while (at < limit && text[at] !== ",") at = text[at] === "#" ? lineEnd(text, at) : at + 1;
  return Math.min(at + 1, limit);
}

/** What stands between two items of a list or map: a comma with spaces, or with a line break. */
function betweenItems(text: string, held: readonly RowOrMember[]): string {
  const [last, before] = [held.at(-1), held.at(-2)];
  if (last === undefined) return ", ";
  const gap = before === undefined ? "" : text.slice(before.end, last.start);
  if (/^\s*,\s*$/.test(gap)) return gap;
  const ownsLine = text.slice(lineStart(text, last.start), last.start).trim() === "";
  return ownsLine ? `,${eolOf(text)}${" ".repeat(columnOf(text, last.start))}` : ", ";
}
