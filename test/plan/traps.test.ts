import { describe, expect, it } from "vitest";
import { entitlementAutomation } from "../../src/kinds/entitlementAutomation.js";
import { resourceType } from "../../src/kinds/resourceType.js";
import { templateScope } from "../../src/kinds/templateScope.js";
import type { Json, JsonObject } from "../../src/model/json.js";
import { writePlan } from "../../src/plan/saved/effect.js";
import {
  APP,
  automation,
  ENT,
  planFor,
  row,
  scope,
  setup,
  shown,
  stepFor,
  TEMPLATE,
  TYPE,
  type,
  typeShown,
} from "./replies.js";
import { current, line, planOf, present, wish } from "./worlds.js";

describe("what is unset", () => {
  it.each<[string, JsonObject, Json]>([
    [
      "an unspecified enum",
      { grantsByCriteria: { daysSinceLastUsed: "1d" } },
      {
        grantsByCriteria: {
          daysSinceLastUsed: "86400s",
          sourceFilter: "GRANT_SOURCE_FILTER_UNSPECIFIED",
          typeFilter: "GRANT_FILTER_TYPE_UNSPECIFIED",
        },
      },
    ],
    [
      "an empty list",
      { userCriteria: { userStatus: ["ENABLED"] } },
      { userCriteria: { userStatus: ["ENABLED"], managerUserIds: [], groupAppEntitlementsRef: [] } },
    ],
    [
      "an empty map",
      { userCriteria: { userStatus: ["ENABLED"] } },
      { userCriteria: { userStatus: ["ENABLED"], multiUserProfileAttributes: {} } },
    ],
    [
      "a false",
      { accountCriteria: { accountDomain: "APP_USER_DOMAIN_TRUSTED" } },
      { accountCriteria: { accountDomain: "APP_USER_DOMAIN_TRUSTED", noAccountOwner: false } },
    ],
    [
      "a null member of a one-of",
      { allUsers: {} },
      { allUsers: {}, userCriteria: null, celExpression: null },
    ],
  ])("trap 1: %s makes no difference", (_, wanted, answered) => {
    expect(line(stepFor(templateScope, scope({ scope: wanted }), setup(answered)))).toContain(
      "already as wanted",
    );
  });

  it("trap 1: a marker is a value, its presence the choice", () => {
    const [change] = stepFor(templateScope, scope({ scope: { allUsers: {} } }), setup({})).changes;
    expect(change?.change).toMatchObject({ type: "choice", from: null, to: "allUsers" });
    const step = stepFor(entitlementAutomation, automation({ none: {} }), shown({}));
    expect(step.changes[0]?.change).toMatchObject({ type: "choice", group: "conditions", to: "none" });
  });

  it("trap 2: principals unspecified are users", () => {
    const wanted = scope({ scope: { allUsers: {}, principalTypeFilter: "PRINCIPAL_TYPE_FILTER_USERS" } });
    const answered = setup({ allUsers: {}, principalTypeFilter: "PRINCIPAL_TYPE_FILTER_UNSPECIFIED" });
    expect(stepFor(templateScope, wanted, answered).changes).toEqual([]);
  });
});

