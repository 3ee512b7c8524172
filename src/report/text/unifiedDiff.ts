import { structuredPatch } from "diff";
import type { Paint } from "./paint.js";
import { tame } from "./visible.js";

/** What changes in a file, as `diff -u` shows it; null stands for a file that is not there. Every line is harmless to print. */
export function unifiedDiff(file: string, before: string | null, after: string | null, paint: Paint): string {
  const { hunks } = structuredPatch(file, file, before ?? "", after ?? "", undefined, undefined, {
    context: 3,
  });
  const lines = hunks.flatMap(({ oldStart, oldLines, newStart, newLines, lines: changed }) => [
    // A range without lines begins at the line before it.
    paint(
      "note",
      `@@ -${oldLines === 0 ? oldStart - 1 : oldStart},${oldLines} +${newLines === 0 ? newStart - 1 : newStart},${newLines} @@`,
    ),
    ...changed.map((line) => painted(line, paint)),
  ]);
  const to = after === null ? "/dev/null" : `b/${tame(file)}`;
  const from = before === null ? "/dev/null" : `a/${tame(file)}`;
  const head = [paint("strong", `--- ${from}`), paint("strong", `+++ ${to}`)];
  return `${[...head, ...lines].join("\n")}\n`;
}

/** How lines become others: each with its sign before it, and `…` between parts that are apart. */
export function lineDiff(before: readonly string[], after: readonly string[]): readonly string[] {
  const text = (lines: readonly string[]) => lines.map((line) => `${line}\n`).join("");
  const { hunks } = structuredPatch("", "", text(before), text(after), undefined, undefined, { context: 2 });
  return hunks.flatMap(({ lines }, at) => {
    const signed = lines.map((line) => `${line.slice(0, 1)} ${line.slice(1)}`);
    return at === 0 ? signed : ["…", ...signed];
  });
}

function painted(line: string, paint: Paint): string {
  const text = tame(line.replace(/\r$/, ""));
  if (line.startsWith("+")) return paint("added", text);
  return line.startsWith("-") ? paint("removed", text) : text;
}
