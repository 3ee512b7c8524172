import { expect, it } from "vitest";
import { headLines, laidOut } from "../../../src/commands/import/summary.js";

const imported = { manifests: [], leftOut: [], gone: [], incomparable: [], kinds: [], unknown: [] };
const LINES = [
  ...headLines(imported, "manifests", false),
  "Left out:",
  "  4 automations that an access profile manages: Night Shift (2fsgTvxP0DVTsNXEUBI7hOe0l5A/5uyOO4PQVNfMVc647xJ7ZPoZJOi), Lab Access and 1 more",
];

it("a summary of an import fits a terminal, with its ids whole and the rest of a line below its indentation", () => {
  const lines = laidOut(LINES, 60);
  expect(lines.filter((line) => line.length > 60 && !line.includes("/"))).toEqual([]);
  expect(lines.join("\n")).toContain("2fsgTvxP0DVTsNXEUBI7hOe0l5A/5uyOO4PQVNfMVc647xJ7ZPoZJOi");
  expect(lines.slice(3).every((line) => /^ {2}\S| {4}\S/.test(line))).toBe(true);
});

it("a summary of an import is as it is where no terminal reads it", () => {
  expect(laidOut(LINES, Number.POSITIVE_INFINITY)).toEqual(LINES);
});
