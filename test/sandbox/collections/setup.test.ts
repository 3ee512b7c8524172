import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../../src/model/json.js";
import {
  ADMIN,
  GITHUB,
  idOf,
  MEMBER,
  QUARTERLY,
  REPOSITORY,
  refusal,
  TENANT,
  told,
  visit,
} from "../visit.js";

const SETUP = `/api/v1/access_review_template/${QUARTERLY}/scope_and_entitlements`;
const BY_TYPE = `/api/v1/access_review_template/${QUARTERLY}/scope_by_resource_type`;

const admin = { appId: GITHUB, appEntitlementId: ADMIN };
const member = { appId: GITHUB, appEntitlementId: MEMBER };

function chosen(reply: ReturnType<ReturnType<typeof visit>["ask"]>) {
  const list = told(reply, "list");
  return (Array.isArray(list) ? list : []).map((row) => row.accessReviewTemplateEntitlement.appEntitlementId);
}

describe("a set of scope and entitlements", () => {
  test("answers every field of a row, with the template's policy and the tenant", () => {
    const { ask } = visit();
    const reply = ask("POST", SETUP, { entitlements: [member], scope: { allUsers: {} } });
    expect(reply.status).toBe(200);
    expect(reply.body).toEqual({
      expanded: [],
      list: [
        {
          accessReviewTemplateEntitlement: {
            accessReviewTemplateId: QUARTERLY,
            appEntitlementId: MEMBER,
            appId: GITHUB,
            appResourceId: idOf("resource"),
            appResourceTypeId: "",
            customPolicyId: "",
            policyId: idOf("policy"),
            tenantId: TENANT.id,
            createdAt: "2025-03-01T08:00:00Z",
            updatedAt: "2025-03-01T08:00:00Z",
            deletedAt: null,
          },
          appPath: "",
          entitlementPath: "",
          policyPath: "",
        },
      ],
      scope: {
        allUsers: {},
        principalTypeFilter: "PRINCIPAL_TYPE_FILTER_UNSPECIFIED",
        scopeRoleSelection: null,
      },
    });
  });

  test("is what the next read gives", () => {
    const { ask } = visit();
    const written = ask("POST", SETUP, { entitlements: [admin, member], scope: { allGrants: {} } });
    expect(ask("GET", SETUP).body).toEqual(written.body);
  });

  test("replaces what was there, and keeps the times of what stays", () => {
    const { ask, wait } = visit();
    ask("POST", SETUP, { entitlements: [admin], scope: { allUsers: {} } });
    wait(60_000);
    const reply = ask("POST", SETUP, { entitlements: [member, admin] });
    expect(chosen(reply)).toEqual([MEMBER, ADMIN]);
    expect(told(reply, "list", 1, "accessReviewTemplateEntitlement", "createdAt")).toBe(
      "2025-03-01T08:00:00Z",
    );
    expect(told(reply, "list", 0, "accessReviewTemplateEntitlement", "createdAt")).toBe(
      "2025-03-01T08:01:00Z",
    );
    expect(told(reply, "scope")).toBeNull();
  });

  test.each([[{ entitlements: [] }], [{ entitlements: null }], [{}], [""]])(
    "clears both when sent %j",
    (body) => {
      const { ask } = visit();
      ask("POST", SETUP, { entitlements: [admin], scope: { allUsers: {} } });
      ask("POST", SETUP, body);
      expect(ask("GET", SETUP).body).toEqual({ expanded: [], list: [], scope: null });
    },
  );

  test("takes an entitlement named twice once", () => {
    expect(chosen(visit().ask("POST", SETUP, { entitlements: [admin, admin] }))).toEqual([ADMIN]);
  });

  test("expands what the mask asks for, each object once, with the paths to them", () => {
    const reply = visit().ask("POST", SETUP, {
      entitlements: [admin, member],
      expandMask: { paths: ["app_id", "app_entitlement_id"] },
    });
    expect(told(reply, "list", 0)).toMatchObject({
      appPath: "$.expanded[0]",
      entitlementPath: "$.expanded[1]",
    });
    expect(told(reply, "list", 1)).toMatchObject({
      appPath: "$.expanded[0]",
      entitlementPath: "$.expanded[2]",
    });
    expect(told(reply, "expanded", 0)).toMatchObject({
      "@type": "type.googleapis.com/c1.api.app.v1.App",
      id: GITHUB,
      userCount: "120",
    });
    expect(told(reply, "expanded", 2)).toMatchObject({ id: MEMBER, grantCount: "0" });
  });

  const everyScope: readonly (readonly [string, JsonObject, JsonObject])[] = [
    ...["appAccess", "specificResources", "resourceTypeSelections", "allUsers", "allAccounts"].map(marker),
    ...["allGrants", "allAccessConflicts", "specificAccessConflicts", "resourceSelection"].map(marker),
    ...["excludedSpecificResources", "excludedResourceTypeSelections", "scopeRoleSelection"].map(marker),
    same("appSelectionCriteria", {
      complianceFrameworkAttributeValueIds: ["a"],
      riskLevelAttributeValueIds: ["b", "c"],
    }),
    same("selectedUsers", { userIds: ["u1", "u2"] }),
    same("celExpression", { expression: ' subject.department == "R"\n' }),
    same("accountCelExpression", { expression: "true" }),
    same("userCriteria", {
      groupAppEntitlementsRef: [{ appId: GITHUB, id: ADMIN }],
      managerUserIds: ["m"],
      multiUserProfileAttributes: { team: { values: [{ value: "blue" }] } },
      userStatus: ["UNKNOWN", "ENABLED", "DISABLED", "DELETED"],
    }),
    same("accountCriteria", {
      accountDomain: "APP_USER_DOMAIN_EXTERNAL",
      accountTypes: ["APP_USER_TYPE_USER", "APP_USER_TYPE_SERVICE_ACCOUNT", "APP_USER_TYPE_SYSTEM_ACCOUNT"],
      appUserStatuses: ["APP_USER_STATUS_ENABLED", "APP_USER_STATUS_DISABLED", "APP_USER_STATUS_DELETED"],
      noAccountOwner: true,
    }),
    [
      "grantsByCriteria",
      {
        accessProfileFilter: {
          filterType: "ACCESS_PROFILE_FILTER_TYPE_INCLUDE_SPECIFIC",
          includedAccessProfileIds: ["p"],
        },
        daysSinceAdded: "2592000.000s",
        daysSinceLastUsed: "7776000s",
        sourceFilter: "GRANT_SOURCE_FILTER_DIRECT",
        typeFilter: 1,
      },
      {
        accessProfileFilter: {
          filterType: "ACCESS_PROFILE_FILTER_TYPE_INCLUDE_SPECIFIC",
          includedAccessProfileIds: ["p"],
          excludedAccessProfileIds: [],
        },
        daysSinceAdded: "2592000s",
        daysSinceLastUsed: "7776000s",
        sourceFilter: "GRANT_SOURCE_FILTER_DIRECT",
        typeFilter: "GRANT_FILTER_TYPE_PERMANENT",
      },
    ],
    [
      "grantsByCriteria",
      {
        grantsAddedBetween: { startDate: "2025-01-01T00:00:00+01:00", endDate: null },
        daysSinceReviewed: null,
      },
      {
        accessProfileFilter: null,
        daysSinceLastUsed: null,
        grantsAddedBetween: { startDate: "2024-12-31T23:00:00Z", endDate: null },
        sourceFilter: "GRANT_SOURCE_FILTER_UNSPECIFIED",
        typeFilter: "GRANT_FILTER_TYPE_UNSPECIFIED",
      },
    ],
  ];

  test.each(everyScope)("keeps %s as sent: %j", (name, sent, shown) => {
    const reply = visit().ask("POST", SETUP, { scope: { [name]: sent } });
    expect(reply.status).toBe(200);
    expect(told(reply, "scope", name)).toEqual(shown);
  });

  test("keeps the filter by principals, and leaves the other members of its groups out", () => {
    const scope = {
      principalTypeFilter: "PRINCIPAL_TYPE_FILTER_USERS_AND_RESOURCES",
      resourceSelection: {},
      scopeRoleSelection: {},
    };
    expect(told(visit().ask("POST", SETUP, { scope }), "scope")).toEqual(scope);
  });

  test("is refused, and changes nothing, where an entitlement or the template is not there", () => {
    const { ask } = visit();
    ask("POST", SETUP, { entitlements: [admin] });
    const missing = { appId: GITHUB, appEntitlementId: idOf("nowhere") };
    const gone = { status: 404, code: 5, message: "not found" };
    expect(refusal(ask("POST", SETUP, { entitlements: [member, missing] }))).toEqual(gone);
    expect(chosen(ask("GET", SETUP))).toEqual([ADMIN]);
    const elsewhere = SETUP.replace(QUARTERLY, idOf("nowhere"));
    expect(refusal(ask("POST", elsewhere, {}))).toEqual(gone);
    expect(refusal(ask("GET", elsewhere))).toEqual(gone);
  });

  test("is refused where an id does not look like one, as the service's validation does", () => {
    const entitlements = [{ appId: "GitHub", appEntitlementId: ADMIN }];
    expect(refusal(visit().ask("POST", SETUP, { entitlements }))).toEqual({
      status: 400,
      code: 3,
      message: 'invalid SetupEntitlementInput.AppId: value does not match regex pattern "^[a-zA-Z0-9]{27}$"',
    });
    expect(refusal(visit({ spoken: "core" }).ask("POST", SETUP, { entitlements }))).toMatchObject({
      status: 404,
    });
  });

  test("marks the row of an entitlement deleted since", () => {
    const { ask } = visit();
    ask("POST", SETUP, { entitlements: [admin] });
    ask("DELETE", `/api/v1/apps/${GITHUB}/resource_types/${REPOSITORY}`, {});
    expect(told(ask("GET", SETUP), "list", 0, "accessReviewTemplateEntitlement", "deletedAt")).not.toBeNull();
  });

  test("writes the scope that the template shows", () => {
    const { ask } = visit();
    ask("POST", SETUP, { scope: { allUsers: {} } });
    const template = ask("GET", `/api/v1/access_review_template/${QUARTERLY}`);
    expect(told(template, "accessReviewTemplate", "scope")).toHaveProperty("allUsers", {});
  });
});

test("a set of scope by resource type keeps the selections, answers nothing, and leaves entitlements alone", () => {
  const { ask, store } = visit();
  ask("POST", SETUP, { entitlements: [admin] });
  const selections = [{ appId: GITHUB, resourceTypeId: REPOSITORY }];
  const reply = ask("POST", BY_TYPE, {
    resourceTypeSelections: selections,
    scope: { resourceTypeSelections: {} },
  });
  expect([reply.status, reply.body]).toEqual([200, {}]);
  expect(store.toTenant().setups[0]?.resourceTypeSelections).toEqual(selections);
  const after = ask("GET", SETUP);
  expect(chosen(after)).toEqual([ADMIN]);
  expect(told(after, "scope")).toHaveProperty("resourceTypeSelections", {});
  expect(ask("GET", BY_TYPE).status).toBe(405);
});

function marker(name: string): readonly [string, JsonObject, JsonObject] {
  return [name, {}, {}];
}

function same(name: string, value: JsonObject): readonly [string, JsonObject, JsonObject] {
  return [name, value, value];
}
