import { expect, test } from "vitest";
import { asksVersionAlone } from "../../../src/commands/version/alone.js";

test.each([[["version"]], [["--version"]], [["-V"]]])("%j asks for the version alone", (line) => {
  expect(asksVersionAlone(line)).toBe(true);
});

test.each([
  [[]],
  [["plan"]],
  [["-v"]],
  [["version", "--verbose"]],
  [["version", "--help"]],
  [["--", "version"]],
  [["-C", ".", "version"]],
])("%j asks for something else", (line) => {
  expect(asksVersionAlone(line)).toBe(false);
});
