import { structuredPatch } from "diff";
import type { Paint } from "./paint.js";
import { tame } from "./tame.js";

/** What changes in a file, as `diff -u` shows it; null stands for a file that goes. Every line is harmless to print. */
export function unifiedDiff(file: string, before: string, after: string | null, paint: Paint): string {
  const { hunks } = structuredPatch(file, file, before, after ?? "", undefined, undefined, { context: 3 });
  const lines = hunks.flatMap(({ oldStart, oldLines, newStart, newLines, lines: changed }) => [
    // A range without lines begins at the line before it.
    paint("note", `@@ -${oldStart},${oldLines} +${newLines === 0 ? newStart - 1 : newStart},${newLines} @@`),
    ...changed.map((line) => painted(line, paint)),
  ]);
  const to = after === null ? "/dev/null" : `b/${tame(file)}`;
  const head = [paint("strong", `--- a/${tame(file)}`), paint("strong", `+++ ${to}`)];
  return `${[...head, ...lines].join("\n")}\n`;
}

function painted(line: string, paint: Paint): string {
  const text = tame(line.replace(/\r$/, ""));
  if (line.startsWith("+")) return paint("added", text);
  return line.startsWith("-") ? paint("removed", text) : text;
}
