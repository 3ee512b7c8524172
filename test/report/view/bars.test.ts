import { describe, expect, it } from "vitest";
import { renderBars } from "../../../src/report/forms/bars.js";
import { spreadOf } from "../../../src/report/forms/html/pictures.js";
import { barsBlock } from "../../../src/report/forms/markdown/bars.js";
import { plain } from "../../../src/report/text/paint.js";
import { barsOf } from "../../../src/report/view/bars.js";

const range = (low: number, high = low) => ({ low, high });
const SPREAD = [
  {
    attribute: "department",
    values: [
      { value: "Platform", gains: range(102, 109), loses: range(0) },
      { value: "Legal", gains: range(5), loses: range(0, 28) },
      { value: null, gains: range(1), loses: range(0) },
    ],
  },
  {
    attribute: "employmentType",
    values: [{ value: "Employee", gains: range(108, 115), loses: range(0, 28) }],
  },
];

describe("who gains and who loses, as bars,", () => {
  it("is solid for those who certainly do, beside those who may, as long as their number", () => {
    expect(renderBars(barsOf(SPREAD), { columns: 40, paint: plain })).toEqual([
      "Who gains and who loses access, by",
      "  department (█ sure, ▒ may)",
      "  Platform  █████████████████▒  +102–109",
      "  Legal     █  +5",
      "            ▒▒▒▒▒  −0–28",
      "  others    █  +1",
    ]);
  });

  it("has each attribute on the page, of which the first is open, and one in a comment", () => {
    const page = spreadOf(barsOf(SPREAD)).html;
    expect(page.match(/<details[^>]*>/g)).toEqual([
      '<details class="by" name="by" open>',
      '<details class="by" name="by">',
    ]);
    expect(page).toContain('<rect width="93.6%" height="16" class="gains"/>');
    expect(barsBlock(barsOf(SPREAD)).join("\n")).not.toContain("employment type");
    expect(barsBlock([])).toEqual([]);
  });

  it("shows a hostile value as text, on its own line", () => {
    const values = [{ value: "::error::<b>`x`\n\u001b[31m", gains: range(9), loses: range(0) }];
    const spread = barsOf([{ attribute: "department", values }]);
    expect(renderBars(spread, { columns: 80, paint: plain }).slice(1)).toEqual([
      expect.stringMatching(/^ │::error::<b>`x`\S* {2}█{40} {2}\+9$/),
    ]);
    expect(spreadOf(spread).html).toContain("::error::&lt;b&gt;`x`");
    expect(barsBlock(spread)[0]?.split("\n")).toHaveLength(5);
  });
});
