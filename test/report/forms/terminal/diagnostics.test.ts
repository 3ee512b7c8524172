import { describe, expect, test } from "vitest";
import { formatDiagnostic, toText } from "../../../../src/report/forms/terminal/diagnostics.js";
import { ansi } from "../../../../src/report/text/paint.js";
import { finding } from "../../diagnostics/diagnostic.js";

// biome-ignore lint/suspicious/noControlCharactersInRegex: colours are control characters
const COLOUR = /\u001b\[\d+m/g;

test("a finding shows its code, its place, its line with carets, and what to do", () => {
  const hint = "userCriteria is set on line 10. Remove one of them.";
  expect(formatDiagnostic(finding("      allUsers: {}", [7, 15], { hint }))).toBe(
    [
      "error[schema/one-of]: userCriteria and allUsers cannot both be set: a scope has one users_scope",
      "  ┌ reviews/q4.yaml:14:7",
      "14│       allUsers: {}",
      "  │       ^^^^^^^^",
      "  = userCriteria is set on line 10. Remove one of them.",
      "",
    ].join("\n"),
  );
});

test("another place that belongs to it stands below the line", () => {
  const at = { line: 3, column: 9 };
  const related = [{ message: "first named here", span: { file: "b.yaml", start: at, end: at } }];
  expect(
    formatDiagnostic(finding("name: a", [7, 8], { related }))
      .split("\n")
      .slice(4),
  ).toEqual(["  ├ b.yaml:3:9 first named here", ""]);
});

test("a finding without a place is its message and what to do", () => {
  expect(
    formatDiagnostic({
      code: "config/missing",
      severity: "warning",
      message: "no remit.yaml",
      hint: "Run remit init.",
    }),
  ).toBe("warning[config/missing]: no remit.yaml\n  = Run remit init.\n");
});

test("findings are ordered by place and counted at the end", () => {
  const late = finding("b", [1, 2], { severity: "warning" });
  const early = finding("a", [1, 2], {
    span: { file: "a.yaml", start: { line: 2, column: 1 }, end: { line: 2, column: 2 } },
  });
  const text = toText([late, early, late]);
  expect(text.indexOf("a.yaml:2:1")).toBeLessThan(text.indexOf("q4.yaml"));
  expect(text.endsWith("\n\n1 error, 2 warnings in 2 files\n")).toBe(true);
  expect(toText([])).toBe("");
});

describe("carets stand under what they mean", () => {
  const cases: readonly (readonly [
    what: string,
    line: string,
    columns: readonly [number, number],
    carets: string,
  ])[] = [
    ["after a tab, which is as wide as it is shown", "\tname: x", [2, 6], "    ^^^^"],
    ["after wide characters", "漢字: x", [5, 6], "      ^"],
    ["under wide characters", "a: 漢字", [4, 6], "   ^^^^"],
    ["after an emoji of several code units", "👩‍👩‍👧 : x", [10, 11], "   ^"],
    ["after a control character, which is shown as its escape", "\u001b: x", [4, 5], "      ^"],
    ["at the end of a line, where nothing is", "name:", [6, 6], "     ^"],
    ["in an empty line", "", [1, 1], "^"],
  ];
  test.each(cases)("%s", (_what, line, columns, carets) => {
    expect(formatDiagnostic(finding(line, columns)).split("\n")[3]).toBe(`  │ ${carets}`);
  });

  test("to the end of the line, where the fault goes on below", () => {
    const span = { file: "a.yaml", start: { line: 1, column: 4 }, end: { line: 9, column: 2 } };
    expect(formatDiagnostic(finding("a: {b", [4, 6], { span })).split("\n")[3]).toBe("  │    ^^");
  });
});

test("of a very long line only the part around the fault is shown", () => {
  const text = `${"a".repeat(5_000_000)}BAD${"b".repeat(5000)}`;
  const one = finding(text, [5_000_001, 5_000_004], { message: "bad" });
  const [, , line, carets] = formatDiagnostic(one, { columns: 46 }).split("\n");
  expect(line).toMatch(/^14│ …a+BADb+…$/);
  expect(line?.length).toBe(44);
  expect(carets?.indexOf("^^^")).toBe(line?.indexOf("BAD"));
});

test("on a screen no line is wider than it, and sentences are wrapped between words", () => {
  const one = finding(`name: ${"x".repeat(200)}`, [7, 207], {
    hint: "Use letters, digits, and inside also . _ and -; 253 characters at most.",
  });
  const shown = formatDiagnostic(one, { columns: 40, paint: ansi }).replaceAll(COLOUR, "");
  expect(shown).toBe(
    [
      "error[schema/one-of]: userCriteria and",
      "  allUsers cannot both be set: a scope",
      "  has one users_scope",
      "  ┌ reviews/q4.yaml:14:7",
      `14│ …${"x".repeat(32)}…`,
      `  │  ${"^".repeat(32)}`,
      "  = Use letters, digits, and inside also",
      "    . _ and -; 253 characters at most.",
      "",
    ].join("\n"),
  );
});

test("a line that begins before what is shown of it says so", () => {
  const excerpt = { text: "tail: BAD", column: 101 };
  const [, , line, carets] = formatDiagnostic(finding("", [107, 110], { excerpt })).split("\n");
  expect(line).toBe("14│ …tail: BAD");
  expect(carets).toBe("  │        ^^^");
});

test("colour comes only through the paint", () => {
  const one = finding("      allUsers: {}", [7, 15]);
  expect(formatDiagnostic(one, { paint: ansi }).replaceAll(COLOUR, "")).toBe(formatDiagnostic(one));
  expect(formatDiagnostic(one, { paint: ansi })).toContain("\u001b[31merror[schema/one-of]\u001b[39m");
});

test("in colour a name is underlined in the place of its back-ticks", () => {
  const one = finding("      allUsers: {}", [7, 15], { hint: "Write `published: true`." });
  expect(formatDiagnostic(one)).toContain("= Write `published: true`.");
  const shown = formatDiagnostic(one, { paint: ansi });
  expect(shown).toContain("Write \u001b[4mpublished: true\u001b[24m.");
  expect(shown).not.toContain("`");
});
