import { describe, expect, it } from "vitest";
import type { PeopleCount, PlanImpact, StepImpact } from "../../../src/plan/people/impact.js";
import { describePeople, sentencesOf, undocumentedIn, usersIn } from "../../../src/report/plan/people.js";

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
  users: { read: 1830, areAll: true, where: null },
  steps: [],
  together: {
    ...{ gains: { low: 0, high: 0 }, loses: { low: 0, high: 0 } },
    ...{ enters: { low: 0, high: 0 }, leaves: { low: 0, high: 0 } },
  },
  ...{ spread: [], follow: [], unknownAttributes: [], withoutPeople: [] },
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
    before: none,
    after: count(9, 9),
    gains: none,
    loses: none,
    keeps: none,
    both: more.keeps ?? none,
    others: none,
    ...more,
  };
}

function audience(more: Partial<Extract<StepImpact, { as: "audience" }>>): StepImpact {
  const none = count(0, 0);
  return {
    ...WHERE,
    as: "audience",
    ...{ isNew: false, isSame: false, isStill: false },
    before: none,
    after: none,
    enters: none,
    leaves: none,
    added: [],
    removed: [],
    notCounted: [],
    campaigns: null,
    ...more,
  };
}

function holdings(
  resources: number,
  entitlements: number | null,
  grants: number | null,
  isAll = true,
  people = grants,
  automations = 0,
): StepImpact {
  const extent = (low: number | null) => (low === null ? null : { low, isAll });
  return {
    ...WHERE,
    as: "holdings",
    resources: extent(resources),
    entitlements: extent(entitlements),
    automations: extent(automations),
    grants: extent(grants),
    people: people === null ? count(0, null) : count(isAll ? people : people, isAll ? people : null),
  };
}

const NAMES = { "app:a": "GitHub" };

function told(impact: StepImpact, more: Partial<PlanImpact> = {}): readonly string[] {
  return sentencesOf(describePeople(impact, { ...ALL, ...more }, NAMES));
}

