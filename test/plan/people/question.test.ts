import { describe, expect, it } from "vitest";
import { questionsOf } from "../../../src/plan/people/question.js";
import type { Step } from "../../../src/plan/step.js";
import { automation, scope } from "../../report/plans.js";

const RULE = { displayName: "Tax", cel: { expression: 'subject.department == "Tax"' } };
const asked = (step: Step) => questionsOf([step]);

describe("what is asked about people", () => {
  it.each(["removed", "forget", "adopt", "keep", "blocked"] as const)(
    "is nothing for the action %s: no access changes",
    (action) => {
      expect(asked(automation({ action, before: RULE, after: null }))).toEqual([]);
      expect(
        asked(automation({ action, before: RULE, after: { ...RULE, cel: { expression: "false" } } })),
      ).toEqual([]);
    },
  );

  it("is nothing where a rule stays as it is", () => {
    expect(asked(automation({ before: RULE, after: { ...RULE, displayName: "Taxes" } }))).toEqual([]);
  });

  it("is who loses where an automation is deleted", () => {
    expect(asked(automation({ action: "delete", before: RULE }))).toMatchObject([
      { as: "members", after: null, isNew: false },
    ]);
  });

  it("needs no users where a scope asks for the same ones", () => {
    const before = { scope: { allUsers: {} }, entitlements: [] };
    const after = {
      scope: { allUsers: {}, grantsByCriteria: { daysSinceLastUsed: "1s" } },
      entitlements: [],
    };
    expect(asked(scope({ before, after }))).toMatchObject([{ as: "audience", isSame: true }]);
    const others = { scope: { selectedUsers: { userIds: ["u"] } }, entitlements: [] };
    expect(asked(scope({ before, after: others }))).toMatchObject([{ isSame: false }]);
  });

  it("is what lies under a resource type that is deleted", () => {
    const address = { kind: "ResourceType", name: "team" };
    expect(asked(automation({ address, key: ["app", "type"], action: "delete", before: {} }))).toMatchObject([
      { as: "holdings", of: { as: "type", appId: "app", id: "type" } },
    ]);
  });
});