describe("what is compared", () => {
  it("trap 3: lists of ids and refs are sets, without repetition", () => {
    const pair = (id: string) => ({ appId: APP, appEntitlementId: id });
    const wanted = scope({ entitlements: [pair("b"), pair("a"), pair("b")] });
    expect(stepFor(templateScope, wanted, setup(null, [row(APP, "a"), row(APP, "b")])).changes).toEqual([]);
    const step = stepFor(templateScope, wanted, setup(null, [row(APP, "a")]));
    expect(step.calls[0]?.body).toMatchObject({ entitlements: [pair("a"), pair("b")] });
    expect(
      stepFor(resourceType, type({ traitIds: ["b", "a"] }), typeShown({ traitIds: ["a", "b"] })).changes,
    ).toEqual([]);
  });

  it("trap 4: what the service sets by itself is never compared, and in no plan", () => {
    const plan = planFor(
      entitlementAutomation,
      automation({ displayName: "B" }),
      shown({ displayName: "A", lastRunStatus: { status: "FAILED", errorMessage: "volatile" } }),
    );
    expect(plan.steps[0]?.changes).toHaveLength(1);
    expect(writePlan(plan).text).not.toMatch(/createdAt|lastRunStatus|volatile|2026-01-0/);
    const rows = planFor(
      templateScope,
      scope({ entitlements: [] }),
      setup(null, [row(APP, ENT, { policyId: "q" })]),
    );
    expect(writePlan(rows).text).not.toMatch(/policyId|tenantId|appResourceId|Path"/);
  });

  it("trap 5: durations and times have one spelling, in the comparison and in the call", () => {
    const wanted = (days: string, start: string) =>
      scope({
        scope: { grantsByCriteria: { daysSinceLastUsed: days, grantsAddedBetween: { startDate: start } } },
      });
    const answered = setup({
      grantsByCriteria: {
        daysSinceLastUsed: "2592000.000s",
        grantsAddedBetween: { startDate: "2026-01-31T00:00:00Z", endDate: null },
      },
    });
    expect(stepFor(templateScope, wanted("30d", "2026-01-31T02:00:00+02:00"), answered).changes).toEqual([]);
    const { calls } = stepFor(templateScope, wanted("90d", "2026-01-31T00:00:00Z"), answered);
    expect(calls[0]?.body).toMatchObject({ scope: { grantsByCriteria: { daysSinceLastUsed: "7776000s" } } });
  });

  it("trap 6: a count, as a text or a number, makes no difference and is not in a plan", () => {
    const counted = (grantCount: Json) =>
      writePlan(
        planFor(templateScope, scope({ entitlements: [] }), setup(null, [row(APP, ENT, { grantCount })])),
      ).text;
    expect(counted("120")).toBe(counted(120));
    expect(counted("120")).not.toContain("grantCount");
  });

  it("trap 8: entitlements are what the list shows, without its deleted rows", () => {
    const answered = setup(null, [row(APP, "a"), row(APP, "b", { deletedAt: "2026-01-01T00:00:00Z" })]);
    const wanted = scope({ entitlements: [{ appId: APP, appEntitlementId: "a" }] });
    expect(stepFor(templateScope, wanted, answered).changes).toEqual([]);
  });

  it("trap 10: what the service never shows is used to create, and never compared", () => {
    const step = stepFor(
      resourceType,
      type({ displayName: "T", resourceType: "ROLE" }),
      typeShown({ displayName: "T" }),
    );
    expect(step).toMatchObject({ action: "adopt", changes: [] });
  });

  it("trap 18: one id in two apps is two objects", () => {
    const other = wish(resourceType, "other", { appId: TEMPLATE, id: TYPE, displayName: "B" });
    const plan = planOf({
      desired: [type({ displayName: "A" }), other],
      current: current("full", [
        [resourceType, [APP, TYPE], present([APP, TYPE], { displayName: "A" })],
        [resourceType, [TEMPLATE, TYPE], present([TEMPLATE, TYPE], { displayName: "x" })],
      ]),
    });
    expect(plan.steps.map(line)).toEqual([
      "update ResourceType/other: differs",
      "adopt ResourceType/team: already as wanted",
    ]);
  });

  it("trap 22: a member of a scope that remit does not know is sent back as it came", () => {
    const answered = setup({
      allUsers: {},
      newScope: { ids: [1] },
      principalTypeFilter: "PRINCIPAL_TYPE_FILTER_ROBOTS",
    });
    const step = stepFor(
      templateScope,
      scope({ entitlements: [{ appId: APP, appEntitlementId: ENT }] }),
      answered,
    );
    expect(step.calls[0]?.body).toMatchObject({
      scope: { allUsers: {}, principalTypeFilter: "PRINCIPAL_TYPE_FILTER_ROBOTS", newScope: { ids: [1] } },
    });
  });

  it("an empty scope, a filter that only says users, and an expand mask are sent as written", () => {
    const bodyOf = (spec: JsonObject) =>
      stepFor(templateScope, scope(spec), setup({ allUsers: {} })).calls[0]?.body;
    expect(bodyOf({ scope: {} })).toEqual({ scope: {}, entitlements: [] });
    const users = { principalTypeFilter: "PRINCIPAL_TYPE_FILTER_USERS" };
    expect(bodyOf({ scope: users })).toEqual({ scope: users, entitlements: [] });
    const expandMask = { paths: ["app_id"] };
    expect(bodyOf({ scope: {}, expandMask })).toEqual({ scope: {}, entitlements: [], expandMask });
  });

  it("a new volatile field of an object changes neither the plan nor its fingerprint", () => {
    const shown = (more: JsonObject) =>
      stepFor(entitlementAutomation, automation({ displayName: "G" }), {
        AppEntitlementAutomation: { displayName: "F", cel: { expression: "true" }, ...more },
      });
    expect(shown({ nextRunAt: "2026-01-31T00:00:00Z" })).toEqual(shown({}));
    const scopeShown = (more: JsonObject) =>
      stepFor(templateScope, scope({ scope: {} }), { ...(setup({ allUsers: {} }) as JsonObject), ...more });
    expect(scopeShown({ nextRunAt: "2026-01-31T00:00:00Z" })).toEqual(scopeShown({}));
  });

  it("a time that a row shows is set by the service, and any other member that remit has no name for is content", () => {
    const shown = (more: JsonObject) => {
      const row = { appId: "app", appEntitlementId: "role", ...more };
      const current = { scope: null, list: [{ accessReviewTemplateEntitlement: row }] };
      return stepFor(templateScope, scope({ scope: { allUsers: {} } }), current);
    };
    const [plain, timed] = [shown({}), shown({ nextRunAt: "2026-01-31T00:00:00Z" })];
    expect(timed).toEqual(plain);
    for (const more of [{ futureNote: "2026-01-31T00:00:00Z" }, { lookAt: "the owner" }, { At: "x" }]) {
      expect(shown(more).sight.fingerprint).not.toBe(plain.sight.fingerprint);
      expect(shown(more).calls[0]?.body).toMatchObject({ entitlements: [more] });
    }
  });

  it("what remit has no name for inside a scope is in the fingerprint", () => {
    const shown = (future: Json) =>
      stepFor(templateScope, scope({ scope: { allUsers: {} } }), setup({ allUsers: {}, future })).sight
        .fingerprint;
    expect(shown({ a: 1 })).not.toBe(shown({ a: 2 }));
  });

  it("trap 23: an object is found in each envelope that the service puts it in", () => {
    const step = (body: Json) => stepFor(entitlementAutomation, automation({ displayName: "G" }), body);
    const fields = { displayName: "G" };
    for (const envelope of ["AppEntitlementAutomation", "automation"]) {
      expect(step({ [envelope]: fields })).toMatchObject({ action: "adopt" });
    }
    const typed = (body: Json) => stepFor(resourceType, type(fields), body);
    expect(typed({ appResourceType: { appId: APP, id: TYPE, ...fields } })).toMatchObject({
      action: "adopt",
    });
    expect(typed(typeShown(fields))).toMatchObject({ action: "adopt" });
  });

  it("trap 24: expressions are compared letter by letter, and cel is not basic", () => {
    const cel = (expression: string) => ({ cel: { expression } });
    expect(stepFor(entitlementAutomation, automation(cel("a")), shown(cel("a "))).changes).toMatchObject([
      { change: { type: "text", before: "a ", after: "a" } },
    ]);
    expect(
      stepFor(entitlementAutomation, automation(cel("a")), shown({ basic: { expression: "a" } })).changes,
    ).toMatchObject([{ change: { type: "choice", from: "basic", to: "cel" } }]);
  });
});
