import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Count, certainIn, eachPersonOnce } from "../../../src/impact/count.js";
import { type PeopleCount, type PlanImpact, peopleCount } from "../../../src/plan/people/impact.js";
import { totalsOf } from "../../../src/plan/people/totals.js";
import type { Step } from "../../../src/plan/step.js";
import type { StepPart } from "../stepPart.js";

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
        expect(certainIn(counts).size).toBe(certain);
        expect(eachPersonOnce(counts)).toBe(may);
      }),
    );
  });
});

const NONE = peopleCount(counted([]), null);
const shown = (count: Count): PeopleCount => peopleCount(count, null);
/** A step that may move people, as far as that is read from it. */
function step(kind: string, name: string, more: StepPart): Step {
  const object = kind === "TemplateScope" ? { scope: { allUsers: {} } } : { cel: { expression: "true" } };
  const values = { before: object, after: { ...object, cel: { expression: "false" } } };
  const rest = { recorded: { driftedFrom: null }, sight: { exists: "yes" }, changes: [] } as const;
  return {
    address: { kind, name },
    key: ["app", name],
    action: "update",
    ...values,
    ...rest,
    ...more,
  } as Step;
}

const edited = (name: string) => step("EntitlementAutomation", name, {});
const created = (name: string) =>
  step("EntitlementAutomation", name, { action: "create", sight: { exists: "no" }, before: null });
const deleted = (name: string) => step("EntitlementAutomation", name, { action: "delete", after: null });
const gone = (name: string) => step("Entitlement", name, { action: "delete", after: null });
const scope = (name: string) =>
  step("TemplateScope", name, { after: { scope: { userCriteria: { userStatus: ["ENABLED"] } } } });
const profile = (name: string) =>
  step("AccessProfile", name, {
    before: { published: true, visibleToEveryone: false },
    after: { published: true, visibleToEveryone: true },
  });

type Counted = PlanImpact["steps"][number];

function rule(of: Step, loses: Count, gains: Count = counted([])): Counted {
  const rest = { before: NONE, after: NONE, keeps: NONE, both: NONE, others: NONE };
  const what = { as: "members", ends: false, locksOut: false, unknown: [] } as const;
  return { address: of.address, key: of.key, ...what, ...rest, gains: shown(gains), loses: shown(loses) };
}

function audience(of: Step, leaves: Count): Counted {
  const rest = { before: NONE, after: NONE, added: [], removed: [], notCounted: [], campaigns: null };
  const what = { as: "audience", isNew: false, isSame: false, isStill: false, unknown: [] } as const;
  return { address: of.address, key: of.key, ...what, ...rest, enters: NONE, leaves: shown(leaves) };
}

function impactOf(steps: PlanImpact["steps"], loses: readonly Count[], leaves: readonly Count[]): PlanImpact {
  const together = (counts: readonly Count[]) => ({
    low: certainIn(counts).size,
    high: eachPersonOnce(counts),
  });
  const all = { gains: together([]), loses: together(loses), enters: together([]), leaves: together(leaves) };
  const users = { read: 9, areAll: true, where: null };
  return {
    users,
    steps,
    together: all,
    spread: [],
    follow: [],
    unknownAttributes: [],
    withoutPeople: [],
    uncounted: [],
    failed: [],
    calls: {},
  };
}

describe("the totals of a plan", () => {
  const three = counted(["a", "b", "c"]);
  const leaving = counted([], ["a", "b", "d", "e", "f"]);
  const steps = [edited("one"), edited("two"), scope("q4")];
  const [one, two, q4] = steps as [Step, Step, Step];
  const impact = impactOf(
    [rule(one, three), rule(two, three), audience(q4, leaving)],
    [three, three],
    [leaving],
  );
  const totals = (some: readonly Step[], found: PlanImpact | null = impact) =>
    totalsOf({ impact: found, steps: some });
  const ANY = { low: 0, high: null };
  const NO_ONE = { low: 0, high: 0 };

  it("count each person once, and those who leave a review apart", () => {
    expect(totals(steps)).toEqual({
      access: {
        ...{ rules: 2, deletes: 0, profiles: 0, follow: 0 },
        ...{ gains: NO_ONE, loses: { low: 3, high: 3 } },
      },
      reviews: { scopes: 1, follow: 0, enters: NO_ONE, leaves: { low: 0, high: 5 } },
      requests: { profiles: 0, gains: NO_ONE, loses: NO_ONE },
    });
  });

  it("are those of the steps that are left, and any number where one step may concern anyone", () => {
    expect(totals(steps.slice(0, 1)).access).toMatchObject({ rules: 1, loses: { low: 3, high: 3 } });
    const three1 = edited("three");
    const open = impactOf(
      [...impact.steps, rule(three1, { ...three, low: 1, high: null })],
      [three, three],
      [leaving],
    );
    expect(totals([...steps, three1], open).access.loses).toEqual({ low: 3, high: null });
  });

  it("are open upwards for every step that was not counted, and for nothing that it cannot do", () => {
    const access = (more: Step) => {
      const { gains, loses } = totals([...steps, more]).access;
      return { gains, loses };
    };
    expect(access(edited("new"))).toEqual({ gains: ANY, loses: { low: 3, high: null } });
    expect(access(created("new"))).toEqual({ gains: ANY, loses: { low: 3, high: 3 } });
    expect(access(deleted("old"))).toEqual({ gains: NO_ONE, loses: { low: 3, high: null } });
    expect(access(gone("old"))).toEqual({ gains: NO_ONE, loses: { low: 3, high: null } });
    expect(totals([...steps, scope("q5")]).reviews).toMatchObject({ enters: ANY, leaves: ANY });
    expect(totals([...steps, profile("shop")]).requests).toEqual({ profiles: 1, gains: ANY, loses: ANY });
  });

  it("are open for a rule that follows and was not counted", () => {
    const follow = [{ address: one.address, as: "members" as const, asksFor: [two.address], counts: null }];
    const { access } = totals(steps, { ...impact, follow });
    expect(access).toMatchObject({ follow: 1, gains: ANY, loses: { low: 3, high: null } });
  });

  it("know nothing of a plan whose people were not counted", () => {
    const { access, reviews } = totals(steps, null);
    expect([access.gains, access.loses, reviews.enters, reviews.leaves]).toEqual([ANY, ANY, ANY, ANY]);
  });
});
