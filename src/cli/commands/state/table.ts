import { wrap } from "../../../entry/diagnostics.js";
import { tame, tameLine } from "../../../entry/messages.js";
import type { Key } from "../../../entry/values.js";
import { columns } from "../../print/columns.js";

/** One object of the list, in either form of it. */
export interface TableRow {
  readonly address: string;
  /** Null if the service chooses it and has not answered. */
  readonly key: Key | null;
  readonly at: string;
  readonly protected: boolean;
  /** Why the result of its create is unknown; null for what was applied. */
  readonly uncertain: string | null;
}

/** One line for each object; on a narrower page each key has a line of its own, so that no id is broken. */
export function table(rows: readonly TableRow[], width: number): string {
  const whole = columns(
    rows.map((row) => [
      row.address,
      keyOf(row),
      timeOf(row),
      ...(row.uncertain === null ? [] : [uncertain(row)]),
    ]),
  );
  if (whole.split("\n").every((line) => line.length <= width)) return whole;
  const heads = columns(rows.map((row) => [row.address, timeOf(row)]))
    .trimEnd()
    .split("\n");
  const lines = rows.flatMap((row, place) => [
    heads[place] ?? "",
    ...(row.key === null ? [] : [`  ${keyOf(row)}`]),
    ...(row.uncertain === null ? [] : wrap(uncertain(row), width, "  ", "    ")),
  ]);
  return lines.map((line) => `${line}\n`).join("");
}

function keyOf({ key }: TableRow): string {
  return tameLine(key?.join("/") ?? "");
}

/** Without the milliseconds, which no reader compares. */
function timeOf({ at }: TableRow): string {
  return tameLine(at.replace(/\.\d+Z$/, "Z"));
}

function uncertain({ uncertain }: TableRow): string {
  return `uncertain: ${tame(uncertain ?? "")}`;
}
