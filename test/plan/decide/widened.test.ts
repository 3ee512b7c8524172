import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { normalise } from "../../../src/kinds/normalise.js";
import { templateScope } from "../../../src/kinds/templateScope.js";
import type { JsonObject } from "../../../src/model/json.js";
import { widenedIn } from "../../../src/plan/decide/widened.js";
import { current, planOf, present, wish } from "../worlds.js";

const { shape } = templateScope;
const widened = (before: JsonObject, after: JsonObject) =>
  widenedIn(normalise({ scope: before }, shape), normalise({ scope: after }, shape), shape);
const grants = (criteria: JsonObject) => ({ grantsByCriteria: criteria });

describe("a criterion that restricts less than before", () => {
  it.each<[string, JsonObject, JsonObject, string]>([
    [
      "less time without use",
      grants({ daysSinceLastUsed: "90d" }),
      grants({ daysSinceLastUsed: "1d" }),
      "scope.grantsByCriteria.daysSinceLastUsed",
    ],
    [
      "more time since it was added",
      grants({ daysSinceAdded: "1d" }),
      grants({ daysSinceAdded: "90d" }),
      "scope.grantsByCriteria.daysSinceAdded",
    ],
    [
      "an earlier start",
      grants({ grantsAddedBetween: { startDate: "2026-03-01T00:00:00Z" } }),
      grants({ grantsAddedBetween: { startDate: "2026-01-01T00:00:00+01:00" } }),
      "scope.grantsByCriteria.grantsAddedBetween.startDate",
    ],
    [
      "a longer list of which any counts",
      { userCriteria: { userStatus: ["ENABLED"] } },
      { userCriteria: { userStatus: ["DISABLED", "ENABLED"] } },
      "scope.userCriteria.userStatus",
    ],
    [
      "a shorter list of what is left out",
      grants({
        accessProfileFilter: {
          filterType: "ACCESS_PROFILE_FILTER_TYPE_EXCLUDE_SPECIFIC",
          excludedAccessProfileIds: ["a", "b"],
        },
      }),
      grants({
        accessProfileFilter: {
          filterType: "ACCESS_PROFILE_FILTER_TYPE_EXCLUDE_SPECIFIC",
          excludedAccessProfileIds: ["a"],
        },
      }),
      "scope.grantsByCriteria.accessProfileFilter.excludedAccessProfileIds",
    ],
    [
      "a longer list of values of an attribute",
      { userCriteria: { multiUserProfileAttributes: { department: { values: [{ value: "A" }] } } } },
      {
        userCriteria: {
          multiUserProfileAttributes: { department: { values: [{ value: "A" }, { value: "B" }] } },
        },
      },
      "scope.userCriteria.multiUserProfileAttributes.department.values",
    ],
  ])("is named where it has %s, and not the other way round", (_, before, after, path) => {
    expect(widened(before, after)).toEqual([path]);
    expect(widened(after, before)).toEqual([]);
  });

  it.each<[string, JsonObject, JsonObject]>([
    [
      "the direction is not documented",
      grants({ daysSinceReviewed: "90d" }),
      grants({ daysSinceReviewed: "1d" }),
    ],
    [
      "a list has other items",
      { userCriteria: { userStatus: ["ENABLED"] } },
      { userCriteria: { userStatus: ["DISABLED", "DELETED"] } },
    ],
    [
      "another criterion takes its place",
      grants({ daysSinceLastUsed: "90d" }),
      grants({ daysSinceAdded: "90d" }),
    ],
  ])("is not named where %s", (_, before, after) => {
    expect([widened(before, after), widened(after, before)]).toEqual([[], []]);
  });

  it("never is one in both directions, nor against itself", () => {
    const statuses = fc.uniqueArray(fc.constantFrom("ENABLED", "DISABLED", "DELETED"), { minLength: 1 });
    const scopes = fc
      .record({ userStatus: statuses, days: fc.integer({ min: 1, max: 400 }) })
      .map(({ userStatus, days }) => ({
        userCriteria: { userStatus },
        ...grants({ daysSinceLastUsed: `${days}d` }),
      }));
    fc.assert(
      fc.property(scopes, scopes, (one, other) => {
        expect(widened(one, one)).toEqual([]);
        const [there, back] = [widened(one, other), widened(other, one)];
        expect(there.filter((path) => back.includes(path))).toEqual([]);
      }),
    );
  });

  it("has a note in its plan, and no finding", () => {
    const before = normalise({ scope: grants({ daysSinceLastUsed: "90d" }) }, shape);
    const plan = planOf({
      desired: [wish(templateScope, "q4", { templateId: "t", scope: grants({ daysSinceLastUsed: "1d" }) })],
      current: current("full", [[templateScope, ["t"], present(["t"], before)]]),
    });
    expect(plan.findings).toEqual([]);
    expect(plan.steps.flatMap(({ diagnostics }) => diagnostics)).toMatchObject([
      {
        code: "plan/wider",
        severity: "note",
        message: "scope.grantsByCriteria.daysSinceLastUsed restricts less than before",
      },
    ]);
  });
});
