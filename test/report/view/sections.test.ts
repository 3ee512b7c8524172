import { describe, expect, it } from "vitest";
import { kindNamed } from "../../../src/kinds/index.js";
import { type Form, render } from "../../../src/report/forms/table.js";
import { describePlan } from "../../../src/report/plan/describe.js";
import { sectionsOf } from "../../../src/report/view/sections.js";
import { viewOf } from "../../../src/report/view/view.js";
import { wordsOf } from "../../contracts/statements.js";
import { EVERYTHING, OPTIONS } from "../html/pages.js";
import { HASH } from "../plans.js";

const loosened = [{ setting: "guards.everyone", value: "allow", standard: "ask", from: "remit.yaml:4" }];
const ref = { ref: "main", commit: "c3d4".repeat(10) };
const PLANNED = {
  ...EVERYTHING,
  settings: { ...EVERYTHING.settings, loosened },
  unseen: [{ what: "template scopes", why: "the core interface has no reads" }],
};
const WHOLE = (() => {
  const report = describePlan(PLANNED, HASH, kindNamed);
  return { ...report, since: { ...ref, pending: report.steps } };
})();

/** What stands in a section of each form that has it. */
const MARKS = {
  verdict: "Blocked: ",
  facts: "https://tenant.example",
  spread: "Who gains and who loses access",
  before: "Settings that permit more than the default",
  guards: "max-deletes 6 objects",
  meant: "type-11",
  drifted: "Drift: the tenant was changed",
  about: "Not read: template scopes",
} as const;

const FORMS: readonly Form[] = ["text", "markdown", "html"];

describe("the sections of a plan", () => {
  it.each(FORMS)("stand in one order in %s, whatever the order is", async (form) => {
    const text = wordsOf((await render(form, "plan", WHOLE, OPTIONS)).replace(/<title>.*?<\/style>/s, ""));
    const places = sectionsOf("whole").flatMap((name) =>
      name in MARKS ? text.indexOf(MARKS[name as keyof typeof MARKS]) : [],
    );
    expect(places).toHaveLength(Object.keys(MARKS).length);
    expect(places).not.toContain(-1);
    expect(places).toEqual(places.toSorted((one, other) => one - other));
  });

  it("are each in one of the two parts that a terminal prints, and their steps are made once", () => {
    const [early, rest] = [sectionsOf("steps"), sectionsOf("rest")];
    expect([...early, ...rest].toSorted()).toEqual([...sectionsOf("whole"), "people"].toSorted());
    expect(viewOf(WHOLE, "risk", "rest").changes.meant).toEqual([]);
    expect(viewOf(WHOLE, "risk", "steps").changes).toEqual(viewOf(WHOLE).changes);
  });
});
