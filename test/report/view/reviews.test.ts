import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { reviewTable } from "../../../src/report/forms/markdown/reviews.js";
import { choiceIn, choiceSentence } from "../../../src/report/plan/words/choice.js";
import { reviewsIn } from "../../../src/report/view/reviews.js";
import { HOSTILE } from "../diagnostics/diagnostic.js";
import { EVERY_CHANGE } from "../faces.js";
import { report } from "../plans.js";

const held = (grants: number | null) => ({ appId: "a", id: "e", name: null, grants });

/** A review whose entitlements and fields change, with the grants of what it takes and adds. */
function review(removed: readonly (number | null)[], added: readonly (number | null)[]) {
  const [step] = report([EVERY_CHANGE]).steps;
  if (step === undefined) throw new Error("the plan has no step");
  const people = {
    ...{ lines: [], aside: "", brief: "review: at most −38", mostLosing: 38, counts: {}, unknown: [] },
    ...{ holdings: null },
    review: {
      notCounted: [],
      campaigns: null,
      removed: removed.map(held),
      added: added.map(held),
    },
  };
  return { ...step, people };
}

const tables = (...steps: readonly ReturnType<typeof review>[]) => reviewsIn(steps).map(reviewTable);

describe("a review before and after", () => {
  it("is a table with its fields, its entitlements, its grants and its people", () => {
    const [table = ""] = tables(review([4, 3], []));
    expect(table.split("\n").slice(2)).toEqual([
      "| users | userCriteria: { userStatus: &#91;ENABLED&#93; } | allUsers |",
      expect.stringContaining("daysSinceLastUsed | 90d | 1d12h30m |"),
      expect.stringContaining("| not set |"),
      expect.stringMatching(/entitlements .*<br>− .*<br>\+ /),
      "| grants | −7 | +0 |",
      "| people |  | **at most −38** |",
    ]);
    expect(tables(review([null], [2]))[0]).toContain("| grants | −? | +2 |");
  });

  it("names the members of a choice as its sentence does", () => {
    const word = fc.stringMatching(/^[a-z][A-Za-z ]{0,12}$/).filter((one) => !one.includes(" instead of "));
    fc.assert(
      fc.property(word, word, word, (group, to, from) => {
        expect(choiceIn(choiceSentence({ group, to, from }))).toEqual({ group, to, from });
      }),
      { numRuns: 50 },
    );
    for (const text of HOSTILE) expect(choiceIn(text)).toBeNull();
  });

  it("stays one table whatever its values are, and is left out where there are many", () => {
    for (const title of HOSTILE) {
      const [table = ""] = tables({ ...review([], []), title });
      for (const line of table.split("\n")) expect(line).toMatch(/^\|([^|]*\|){3}$/);
    }
    expect(tables(...Array.from({ length: 7 }, () => review([], [])))).toEqual([]);
  });
});
