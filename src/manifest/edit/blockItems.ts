import type { Range } from "../parse/marks.js";
import type { Replaced } from "./edit.js";
import type { RowOrMember } from "./held.js";
import { indented } from "./like.js";
import { behindComment, columnOf, eolOf, lineEnd, lineStart } from "./lines.js";

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
