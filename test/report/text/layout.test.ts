import fc from "fast-check";
import stringWidth from "string-width";
import { describe, expect, it } from "vitest";
import { beside, bound, usable, widthOf, wrap } from "../../../src/report/text/layout.js";

const ADDRESS = "https://larkspur.conductor.one/policies/2fsgTvxP0DVTsNXEUBI7hOe0l5A/edit";

describe("a wrapped line", () => {
  it.each([30, 37, 44, 51])("fills every line of a long text, styled or not, in %d columns", (columns) => {
    const words = Array.from({ length: 400 }, (_, at) => "word".slice(0, 1 + (at % 4)));
    const lines = wrap(words.join(" "), columns, "");
    expect(lines.join(" ")).toBe(words.join(" "));
    expect(Math.min(...lines.slice(0, -1).map((line) => line.length))).toBeGreaterThan(columns - 6);
    const red = wrap(`\u001b[31m${words.join(" ")}\u001b[39m`, columns, "");
    expect(red).toEqual(lines.map((line) => `\u001b[31m${line}\u001b[39m`));
  });

  it("never breaks a web address", () => {
    const lines = wrap(`Look at ${ADDRESS} for more of it`, 40, "  ");
    expect(lines.filter((line) => line.includes(ADDRESS))).toHaveLength(1);
    expect(lines.length).toBeGreaterThan(1);
  });

  it("never breaks a path", () => {
    const path = `manifests/${"reviews/".repeat(8)}q4.yaml`;
    const lines = wrap(`remit cannot read ${path} because it is too large`, 40, "  ");
    expect(lines).toEqual(["  remit cannot read", `  ${path}`, "  because it is too large"]);
  });

  it("never breaks what is bound, and shows its spaces", () => {
    const path = "excludedAccessProfileIds:";
    expect(wrap(`${path} ${bound("+2 (0 → 2)")}`, 32, "  ")).toEqual([`  ${path}`, "  +2 (0 → 2)"]);
    expect(wrap(bound("+2 (0 → 2)"), 32, "")).toEqual(["+2 (0 → 2)"]);
  });

  it("breaks another long word, so that no line is wider than the page", () => {
    expect(Math.max(...wrap("x".repeat(100), 40, "  ").map((line) => line.length))).toBeLessThanOrEqual(40);
  });
});

describe("without a limit", () => {
  const FREE = Number.POSITIVE_INFINITY;

  it("no line is wrapped", () => {
    const text = "word ".repeat(100).trim();
    expect(usable(FREE)).toBe(FREE);
    expect(wrap(text, FREE, "  ")).toEqual([`  ${text}`]);
  });

  it("a text has another behind it", () => {
    expect(beside("short", "a.yaml:1", FREE, "  ")).toEqual(["  short  a.yaml:1"]);
  });
});

it("a text has another behind it where there is room, otherwise below it", () => {
  expect(beside("short", "a.yaml:1", 20, "  ")).toEqual(["  short  a.yaml:1"]);
  expect(beside("a longer text", "a.yaml:1", 20, "  ", "    ")).toEqual(["  a longer text", "    a.yaml:1"]);
});

describe("the width of a text", () => {
  const SIGNS = [..." ~a0\ufdd0…‹›│┌├✓✗·−±×–—→"];
  it.each(SIGNS)("counts %j once, as each of its neighbours", (sign) => {
    expect([widthOf(sign), widthOf(`a${sign}b`)]).toEqual([stringWidth(sign), stringWidth(`a${sign}b`)]);
    expect(widthOf(sign)).toBe(1);
  });

  it("is what the eye counts, whatever stands between these signs", () => {
    const odd = ["漢", "👩‍👩‍👧", "e\u0301", "\u0301", "\u001b[1m", "\u200b", "\ufe0f", "\ufdd1"];
    const text = fc
      .array(fc.constantFrom(...SIGNS, ...odd), { maxLength: 40 })
      .map((parts) => parts.join(""));
    fc.assert(fc.property(text, (one) => widthOf(one) === stringWidth(one)));
  });
});
