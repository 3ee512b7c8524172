import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Count } from "../../../src/impact/count.js";
import { eachPersonOnce, eachPersonOnceForCertain } from "../../../src/impact/eachPersonOnce.js";
import { type PeopleCount, type PlanImpact, peopleCount } from "../../../src/plan/people/impact.js";
import { totalsOf } from "../../../src/plan/people/totals.js";

const counted = (certain: readonly string[], possible: readonly string[] = []): Count => {
  const people = [...new Set([...certain, ...possible])];
  return { low: certain.length, high: people.length, assumed: null, assumptions: [], people };
};

describe("people over several rules", () => {
  it("are never fewer than those who certainly lose, nor more than those who may", () => {
    const some = fc.uniqueArray(fc.integer({ min: 0, max: 12 }).map(String), { maxLength: 6 });
    fc.assert(
      fc.property(fc.array(fc.tuple(some, some), { maxLength: 5 }), (rules) => {
        const counts = rules.map(([certain, possible]) => counted(certain, possible));
        const certain = new Set(rules.flatMap(([names]) => names)).size;
        const may = new Set(rules.flat(2)).size;
        expect(eachPersonOnceForCertain(counts)).toBeLessThanOrEqual(certain);
        expect(eachPersonOnce(counts, true)).toBe(may);
        const exact = rules.map(([names]) => counted(names));
        expect(eachPersonOnceForCertain(exact)).toBe(certain);
      }),
    );
  });
});

const NONE = peopleCount(counted([]), null);
const shown = (count: Count): PeopleCount => peopleCount(count, null);
const rule = (name: string, loses: Count) =>
  ({
    ...{ address: { kind: "EntitlementAutomation", name }, key: null, unknown: [], as: "members" as const },
    ...{ ends: false, locksOut: false, before: NONE, after: NONE, gains: NONE, keeps: NONE, others: NONE },
    loses: shown(loses),
  }) as const;
const scope = (name: string, leaves: Count) =>
  ({
    ...{
      address: { kind: "TemplateScope", name },
      key: null,
      unknown: [],
      as: "audience" as const,
      isSame: false,
    },
    ...{ before: NONE, after: NONE, enters: NONE, added: [], removed: [], notCounted: [], campaigns: null },
    leaves: shown(leaves),
  }) as const;

function impactOf(steps: PlanImpact["steps"], three: Count): PlanImpact {
  const loses = eachPersonOnce([three, three], true);
  return {
    users: { read: 9, areAll: true, where: null },
    steps,
    together: {
      ...{ loses, gains: 0, least: { loses: eachPersonOnceForCertain([three, three]), gains: 0 } },
      reviews: { enters: 0, leaves: 5 },
    },
    ...{ uncounted: [], failed: [], calls: {} },
  };
}

describe("the totals of a plan", () => {
  const three = counted(["a", "b", "c"]);
  const steps = [rule("one", three), rule("two", three), scope("q4", counted([], ["a", "b", "d", "e", "f"]))];
  const impact = impactOf(steps, three);

  it("count each person once, and those who leave a review apart", () => {
    expect(totalsOf(impact, steps)).toEqual({
      access: { rules: 2, deletes: 0, gains: { low: 0, high: 0 }, loses: { low: 3, high: 3 } },
      reviews: { scopes: 1, enters: { low: 0, high: 0 }, leaves: { low: 0, high: 5 } },
    });
  });

  it("are those of the steps that are left, and any number where one step may concern anyone", () => {
    const { access } = totalsOf(impact, steps.slice(0, 1));
    expect(access).toEqual({ rules: 1, deletes: 0, gains: { low: 0, high: 0 }, loses: { low: 3, high: 3 } });
    const open = [...steps, rule("three", { ...three, low: 1, high: null })];
    expect(totalsOf(impactOf(open, three), open).access.loses).toEqual({ low: 3, high: null });
  });

  it("are not smaller for a plan of an earlier version, which has no minimum", () => {
    const { least: _, reviews: __, ...earlier } = impact.together;
    const totals = totalsOf({ ...impact, together: earlier }, steps);
    expect([totals.access.loses, totals.reviews.leaves]).toEqual([
      { low: 3, high: 3 },
      { low: 0, high: 5 },
    ]);
  });
});