describe("what a step means for people, in words", () => {
  it.each<[StepImpact, string]>([
    [members({}), "the same people"],
    [members({ after: count(0, 0) }), "0 of 1,830 users match"],
    [
      members({ before: count(12, 12), after: count(0, 0), loses: count(0, 3) }),
      "0 of 1,830 users match (was 12): at most 3 lose it",
    ],
    [
      audience({ before: count(5, 5), leaves: count(0, 5) }),
      "0 of 1,830 users match (was 5): at most 5 leave the review",
    ],
    [audience({}), "0 of 1,830 users match (was 0): no one enters or leaves the review"],
    [
      members({ loses: count(0, 3), keeps: count(0, 209), both: count(209, 209) }),
      "0 gain it, at most 3 lose it, 209 match both rules",
    ],
    [
      members({ loses: count(0, 3), keeps: count(0, 209), both: count(200, 209) }),
      "0 gain it, at most 3 lose it, 200 to 209 match both rules",
    ],
    [members({ gains: count(2, 2), keeps: count(9, 9) }), "2 gain it, 0 lose it, 9 keep it"],
    [
      members({ gains: count(1, 4), loses: count(0, null), keeps: count(0, null) }),
      "1 to 4 gain it, an unknown number lose it",
    ],
    [
      members({ ends: true, loses: count(0, 212) }),
      "0 to 212 people: the service does not document whether members stay",
    ],
    [members({ ends: true }), "no one loses it"],
    [
      audience({ before: count(190, 190), after: count(38, 38), leaves: count(0, 152) }),
      "38 of 1,830 users match (was 190): at most 152 leave the review",
    ],
    [
      audience({ isSame: true, before: count(5, 5), after: count(5, 5), enters: count(3, 9) }),
      "5 of 1,830 users match, as before: 3 to 9 enter the review",
    ],
    [
      audience({ isNew: true, after: count(5, 5), enters: count(5, 5) }),
      "5 of 1,830 users match: 5 enter the review",
    ],
    [
      audience({ isStill: true, notCounted: ["grants (daysSinceLastUsed)"] }),
      "no one enters or leaves the review, unknown: grants (daysSinceLastUsed)",
    ],
    [
      holdings(14, 3, 62, true, 40),
      "deleted with it: 14 resources, 3 entitlements and 62 grants of 40 people",
    ],
    [holdings(0, 0, 1, true, 1, 1), "deleted with it: 1 automation and 1 grant of 1 person"],
    [holdings(0, 0, 0), "nothing goes with it"],
    [
      holdings(100, null, null, false),
      "deleted with it: at least 100 resources, an unknown number of entitlements, at least 0 automations and an unknown number of grants of an unknown number of people",
    ],
  ])("%#: %s", (impact, sentence) => {
    expect(told(impact)).toEqual([sentence]);
  });

  it("says how many accounts fit the criteria of a scope, and what they were", () => {
    const accounts = { before: { low: 1200, isAll: true }, after: { low: 3, isAll: false } };
    expect(told(audience({ isSame: true, accounts }))[1]).toBe(
      "at least 3 accounts of the reviewed apps fit its criteria by the service's search (was 1,200)",
    );
  });

  const named = (length: number) =>
    Array.from({ length }, (_, at) => ({ id: `u${at}`, name: `P${at}`, email: "" }));

  it("names a few people in the sentence", () => {
    expect(told(members({ loses: count(0, 3, { people: named(3) }) }))).toEqual([
      "0 gain it, at most 3 lose it (P0, P1, P2), 0 keep it",
    ]);
  });

  it("names more people on a line of their own, twenty at most", () => {
    const [sentence, names] = told(members({ loses: count(0, 25, { people: named(25) }) }));
    expect(sentence).toBe("0 gain it, at most 25 lose it, 0 keep it");
    expect(names).toMatch(/^lose it: P0, P1, .*, P19, 5 more$/);
    const both = { loses: count(0, 15, { people: named(15) }), gains: count(0, 15, { people: named(15) }) };
    const [, losing, gaining] = told(members(both));
    expect(losing).toMatch(/^lose it: P0, .*, P14$/);
    expect(gaining).toBe("gain it: P0, P1, P2, P3, P4, 10 more");
    const [, entering] = told(audience({ enters: count(4, 4, { people: named(4) }) }));
    expect(entering).toBe("enter the review: P0, P1, P2, P3");
  });

  it.each([
    [count(0, 0), count(0, 0), "the same"],
    [count(0, 0), count(0, 38), "+0, at most −38"],
    [count(87, 91), count(2, 2), "+87 to +91, −2"],
    [count(0, null), count(1_200, null), "+?, at least −1,200"],
  ])("%#: in a narrow column", (gains, loses, brief) => {
    expect(describePeople(members({ gains, loses }), ALL, NAMES).brief).toBe(brief);
  });

  it("says what was not read, what fails, and what is not documented", () => {
    const impact = members({
      gains: count(1, 2, { assumptions: ["whether disabled users count"] }),
      unknown: [{ why: "the rule fails", people: 40, after: 40 }],
    });
    expect(told(impact, { users: { read: 1, areAll: false, where: null } })).toEqual([
      "1 to 2 gain it, 0 lose it, 0 keep it",
      "unknown for 40 people: the rule fails",
    ]);
    expect(undocumentedIn([impact, impact])).toEqual(["whether disabled users count"]);
  });

  it("says which users were asked for, where the service filtered them", () => {
    const users = { read: 311, areAll: true, where: { department: ["Data", "Tax"], jobTitle: ["Analyst"] } };
    expect(usersIn(users)).toBe("311 users with department Data or Tax and jobTitle Analyst");
    expect(usersIn({ read: 1, areAll: false, where: null })).toBe("the 1 user that remit read");
  });

  it("says what is added to a review and taken from it", () => {
    const ref = { appId: "a", id: "e", name: "github-admin" };
    const [, added, removed] = told(
      audience({
        added: [{ ...ref, grants: 3 }],
        removed: [
          { appId: "a", id: "f", grants: null, name: null },
          { ...ref, grants: 1 },
          { ...ref, grants: 0 },
        ],
      }),
    );
    expect(added).toBe("1 entitlement added, 3 grants: GitHub › github-admin (3)");
    expect(removed).toBe(
      "3 entitlements removed, at least 1 grant: GitHub › github-admin (1), GitHub › f (unknown)",
    );
  });

  it("shows the last campaign's own count, and campaigns that keep the scope that they were cut with", () => {
    const closes = { at: "2026-12-15T15:30:00Z", decision: "REVOKED" };
    const campaign = { name: "Q3", isRunning: false, tasks: 38, closes: null };
    const open = [
      { name: "Q4", isRunning: true, tasks: 219, closes },
      { name: "Q5", isRunning: false, tasks: null, closes: { at: "", decision: "OTHER" } },
    ];
    const [, last, running, cut] = told(audience({ campaigns: { last: campaign, open } }));
    expect(last).toBe("last campaign: Q3, 38 tasks");
    expect(running).toBe(
      "running: Q4, 219 tasks, keeps the scope that it was cut with; closes by itself on 2026-12-15 and revokes what was not reviewed",
    );
    expect(cut).toBe(
      "cut and not started: Q5, keeps the scope that it was cut with; closes by itself and does with what was not reviewed what the service decides",
    );
  });
});
