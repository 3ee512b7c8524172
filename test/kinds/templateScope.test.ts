import { describe, expect, it } from "vitest";
import type { Work } from "../../src/kinds/kind.js";
import { templateScope } from "../../src/kinds/templateScope.js";
import type { JsonObject } from "../../src/model/json.js";

const KEY = ["tpl"];
const PATH = ["api", "v1", "access_review_template", "tpl", "scope_and_entitlements"];
const setting = (after: JsonObject, fields = Object.keys(after)): Work => {
  return { verb: "set", key: KEY, identity: { templateId: "tpl" }, after, fields, before: null };
};
const row = (appEntitlementId: string, more: JsonObject = {}) => ({
  accessReviewTemplateEntitlement: {
    accessReviewTemplateId: "tpl",
    appId: "app",
    appEntitlementId,
    appResourceId: "",
    customPolicyId: "",
    policyId: "policy",
    tenantId: "tenant",
    createdAt: "2026-01-31T00:00:00Z",
    deletedAt: null,
    ...more,
  },
  appPath: "",
  entitlementPath: "",
  policyPath: "",
});

describe("a template scope", () => {
  it("is set as a whole: both halves are sent, and what is empty is cleared (trap 7)", () => {
    const scope = { allUsers: {} };
    const entitlements = [{ appId: "app", appEntitlementId: "one" }];
    const bodyOf = (after: JsonObject) => templateScope.calls(setting(after))[0]?.body;
    expect(bodyOf({ scope, entitlements })).toEqual({ scope, entitlements });
    expect(bodyOf({ scope })).toEqual({ scope, entitlements: [] });
    expect(bodyOf({ entitlements })).toEqual({ scope: null, entitlements });
  });
  it("may be sent again, and is read and set at one address", () => {
    const [set] = templateScope.calls(setting({}));
    expect(set).toMatchObject({ method: "POST", path: PATH, effect: "repeatable", expects: ["list"] });
    expect(templateScope.reads.one(KEY)).toEqual({
      operation: "GetTemplateScope",
      method: "GET",
      path: PATH,
      effect: "read",
      expects: ["list"],
    });
  });
  it("cannot be deleted (trap 9)", () => {
    expect(templateScope.verbs).toEqual({ core: ["set"], full: ["set"] });
  });
  it("is seen without what the service sets, and without rows of deleted entitlements (traps 4 and 8)", () => {
    const scope = {
      principalTypeFilter: "PRINCIPAL_TYPE_FILTER_UNSPECIFIED",
      scopeRoleSelection: null,
      userCriteria: {
        groupAppEntitlementsRef: [],
        managerUserIds: [],
        multiUserProfileAttributes: {},
        userStatus: ["ENABLED"],
      },
      brandNew: { field: 1 },
    };
    const list = [row("two"), row("gone", { deletedAt: "2026-02-01T00:00:00Z" }), row("one"), row("two")];
    expect(templateScope.reads.observe({ expanded: [], list, scope, nextRunAt: "soon" }, KEY)).toEqual({
      key: KEY,
      fields: {
        scope: { userCriteria: { userStatus: ["ENABLED"] }, brandNew: { field: 1 } },
        entitlements: [
          { appId: "app", appEntitlementId: "one" },
          { appId: "app", appEntitlementId: "two" },
        ],
      },
      notCompared: [
        "entitlements.accessReviewTemplateId",
        "entitlements.createdAt",
        "entitlements.policyId",
        "entitlements.tenantId",
        "nextRunAt",
      ],
    });
  });
  it("is seen in a reply whose list and scope are null", () => {
    const observed = { key: KEY, fields: {} };
    expect(templateScope.answer(setting({}), [{ expanded: null, list: null, scope: null }])).toEqual(
      observed,
    );
  });
});
