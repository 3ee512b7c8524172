import { usable, widthOf, wrap } from "../../report/text/layout.js";
import { tame, tameLine } from "../../report/text/visible.js";

/** Wider cells do not widen their column. */
const WIDEST = 56;

/** Where a last column would have less room, columns go on below their line. */
const NARROWEST = 20;

type Cells = readonly string[];

/** Rows of cells as lines: those of each row, as `rowsOf` makes them. */
export function columns(cells: readonly Cells[], width?: number): string {
  return rowsOf(cells, width)
    .flat()
    .map((line) => `${line}\n`)
    .join("");
}

/**
 * The lines of each row, each column as wide as its widest cell. At the width of a terminal the last column is wrapped in
 * words; columns that have no room beside the others stand below them.
 */
export function rowsOf(cells: readonly Cells[], width: number = Number.POSITIVE_INFINITY): readonly Cells[] {
  const rows = cells.map((row) => row.map((cell, at) => (at === 0 ? tameLine(cell) : tame(cell))));
  const widths = new Map<number, number>();
  for (const row of rows)
    for (const [at, cell] of row.entries())
      if (cell.length <= WIDEST) widths.set(at, Math.max(widths.get(at) ?? 0, cell.length));
  const lines = (row: Cells) => {
    const padded = row.map((cell, at) => cell.padEnd(widths.get(at) ?? 0));
    return linesOf(padded, row.at(-1) ?? "", usable(width));
  };
  return rows.map((row) => lines(row).map((line) => line.trimEnd()));
}

function linesOf(padded: Cells, last: string, room: number): Cells {
  const line = padded.join("  ").trimEnd();
  if (widthOf(line) <= room) return [line];
  const head = padded.slice(0, -1).join("  ");
  const indent = " ".repeat(widthOf(head) + 2);
  // What is wider than the page, such as a value in JSON, stays one line, which a reader can copy.
  const isWider = padded.some((cell) => widthOf(cell) > room - 2);
  if (room - indent.length < NARROWEST) return isWider ? [line] : below(padded, room);
  const longest = Math.max(...last.split(" ").map(widthOf));
  // A word that has no room behind the others stands whole below them.
  if (longest > room - indent.length)
    return [head, ...wrap(last, room, " ".repeat(Math.max(2, room - longest)))];
  const [first = "", ...rest] = wrap(last, room, indent);
  return [`${head}  ${first.slice(indent.length)}`, ...rest];
}

/** As many columns as have room, and the others below them. */
function below(padded: Cells, room: number): Cells {
  const isRoomFor = (count: number) => widthOf(padded.slice(0, count).join("  ")) <= room;
  let count = 1;
  while (count < padded.length && isRoomFor(count + 1)) count += 1;
  const others = padded.slice(count).join("  ").trimEnd();
  return [padded.slice(0, count).join("  "), ...(others === "" ? [] : wrap(others, room, "  "))];
}
