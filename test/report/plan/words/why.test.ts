import { describe, expect, it } from "vitest";
import type { RuleAnswer, Why } from "../../../../src/plan/people/why.js";
import { describeWhy } from "../../../../src/report/plan/words/why.js";

const ADDRESS = { kind: "EntitlementAutomation", name: "one" };
const USER = { id: "u1", name: "", email: "ana@x.test" };

function answer(matches: boolean | null, more: Partial<RuleAnswer> = {}): RuleAnswer {
  return { rule: "a == b", matches, why: null, assumptions: [], ...more };
}

function access(more: Partial<Extract<Why, { as: "members" }>>): Why {
  return {
    address: ADDRESS,
    user: USER,
    as: "members",
    before: answer(true),
    after: answer(true),
    member: true,
    excluded: false,
    outcomes: [],
    ...more,
  };
}

describe("the answer for one person", () => {
  it("says what happens, and what it follows from", () => {
    const why = access({ after: answer(false), outcomes: [{ outcome: "loses", isCertain: false }] });
    expect(describeWhy(why, why.user)).toEqual([
      "EntitlementAutomation/one: ana@x.test may lose it: a member who was also added by hand stays, and the service does not say who was",
      "  rule before: matches: a == b",
      "  rule after:  does not match: a == b",
      "  has it now:  yes",
      "  excluded:    no",
    ]);
  });

  it("names what is unknown, what does not exist and what is not documented", () => {
    const why = access({
      before: answer(false, { rule: "" }),
      after: answer(null, { why: "subject.attributes was not read", assumptions: ["disabled"] }),
      member: null,
      outcomes: [
        { outcome: "gains", isCertain: false },
        { outcome: "stays", isCertain: false },
      ],
    });
    expect(describeWhy(why, why.user)).toEqual([
      "EntitlementAutomation/one: ana@x.test may gain it, or may have it by another way, and then keeps it",
      "  rule before: none",
      "  rule after:  unknown: a == b (subject.attributes was not read)",
      "  has it now:  unknown",
      "  excluded:    no",
      "  not documented: whether disabled users count",
    ]);
  });

  it.each([
    [false, true, "may enter the review, from the next campaign on"],
    [true, false, "may leave the review, from the next campaign on"],
    [
      true,
      true,
      "may be in the review before and after: only those who hold something under review are in it",
    ],
    [false, false, "stays out of the review"],
    [null, true, "may enter or leave the review"],
  ])("says for a scope that matches %s, then %s: %s", (before, after, words) => {
    const why: Why = {
      address: ADDRESS,
      user: USER,
      as: "audience",
      before: answer(before),
      after: answer(after),
    };
    expect(describeWhy(why, why.user)[0]).toContain(words);
  });
});
