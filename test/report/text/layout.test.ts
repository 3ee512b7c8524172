import { describe, expect, it } from "vitest";
import { beside, bound, usable, wrap } from "../../../src/report/text/layout.js";

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
  it("no line is wrapped, and what stands at the right edge follows the text", () => {
    const text = "word ".repeat(100).trim();
    expect(usable(Number.POSITIVE_INFINITY)).toBe(Number.POSITIVE_INFINITY);
    expect(wrap(text, Number.POSITIVE_INFINITY, "  ")).toEqual([`  ${text}`]);
    expect(beside(text, "a.yaml:1", Number.POSITIVE_INFINITY, "")).toEqual([`${text}  a.yaml:1`]);
  });
});
