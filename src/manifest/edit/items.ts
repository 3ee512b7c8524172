import { columnOf, eolOf, lineEnd, lineStart } from "../lines.js";
import type { Range } from "../parse/marks.js";
import type { Replaced } from "./edit.js";
import { indented } from "./like.js";
import { behindComment, type RowOrMember } from "./opened.js";

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

/** Takes items out of a block of lines, each with the comment on its line, and adds others at its end. */
export function editBlockItems(
  text: string,
  held: readonly RowOrMember[],
  removed: ReadonlySet<number>,
  added: readonly (readonly string[])[],
): readonly Replaced[] {
  const [first] = held;
  const last = held.at(-1);
  if (first === undefined || last === undefined) return [];
  const eol = eolOf(text);
  const column = columnOf(text, first.start);
  const lines = added.flatMap((item) => indented(item, column));
  const isFirstAlone = text.slice(lineStart(text, first.start), first.start).trim() === "";
  if (!isFirstAlone && held.every((_, at) => removed.has(at)))
    return [{ range: [first.start, last.end], text: lines.join(eol).slice(column) }];

  const cuts = merged(
    held.flatMap((one, at): readonly Range[] => {
      if (!removed.has(at)) return [];
      const end = behindLines(text, behindComment(text, one.end), column);
      if (at > 0 || isFirstAlone) return [[lineStart(text, one.start), end]];
      // The first item is on the line of a dash: the next one takes its place there.
      return [[one.start, end + (/^ */.exec(text.slice(end))?.[0].length ?? 0)]];
    }),
  ).map((range): Replaced => ({ range, text: "" }));
  if (lines.length === 0) return cuts;
  // Comments below the last item, and further to the right, belong to it.
  const end = behindLines(text, behindComment(text, last.end), column);
  const isOpen = end < text.length || text.endsWith("\n") || removed.has(held.length - 1);
  const all = lines.map((line) => (isOpen ? `${line}${eol}` : `${eol}${line}`)).join("");
  return [...cuts, { range: [end, end], text: all }];
}

/** Behind the line of an offset, and behind comments that are further to the right than the item's column. */
function behindLines(text: string, offset: number, column: number): number {
  let end = Math.min(lineEnd(text, offset) + 1, text.length);
  while (end < text.length) {
    const line = text.slice(end, lineEnd(text, end));
    const indent = /^( *)#/.exec(line)?.[1]?.length;
    if (indent === undefined || indent <= column) break;
    end = Math.min(lineEnd(text, end) + 1, text.length);
  }
  return end;
}

function merged(ranges: readonly Range[]): readonly Range[] {
  const all: [number, number][] = [];
  for (const [start, end] of ranges) {
    const before = all.at(-1);
    if (before !== undefined && start <= before[1]) before[1] = Math.max(before[1], end);
    else all.push([start, end]);
  }
  return all;
}
