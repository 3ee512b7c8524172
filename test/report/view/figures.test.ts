import { expect, it } from "vitest";
import { figuresOf } from "../../../src/report/view/figures.js";
import { automation, report } from "../plans.js";

it("the figures of a plan are its people, its reviews and its objects", () => {
  const steps = [automation(), automation({ action: "create" }), automation({ action: "delete" })];
  expect(figuresOf(report(steps)).map(({ of, more, fewer }) => [of, more, fewer])).toEqual([
    ["People", "none", ""],
    ["Reviews", "none", ""],
    ["Objects", "+1 ~1", "−1"],
  ]);
});
