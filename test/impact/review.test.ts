import { describe, expect, it } from "vitest";
import { audienceOf } from "../../src/impact/audience.js";
import { answersFrom } from "../../src/impact/census.js";
import { certaintyOf } from "../../src/impact/count.js";
import { peopleOf } from "../../src/impact/person.js";
import { tallyReview, type UnderReview } from "../../src/impact/review.js";
import { languageFor } from "../../src/impact/rule/language.js";
import type { JsonObject } from "../../src/model/json.js";

const PEOPLE = peopleOf([
  { id: "u1", department: "Tax", status: "ENABLED", managerIds: ["u9"], profile: { site: "Oslo" } },
  { id: "u2", department: "Tax", status: "DISABLED", managerIds: [], profile: { site: ["Oslo", "Bergen"] } },
  { id: "u3", department: "Legal", status: "ENABLED", managerIds: ["u9"], profile: {} },
]);

const ANSWERS = answersFrom({
  people: PEOPLE,
  areAll: true,
  accounts: new Map(),
  members: new Map(),
  groups: new Map(),
});

const LANGUAGE = languageFor("User", ANSWERS, new Date(0));

const ALL = { allUsers: {} };

/** Everyone holds something under review, and nothing is added or taken out. */
const HELD: UnderReview = {
  ...{ isNew: false, isSame: false, isOtherwise: false, narrows: { before: false, after: false } },
  held: () => ({ before: true, after: true, moved: false }),
};

function review(
  before: JsonObject | undefined,
  after: JsonObject,
  areAll = true,
  reviewed: Partial<UnderReview> = {},
) {
  const tally = tallyReview(audienceOf(before, LANGUAGE), audienceOf(after, LANGUAGE), (work) => ({
    value: work(),
    milliseconds: 1,
  }));
  tally.add(PEOPLE);
  return tally.impact(areAll, { ...HELD, ...reviewed });
}

describe("the users that a scope asks for", () => {
  it.each<[string, JsonObject, readonly string[], string]>([
    ["all users", ALL, ["u1", "u2", "u3"], "exact"],
    ["no choice of users", {}, ["u1", "u2", "u3"], "exact"],
    ["selected users", { selectedUsers: { userIds: ["u3", "u7"] } }, ["u3"], "exact"],
    ["a status", { userCriteria: { userStatus: ["DISABLED"] } }, ["u2"], "exact"],
    [
      "an empty list of statuses",
      { userCriteria: { userStatus: [], managerUserIds: ["u9"] } },
      ["u1", "u3"],
      "exact",
    ],
    [
      "an attribute with several values: that one of them is enough is not documented",
      {
        userCriteria: {
          multiUserProfileAttributes: { site: { values: [{ value: "Bergen" }, { value: "Rome" }] } },
        },
      },
      ["u2"],
      "at most",
    ],
    [
      "an expression",
      { celExpression: { expression: "subject.department == 'Tax'" } },
      ["u1", "u2"],
      "exact",
    ],
    [
      "several criteria: that all of them have to be met is not documented",
      {
        userCriteria: {
          userStatus: ["ENABLED"],
          multiUserProfileAttributes: { site: { values: [{ value: "Oslo" }] } },
        },
      },
      ["u1", "u2", "u3"],
      "between",
    ],
    [
      "groups alone, which may be left out or let in",
      { userCriteria: { groupAppEntitlementsRef: [{ appId: "a", id: "e" }] } },
      ["u1", "u2", "u3"],
      "at most",
    ],
    [
      "groups beside a criterion: that both have to be met is not documented",
      { userCriteria: { managerUserIds: ["u9"], groupAppEntitlementsRef: [{ appId: "a", id: "e" }] } },
      ["u1", "u2", "u3"],
      "at most",
    ],
    [
      "a criterion that remit does not know",
      { userCriteria: { userStatus: ["ENABLED"], future: 1 } },
      ["u1", "u2", "u3"],
      "at most",
    ],
    [
      "an expression that fails",
      { celExpression: { expression: "subject.profile.site.size() > 4" } },
      ["u3"],
      "at most",
    ],
  ])("%s", (_name, scope, people, basis) => {
    const { after } = review(ALL, scope);
    expect([after.people, certaintyOf(after)]).toEqual([people, basis]);
  });

  const ENABLED = { userCriteria: { userStatus: ["ENABLED"] } };
  const moved = (impact: ReturnType<typeof review>) =>
    [impact.enters, impact.leaves].map(({ low, high, people }) => [low, high, people]);
  const NO_ONE = [0, 0, []];

  it("says who leaves, for certain where they hold something under review", () => {
    expect(review(ALL, ENABLED).before).toMatchObject({ low: 3, high: 3 });
    expect(moved(review(ALL, ENABLED))).toEqual([NO_ONE, [1, 1, ["u2"]]]);
    const unknown = { held: () => ({ before: null, after: null, moved: false }) };
    expect(moved(review(ALL, ENABLED, true, unknown))).toEqual([NO_ONE, [0, 1, ["u2"]]]);
    const nothing = { held: () => ({ before: false, after: false, moved: false }) };
    expect(moved(review(ALL, ENABLED, true, nothing))).toEqual([NO_ONE, NO_ONE]);
  });

  it("says who enters and leaves by what is added and taken out, of the same users", () => {
    const held = (id: string) => ({ before: id === "u1", after: id === "u3", moved: id !== "u2" });
    const of = (more: Partial<UnderReview>) => moved(review(ALL, ALL, true, { isSame: true, held, ...more }));
    expect(of({})).toEqual([
      [1, 1, ["u3"]],
      [1, 1, ["u1"]],
    ]);
    // Who is left out by another part of the scope is not known.
    expect(of({ narrows: { before: true, after: true } })).toEqual([
      [0, 1, ["u3"]],
      [0, 1, ["u1"]],
    ]);
  });

  it("says that anyone of them may enter or leave where another part of the scope changes", () => {
    const other = { isSame: true, isOtherwise: true, narrows: { before: true, after: true } };
    const all = [0, 3, ["u1", "u2", "u3"]];
    expect(moved(review(ALL, ALL, true, other))).toEqual([all, all]);
  });

  it("says that no one leaves a new one, and who holds something under it enters", () => {
    expect(moved(review(undefined, ENABLED, true, { isNew: true }))).toEqual([[2, 2, ["u1", "u3"]], NO_ONE]);
  });

  it("has no upper bound where not all people were read, or the scope in the tenant was not seen", () => {
    expect(review(ALL, {}, false).after).toMatchObject({ low: 3, high: null });
    expect(certaintyOf(review(undefined, ALL).leaves)).toBe("exact");
    expect(certaintyOf(review(undefined, {}).enters)).toBe("at most");
  });

  it("says why, and for how many people", () => {
    const { unknown } = review(ALL, { celExpression: { expression: "subject.profile.site == 'Oslo'" } });
    expect(unknown).toEqual([{ why: "the rule asks for a key that is not there", people: 1, after: 1 }]);
  });
});
