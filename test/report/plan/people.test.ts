import { describe, expect, it } from "vitest";
import type { PeopleCount, StepImpact } from "../../../src/plan/impact.js";
import { describePeople } from "../../../src/report/plan/people.js";

function count(low: number, high: number | null, more: Partial<PeopleCount> = {}): PeopleCount {
  const certainty =
    high === null
      ? low > 0
        ? "at least"
        : "unknown"
      : low === high
        ? "exact"
        : low > 0
          ? "between"
          : "at most";
  return { certainty, low, high, assumed: null, assumptions: [], people: null, ...more };
}

const WHERE = { address: { kind: "EntitlementAutomation", name: "one" }, key: ["a", "e"], unknown: [] };
const ALL = {
  users: { read: 1830, areAll: true },
  steps: [],
  together: { loses: 0, gains: 0 },
  uncounted: [],
  failed: [],
  calls: {},
};

function members(more: Partial<Extract<StepImpact, { as: "members" }>>): StepImpact {
  const none = count(0, 0);
  return {
    ...WHERE,
    as: "members",
    ends: false,
    locksOut: false,
    gains: none,
    loses: none,
    keeps: none,
    others: none,
    ...more,
  };
}

function audience(more: Partial<Extract<StepImpact, { as: "audience" }>>): StepImpact {
  const none = count(0, 0);
  return {
    ...WHERE,
    as: "audience",
    before: none,
    after: none,
    enters: none,
    leaves: none,
    added: [],
    removed: [],
    ...more,
  };
}

describe("what a step means for people, in words", () => {
  it.each<[StepImpact, string]>([
    [members({}), "the same people, of 1,830 users"],
    [
      members({ loses: count(0, 3), keeps: count(0, 209) }),
      "0 gain it, at most 3 lose it, 209 match both rules, of 1,830 users",
    ],
    [members({ gains: count(2, 2), keeps: count(9, 9) }), "2 gain it, 0 lose it, 9 keep it, of 1,830 users"],
    [
      members({ gains: count(1, 4), loses: count(0, null), keeps: count(0, null) }),
      "1 to 4 gain it, an unknown number lose it, of 1,830 users",
    ],
    [
      members({ ends: true, loses: count(0, 212) }),
      "0 to 212 people lose it: the service does not document whether members stay, of 1,830 users",
    ],
    [members({ ends: true }), "no one loses it, of 1,830 users"],
    [
      audience({ before: count(190, 190), after: count(38, 38), leaves: count(0, 152) }),
      "38 users match (was 190): at most 152 leave it, from the next campaign on, of 1,830 users",
    ],
    [
      audience({ before: count(5, 5), after: count(5, 5) }),
      "the review asks for the same users, of 1,830 users",
    ],
  ])("%#: %s", (impact, sentence) => {
    expect(describePeople(impact, ALL).lines).toEqual([sentence]);
  });

  const named = (length: number) =>
    Array.from({ length }, (_, at) => ({ id: `u${at}`, name: `P${at}`, email: "" }));

  it("names a few people in the sentence", () => {
    const { lines } = describePeople(members({ loses: count(0, 3, { people: named(3) }) }), ALL);
    expect(lines).toEqual(["0 gain it, at most 3 lose it (P0, P1, P2), 0 keep it, of 1,830 users"]);
  });

  it("names more people on a line of their own, twenty at most", () => {
    const [sentence, names] = describePeople(
      members({ loses: count(0, 25, { people: named(25) }) }),
      ALL,
    ).lines;
    expect(sentence).toBe("0 gain it, at most 25 lose it, 0 keep it, of 1,830 users");
    expect(names).toMatch(/^lose it: P0, P1, .*, P19, 5 more$/);
    const { lines } = describePeople(audience({ enters: count(4, 4, { people: named(4) }) }), ALL);
    expect(lines[1]).toBe("enter the review: P0, P1, P2, P3");
  });

  it.each([
    [count(0, 0), count(0, 0), "the same"],
    [count(0, 0), count(0, 38), "+0, at most −38"],
    [count(87, 91), count(2, 2), "at most +91, −2"],
    [count(0, null), count(1_200, null), "+?, at least −1,200"],
  ])("%#: in a narrow column", (gains, loses, brief) => {
    expect(describePeople(members({ gains, loses }), ALL).brief).toBe(brief);
  });

  it("says what was not read, what fails, and what is not documented", () => {
    const impact = members({
      gains: count(1, 2, { assumptions: ["whether disabled users count"] }),
      unknown: [{ why: "the rule fails", people: 40 }],
    });
    const lines = describePeople(impact, { ...ALL, users: { read: 1, areAll: false } }).lines;
    expect(lines).toEqual([
      "1 to 2 gain it, 0 lose it, 0 keep it, of 1 user that were read",
      "unknown for 40 people: the rule fails",
      "not documented: whether disabled users count",
    ]);
  });

  it("says what is added to a review and taken from it", () => {
    const ref = { appId: "a", id: "e" };
    const { lines } = describePeople(
      audience({
        added: [{ ...ref, grants: 3 }],
        removed: [
          { ...ref, grants: null },
          { ...ref, grants: 1 },
        ],
      }),
      ALL,
    );
    expect(lines[1]).toBe(
      "reviewed: 1 entitlement added (3 grants), 2 entitlements removed (at least 1 grant)",
    );
  });
});
