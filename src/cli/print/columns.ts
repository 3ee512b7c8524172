import { usable, widthOf, wrap } from "../../report/text/layout.js";
import { tame, tameLine } from "../../report/text/visible.js";

/** Wider cells do not widen their column. */
const WIDEST = 56;

/** A last column with less room goes on below its line as it is. */
const NARROWEST = 20;

/** Rows of cells as lines, each column as wide as its widest cell; the last one is wrapped in words at the width of a terminal. */
export function columns(
  cells: readonly (readonly string[])[],
  width: number = Number.POSITIVE_INFINITY,
): string {
  const rows = cells.map((row) => row.map((cell, at) => (at === 0 ? tameLine(cell) : tame(cell))));
  const widths = new Map<number, number>();
  for (const row of rows)
    for (const [at, cell] of row.entries())
      if (cell.length <= WIDEST) widths.set(at, Math.max(widths.get(at) ?? 0, cell.length));
  const lines = rows.flatMap((row) => {
    const padded = row.map((cell, at) => cell.padEnd(widths.get(at) ?? 0));
    const line = padded.join("  ").trimEnd();
    const head = padded.slice(0, -1).join("  ");
    const indent = " ".repeat(widthOf(head) + 2);
    const room = usable(width);
    if (!Number.isFinite(width) || widthOf(line) <= room || room - indent.length < NARROWEST) return [line];
    const last = row.at(-1) ?? "";
    const longest = Math.max(...last.split(" ").map(widthOf));
    // A word that has no room behind the others stands whole below them.
    if (longest > room - indent.length)
      return [head, ...wrap(last, room, " ".repeat(Math.max(2, room - longest)))];
    const [first = "", ...rest] = wrap(last, room, indent);
    return [`${head}  ${first.slice(indent.length)}`, ...rest];
  });
  return lines.map((line) => `${line.trimEnd()}\n`).join("");
}
