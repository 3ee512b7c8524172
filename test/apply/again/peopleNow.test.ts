import { describe, expect, it } from "vitest";
import { grown } from "../../../src/apply/again/peopleNow.js";
import type { PeopleCount, PlanImpact, StepImpact } from "../../../src/plan/people/impact.js";
import type { Planned } from "../../../src/plan/plan.js";

const count = (high: number | null): PeopleCount => ({
  ...{ certainty: "at most", low: 0, high, assumed: high, assumptions: [], people: null },
});

const address = { kind: "AccessProfile", name: "tax" };

/** Someone may lose access by a rule, by what a profile offers, or by a rule that follows. */
const LOSING: Readonly<Record<string, (high: number | null) => Partial<PlanImpact>>> = {
  members: (high) => ({ steps: [step({ as: "members", loses: count(high) })] }),
  enrolled: (high) => ({ steps: [step({ as: "enrolled", loses: count(high) })] }),
  follow: (high) => ({
    steps: [],
    follow: [{ address, as: "members", asksFor: [], counts: { gains: count(0), loses: count(high) } }],
  }),
};

function step(more: object): StepImpact {
  return { address, key: null, unknown: [], gains: count(0), ...more } as unknown as StepImpact;
}

function codes(shown: Partial<PlanImpact>, now: Partial<PlanImpact>): readonly string[] {
  const plan = { impact: { follow: [], ...shown } } as unknown as Planned;
  return grown(plan, { follow: [], ...now } as unknown as PlanImpact).map(({ code }) => code);
}

describe("a saved plan whose people were counted again", () => {
  it.each(Object.entries(LOSING))(
    "is refused where more may lose access than it shows, by %s",
    (_, losing) => {
      expect(codes(losing(3), losing(4))).toEqual(["impact/grew"]);
      expect(codes(losing(3), losing(3))).toEqual([]);
      expect(codes(losing(3), losing(2))).toEqual([]);
    },
  );

  it("compares a rule with that rule, and what a profile offers with that", () => {
    const both = (rule: number, offered: number) => ({
      steps: [step({ as: "members", loses: count(rule) }), step({ as: "enrolled", loses: count(offered) })],
    });
    expect(codes(both(9, 1), both(9, 2))).toEqual(["impact/grew"]);
    expect(codes(both(1, 9), both(1, 9))).toEqual([]);
  });
});
