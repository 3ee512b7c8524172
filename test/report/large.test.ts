import { describe, expect, it } from "vitest";
import { FORM_NAMES, type Form, type FormOptions, render } from "../../src/report/forms/table.js";
import type { PlanReport } from "../../src/report/plan/report.js";
import { plain } from "../../src/report/text/paint.js";
import { automation, report } from "./plans.js";

const CHANGES = 10_000;
const range = (low: number, high = low) => ({ low, high });

/** A plan of many objects, each with its people, and of many departments. */
const LARGE: PlanReport = (() => {
  const steps = Array.from({ length: CHANGES }, (_, at) =>
    automation({ address: { kind: "EntitlementAutomation", name: `group-${at}` }, action: "update" }),
  );
  const made = report(steps);
  const counted = {
    ...{ lines: ["people: +7, 0 keep it"], aside: "", brief: "+7, −0", mostLosing: 0 },
    ...{ counts: {}, unknown: [], review: null, holdings: null },
  };
  const values = Array.from({ length: 60 }, (_, at) => ({
    ...{ value: `Department ${at}`, gains: range(60 - at), loses: range(at, 2 * at) },
  }));
  return {
    ...made,
    steps: made.steps.map((step) => ({ ...step, people: counted })),
    people: {
      ...{ users: { read: 100_000, areAll: true, where: null }, failed: [], calls: {}, uncounted: [] },
      ...{ follow: [], unknownAttributes: [], withoutPeople: [], undocumented: [] },
      totals: {
        access: {
          ...{ deletes: 0, rules: CHANGES, profiles: 0, follow: 0 },
          ...{ gains: range(1830), loses: range(1770, 3540) },
        },
        reviews: { scopes: 0, follow: 0, enters: range(0), leaves: range(0) },
        requests: { profiles: 0, gains: range(0), loses: range(0) },
      },
      spread: [{ attribute: "department", values }],
    },
  };
})();

const OPTIONS: FormOptions = {
  ...{ legend: false, part: "whole", verbose: false, maxBytes: null, linkBase: null, folder: "" },
  ...{ packed: null, version: "0", exitCode: 0, columns: 80, paint: plain },
};

/** The formats that show each object, as far as there is room. */
const WHOLE: readonly Form[] = ["text", "json", "markdown", "html"];

describe("a plan of 10,000 changes with bars", () => {
  const printed = (form: Form, more = {}) => render(form, "plan", LARGE, { ...OPTIONS, ...more });
  const named = (text: string) => new Set(text.match(/group-\d+\b/g)).size;

  it.each(["text", "json", "markdown"] as const)("has each of them as %s", async (form) => {
    const text = await printed(form);
    expect(named(text)).toBe(CHANGES);
    expect(text).toContain("Department 0");
  });

  it("is a page of 3 MB at most, which says how many details it leaves out", async () => {
    const page = await printed("html");
    expect(page.length).toBeLessThanOrEqual(3_000_000);
    const shown = page.match(/<div class="b"/g)?.length ?? 0;
    expect(page).toContain(`The details of ${CHANGES - shown} changes with the least risk are left out`);
    expect(page).toContain("Department 0");
  });

  it("fits into a comment, which says how many it leaves out", async () => {
    const comment = await printed("markdown", { maxBytes: 65_536 });
    expect(Buffer.byteLength(comment)).toBeLessThanOrEqual(65_536);
    expect(comment).toContain("Department 0");
    expect(comment).toContain(`**${CHANGES - named(comment)} objects more are not shown here**`);
  });

  it.each(FORM_NAMES.filter((form) => !WHOLE.includes(form)))("is its result alone as %s", async (form) => {
    expect((await printed(form)).length).toBeLessThan(2_000);
  });
});
