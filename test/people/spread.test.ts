import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { certainIn, eachPersonOnce, Tally } from "../../src/impact/count.js";
import { peopleOf } from "../../src/impact/person.js";
import { spreadOf, Traits } from "../../src/people/spread.js";
import { NamesSeen } from "../../src/people/valuesSeen.js";
import type { Spread } from "../../src/plan/people/impact.js";
import type { PeopleQuestion } from "../../src/plan/people/question.js";
import { cases } from "../fakes/cases.js";

const user = fc.record({
  department: fc.constantFrom("Sales", "Sales", "Tax", "Tax", "Law", "Board", ""),
  employmentType: fc.constantFrom("Employee", "Contractor"),
});

/** Some counts of people by their number: those who certainly move, those who may, and so many who were not read. */
const counts = fc.array(
  fc.record({
    sure: fc.uniqueArray(fc.nat(59), { maxLength: 40 }),
    may: fc.uniqueArray(fc.nat(59), { maxLength: 40 }),
    unread: fc.nat(3),
  }),
  { maxLength: 3 },
);

type Made = ReadonlyArray<{ readonly sure: number[]; readonly may: number[]; readonly unread: number }>;

function counted(made: Made, of: number) {
  return made.map(({ sure, may, unread }) => {
    const tally = new Tally();
    const ids = (some: readonly number[]) => [...new Set(some.map((at) => `u${at % of}`))];
    const certain = ids(sure);
    const rest = { assumed: null, assumptions: [] };
    tally.add(certain, { certain: true, possible: true, ...rest });
    tally.add(
      ids(may).filter((id) => !certain.includes(id)),
      { certain: false, possible: true, ...rest },
    );
    return tally.count(unread);
  });
}

function sum(spread: Spread, side: "gains" | "loses", bound: "low" | "high"): number {
  return spread.values.reduce((total, one) => total + one[side][bound], 0);
}

describe("who gains and who loses by an attribute", () => {
  it.each([
    ["subject.profile.cost_center", "profile.cost_center"],
    ["subject.job_title", "jobTitle"],
  ])("tells apart by %s", (field, attribute) => {
    const after = { cel: { expression: `${field} == "A"` } };
    const traits = new Traits([{ as: "members", after } as unknown as PeopleQuestion]);
    traits.add(peopleOf([{ id: "u", jobTitle: "A", profile: { cost_center: "A" } }]));
    expect(traits.attributes).toContain(attribute);
    expect(traits.traitOf("u", attribute)).toBe("A");
  });

  it("adds up to the plan's own numbers, and names no value of fewer than five people", () => {
    let named = 0;
    fc.assert(
      fc.property(fc.array(user, { minLength: 5, maxLength: 60 }), counts, counts, (users, more, fewer) => {
        const traits = new Traits([]);
        traits.add(peopleOf(users.map((one, at) => ({ id: `u${at}`, ...one }))));
        const known = { gains: counted(more, users.length), loses: counted(fewer, users.length) };
        const bounds = (of: typeof known.gains) => ({ low: certainIn(of).size, high: eachPersonOnce(of) });
        const together = { gains: bounds(known.gains), loses: bounds(known.loses) };
        const spread = spreadOf(traits, () => new Set(), known, together);
        const moved = new Set([...known.gains, ...known.loses].flatMap(({ people }) => people));
        for (const one of spread) {
          for (const side of ["gains", "loses"] as const)
            for (const bound of ["low", "high"] as const)
              expect(sum(one, side, bound)).toBe(together[side][bound]);
          for (const { value } of one.values) {
            if (value === null) continue;
            named += 1;
            const who = users.filter(
              (user, at) =>
                moved.has(`u${at}`) && (user.department === value || user.employmentType === value),
            );
            expect(who.length).toBeGreaterThanOrEqual(5);
          }
        }
      }),
      { numRuns: cases(100) },
    );
    expect(named).toBeGreaterThan(0);
  });

  it("leaves out a value with someone's name in it, and a part of the profile that may say who someone is", () => {
    const rows = ["Ana Silva", "Bo", "Cy", "Di", "Ed"].map((displayName) => ({
      ...{ id: displayName, displayName, department: "Office of Ana Silva", employmentType: "Employee" },
      profile: { managerName: "Ana Silva" },
    }));
    const traits = new Traits([
      {
        as: "members",
        after: {
          cel: { expression: 'subject.profile.managerName == "Ana Silva" || subject.job_title == "X"' },
        },
      } as never,
    ]);
    expect(traits.attributes).toEqual(["department", "employmentType", "jobTitle"]);
    const people = peopleOf(rows);
    traits.add(people);
    const names = new NamesSeen();
    names.add(people);
    const five = { low: 5, high: 5 };
    const gains = [{ ...five, assumed: null, assumptions: [], people: rows.map(({ id }) => id) }];
    const none = { low: 0, high: 0 };
    const together = { gains: five, loses: none };
    expect(spreadOf(traits, (all) => names.personalIn(all), { gains, loses: [] }, together)).toEqual([
      { attribute: "employmentType", values: [{ value: "Employee", gains: five, loses: none }] },
    ]);
  });
});
