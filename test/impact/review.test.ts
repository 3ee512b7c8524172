import { describe, expect, it } from "vitest";
import { audienceOf } from "../../src/impact/audience.js";
import { answersFrom } from "../../src/impact/census.js";
import { certaintyOf } from "../../src/impact/count.js";
import { peopleOf } from "../../src/impact/person.js";
import { tallyReview } from "../../src/impact/review.js";
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

function review(before: JsonObject | undefined, after: JsonObject, areAll = true) {
  const tally = tallyReview(audienceOf(before, LANGUAGE), audienceOf(after, LANGUAGE), (work) => ({
    value: work(),
    milliseconds: 1,
  }));
  tally.add(PEOPLE);
  return tally.impact(areAll);
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

  it("says who may leave: only those who hold something under review are in it", () => {
    const { before, leaves, enters } = review(ALL, { userCriteria: { userStatus: ["ENABLED"] } });
    expect(before).toMatchObject({ low: 3, high: 3 });
    expect(leaves).toMatchObject({ low: 0, high: 1, people: ["u2"] });
    expect(certaintyOf(enters)).toBe("exact");
  });

  it("has no upper bound where not all people were read, or the scope in the tenant was not seen", () => {
    expect(review(ALL, {}, false).after).toMatchObject({ low: 3, high: null });
    expect(certaintyOf(review(undefined, ALL).leaves)).toBe("exact");
    expect(certaintyOf(review(undefined, {}).enters)).toBe("at most");
  });

  it("says why, and for how many people", () => {
    const { unknown } = review(ALL, { celExpression: { expression: "subject.profile.site == 'Oslo'" } });
    expect(unknown).toEqual([{ why: "the rule asks for a key that is not there", people: 1 }]);
  });
});
