import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Count, eachPersonOnce, NONE } from "../../src/impact/count.js";
import { cases } from "../fakes/cases.js";

function counted(people: readonly string[], high: number | null = people.length): Count {
  return { ...NONE, high, assumed: null, people };
}

describe("the most people of several counts", () => {
  it("has each person once who is known, and adds those who are not", () => {
    expect(eachPersonOnce([counted(["a", "b"]), counted(["b", "c"])])).toBe(3);
    expect(eachPersonOnce([counted(["a", "b"], 3), counted(["b", "c"], 4)])).toBe(6);
  });

  it("keeps to a bound that is lower than the people who may be meant, and leaves out what has none", () => {
    expect(eachPersonOnce([counted(["a", "b", "c"], 1), counted(["d"], null)])).toBe(1);
    expect(eachPersonOnce([])).toBe(0);
  });

  it("is never less than the people who are really meant", () => {
    const ids = fc.uniqueArray(fc.constantFrom(..."abcdefgh"), { maxLength: 8 });
    // Who is meant is some of those who may be, and perhaps some who were not read.
    const step = fc.record({ possible: ids, real: ids });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 5 }), fc.boolean(), (steps, areAll) => {
        const meant = steps.map(({ possible, real }) =>
          areAll ? real.filter((id) => possible.includes(id)) : real,
        );
        const counts = steps.map(({ possible }, at) => {
          const strangers = (meant[at] ?? []).filter((id) => !possible.includes(id)).length;
          return counted(possible, possible.length + strangers);
        });
        expect(eachPersonOnce(counts)).toBeGreaterThanOrEqual(new Set(meant.flat()).size);
      }),
      { numRuns: cases(40) },
    );
  });
});
