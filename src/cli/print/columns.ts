import { tame, tameLine } from "../../report/text/tame.js";

/** Wider cells do not widen their column. */
const WIDEST = 56;

/** Rows of cells as lines, each column as wide as its widest cell. */
export function columns(cells: readonly (readonly string[])[]): string {
  const rows = cells.map((row) => row.map((cell, at) => (at === 0 ? tameLine(cell) : tame(cell))));
  const widths = new Map<number, number>();
  for (const row of rows)
    for (const [at, cell] of row.entries())
      if (cell.length <= WIDEST) widths.set(at, Math.max(widths.get(at) ?? 0, cell.length));
  const lines = rows.map((row) => row.map((cell, at) => cell.padEnd(widths.get(at) ?? 0)).join("  "));
  return lines.map((line) => `${line.trimEnd()}\n`).join("");
}
