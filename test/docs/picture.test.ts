import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
// @ts-expect-error a script has no types
import { draw } from "../../scripts/picture.mjs";
import { workplace } from "../examples/workplace.js";

test("the picture of a plan is what the company's plan shows now; `npm run picture` draws it", async () => {
  const { remit, close } = workplace("company", { FORCE_COLOR: "1" });
  const { stdout } = await remit("plan");
  close();
  const picture = readFileSync(join(import.meta.dirname, "..", "..", "docs", "plan.svg"), "utf8");
  expect(picture).toBe(draw(stdout));
});

test("the picture keeps the indentation of a line, and follows the scheme of the page", () => {
  const picture = draw("  \u001b[1mbold\u001b[22m");
  expect(picture).toContain(">  </tspan>");
  expect(picture).toMatch(/text\{white-space:pre/);
  expect(picture).toContain("@media(prefers-color-scheme:dark)");
});
