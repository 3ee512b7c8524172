import { describe, expect, test } from "vitest";
import { BUILT_IN_TYPES } from "../../../src/sandbox/collections/attributes.js";
import { makeLabel } from "../../../src/sandbox/http/paths.js";
import {
  ACCOUNT,
  ADMIN,
  ANA,
  BO,
  C1,
  CAMPAIGN,
  FRAMEWORK,
  GITHUB,
  HIGH,
  idOf,
  MEMBER,
  PROFILE,
  QUARTERLY,
  REPOSITORY,
  RULED,
  refusal,
  told,
  visit,
} from "../visit.js";

type Rows = readonly { readonly [name: string]: never }[];

function rows(reply: ReturnType<ReturnType<typeof visit>["ask"]>): Rows {
  expect(reply.status).toBe(200);
  return told(reply, "list") as unknown as Rows;
}

describe("campaigns", () => {
  test("are the way to a template: the list has its id, without filters and without deleted ones", () => {
    const list = rows(visit().ask("GET", "/api/v1/access_reviews"));
    expect(list).toMatchObject([
      { accessReview: { id: CAMPAIGN, accessReviewTemplateId: QUARTERLY, expectedTicketCount: 40 } },
    ]);
  });

  test("are called accessReview twice, and their scope is scopeV2; the setup calls it scope", () => {
    const { ask } = visit();
    const read = ask("GET", `/api/v1/access_review/${CAMPAIGN}`);
    expect(told(read, "accessReview", "accessReview")).toMatchObject({
      state: "ACCESS_REVIEW_STATE_OPEN",
      scopeV2: { specificResources: {} },
      startedAt: null,
    });
    expect(told(read, "accessReview", "accessReview")).not.toHaveProperty("entitlements");
    const setup = ask("GET", `/api/v1/access_review/${CAMPAIGN}/scope_and_entitlements`);
    expect(told(setup, "scope")).toMatchObject({ specificResources: {} });
    expect(told(setup, "list", 0, "accessReviewTemplateEntitlement")).toMatchObject({
      appEntitlementId: ADMIN,
      accessReviewTemplateId: QUARTERLY,
    });
    expect(refusal(ask("GET", `/api/v1/access_review/${idOf("nowhere")}`)).status).toBe(404);
  });

  test("do not change with their template", () => {
    const { ask } = visit();
    const setup = `/api/v1/access_review_template/${QUARTERLY}/scope_and_entitlements`;
    ask("POST", setup, { scope: { appAccess: {} }, entitlements: [] });
    const copy = ask("GET", `/api/v1/access_review/${CAMPAIGN}/scope_and_entitlements`);
    expect(told(copy, "list")).toHaveLength(1);
    expect(told(copy, "scope")).toHaveProperty("specificResources");
  });

  test("tell which entitlements they review", () => {
    const search = (accessReviewId: string) =>
      rows(visit().ask("POST", "/api/v1/search/entitlements", { accessReviewId }));
    expect(search(CAMPAIGN)).toMatchObject([{ appEntitlement: { id: ADMIN } }]);
    expect(search(idOf("other"))).toEqual([]);
  });
});

test("workflows name the template that they cut campaigns from, and leave other steps out", () => {
  const [workflow] = rows(visit().ask("GET", "/api/v1/automations"));
  expect(workflow).toMatchObject({
    automationSteps: [{ createAccessReview: { accessReviewTemplateId: QUARTERLY } }],
    draftAutomationSteps: [],
  });
  expect(told({ status: 200, headers: {}, body: workflow ?? {} }, "automationSteps", 0)).not.toHaveProperty(
    "sendEmail",
  );
});

describe("users", () => {
  const search = (body: object) =>
    rows(visit().ask("POST", "/api/v1/search/users", body as never)).map((row) => String(row.userId));

  test("stand in views; their statuses have no prefix", () => {
    const reply = visit().ask("GET", `/api/v1/users/${ANA}`);
    expect(told(reply, "userView")).toMatchObject({
      userId: ANA,
      user: {
        status: "ENABLED",
        directoryStatus: "UNKNOWN",
        type: "USER_TYPE_UNSPECIFIED",
        profile: { "Cost Center": "T&R" },
        managerIds: [BO],
      },
    });
    expect(told(reply, "userView", "user")).not.toHaveProperty("attributes");
  });

  test.each<[object, readonly string[]]>([
    [{}, [ANA, BO]],
    [{ email: "ANA@example.test" }, [ANA]],
    [{ email: "ana" }, []],
    [{ query: "lind" }, [BO]],
    [{ refs: [{ id: BO }, { id: idOf("nobody") }] }, [BO]],
    [{ ids: [ANA], excludeIds: [ANA] }, []],
    [{ departments: ["Treasury", "Tax"] }, [ANA]],
    [{ managerIds: [BO] }, [ANA]],
    [{ userStatuses: ["DISABLED"] }, [BO]],
    [{ userStatuses: ["DELETED"] }, [idOf("userCy")]],
  ])("are found by %j", (body, ids) => {
    expect(search(body)).toEqual(ids);
  });

  test("are refused a status of another list", () => {
    const body = { userStatuses: ["USER_STATUS_ENABLED"] };
    expect(refusal(visit().ask("POST", "/api/v1/search/users", body))).toMatchObject({
      status: 400,
      code: 3,
    });
  });
});

describe("access profiles", () => {
  test("have their member count in the read alone, and the read shows a deleted one", () => {
    const { ask } = visit();
    expect(rows(ask("GET", "/api/v1/catalogs"))).toMatchObject([
      { requestCatalog: { id: PROFILE, displayName: "Employees" }, memberCount: "0" },
    ]);
    expect(told(ask("GET", `/api/v1/catalogs/${PROFILE}`), "requestCatalogView")).toMatchObject({
      memberCount: "12",
    });
    const gone = ask("GET", `/api/v1/catalogs/${idOf("profileGone")}`);
    expect(told(gone, "requestCatalogView", "requestCatalog", "deletedAt")).toBe("2025-01-01T00:00:00Z");
  });
});

describe("values", () => {
  test("are named by `value`, and one name may stand under two types", () => {
    const { ask } = visit();
    expect(rows(ask("GET", "/api/v1/attributes/risk_levels"))).toMatchObject([{ id: HIGH, value: "High" }]);
    expect(rows(ask("GET", "/api/v1/attributes/compliance_frameworks"))).toMatchObject([{ id: FRAMEWORK }]);
    expect(rows(ask("POST", "/api/v1/search/attributes", { value: "HIGH" }))).toHaveLength(2);
    const attributeTypeIds = [BUILT_IN_TYPES.riskLevel];
    expect(rows(ask("POST", "/api/v1/search/attributes", { value: "high", attributeTypeIds }))).toHaveLength(
      1,
    );
    expect(ask("GET", `/api/v1/attributes/risk_levels/${FRAMEWORK}`).status).toBe(404);
    expect(told(ask("GET", `/api/v1/attributes/${FRAMEWORK}`), "value", "value")).toBe("High");
  });
});

describe("grants", () => {
  test("of a search have the account in a view, the sources and the end, and no reasons", () => {
    const [row] = rows(visit().ask("POST", "/api/v1/search/grants", { appIds: [GITHUB] }));
    expect(row).toMatchObject({
      entitlement: { appEntitlement: { id: ADMIN, grantCount: "1" } },
      appEntitlementUserBinding: {
        appUser: { appUser: { id: ACCOUNT, identityUserId: ANA, status: { status: "STATUS_ENABLED" } } },
        grantSources: [{ appId: C1, id: RULED }],
        appEntitlementUserBindingCreatedAt: "2025-02-01T00:00:00Z",
        appEntitlementUserBindingDeprovisionAt: "2025-09-01T00:00:00Z",
      },
    });
  });

  test("of an entitlement have the bare account, the user and the reasons", () => {
    const [row] = rows(visit().ask("GET", `/api/v1/apps/${GITHUB}/entitlements/${ADMIN}/grants`));
    expect(row).toMatchObject({
      appUser: { id: ACCOUNT },
      user: { id: ANA },
      expired: "2025-09-01T00:00:00Z",
      grantReasons: [{ appUserId: ACCOUNT, derivedIdType: "ticket", derivedIdData: "t" }],
    });
  });

  test("of a user are bindings; without the grant they hold the tenant, the app and the account", () => {
    const { ask, store } = visit();
    const of = (id: string) =>
      told(ask("GET", `/api/v1/apps/${GITHUB}/entitlements/${id}/users/${ANA}/grants`), "bindings");
    expect(of(ADMIN)).toMatchObject([{ appEntitlementId: ADMIN, createdAt: "2025-02-01T00:00:00Z" }]);
    expect(of(MEMBER)).toMatchObject([
      { tenantId: store.tenantId, appUserId: ACCOUNT, appEntitlementId: "", createdAt: null },
    ]);
  });

  test.each<[object, number]>([
    [{ userId: ANA }, 1],
    [{ userId: BO }, 0],
    [{ entitlementRefs: [{ appId: GITHUB, id: MEMBER }] }, 0],
    [{ resourceTypeIds: [REPOSITORY] }, 1],
    [{ appUserIds: [ACCOUNT], entitlementSlugs: ["other"] }, 0],
  ])("are found by %j", (body, count) => {
    expect(rows(visit().ask("POST", "/api/v1/search/grants", body as never))).toHaveLength(count);
  });

  test("are in the feed from the day that they were given", () => {
    const feed = (body: object) => rows(visit().ask("POST", "/api/v1/grants/feed", body as never));
    expect(feed({ after: "2025-01-01T00:00:00Z" })).toMatchObject([
      { feed: { appUserId: ACCOUNT, eventType: "GRANT_EVENT_TYPE_ADDED" } },
    ]);
    expect(feed({ after: "2025-03-01T00:00:00Z" })).toEqual([]);
    expect(makeLabel("full")("POST", "/api/v1/grants/feed").writes).toBe(false);
  });

  test("are counted on the entitlement, and the search counts what it finds", () => {
    const { ask } = visit();
    const reply = ask("POST", "/api/v1/search/entitlements", { appIds: [GITHUB] });
    expect(told(reply, "facets", "count")).toBe("3");
    expect(told(ask("POST", "/api/v1/search/entitlements", { appUserIds: [ACCOUNT] }), "list")).toHaveLength(
      1,
    );
  });
});

describe("accounts", () => {
  test.each<[object, number]>([
    [{}, 2],
    [{ withoutResponsibleParty: true }, 1],
    [{ appUserDomains: ["APP_USER_DOMAIN_EXTERNAL"] }, 1],
    [{ appUserStatuses: ["STATUS_ENABLED"] }, 1],
    [{ userIds: [ANA] }, 1],
    [{ refs: [{ appId: GITHUB, id: ACCOUNT }] }, 1],
    [{ appIds: [C1] }, 0],
  ])("are found by %j", (body, count) => {
    expect(rows(visit().ask("POST", "/api/v1/search/app_users", body as never))).toHaveLength(count);
  });

  test("have statuses of their own name", () => {
    const body = { appUserStatuses: ["APP_USER_STATUS_ENABLED"] };
    expect(visit().ask("POST", "/api/v1/search/app_users", body).status).toBe(400);
  });
});

test("an exclusion shows the user and the account", () => {
  const { ask } = visit();
  const exclusions = `/api/v1/apps/${C1}/entitlements/${RULED}/automation/exclusions`;
  ask("POST", exclusions, { userIds: [ANA] });
  expect(rows(ask("GET", exclusions))).toMatchObject([{ user: { id: ANA, email: "ana@example.test" } }]);
});

test("the resources of a type are found, and go with it", () => {
  const { ask } = visit();
  const search = () =>
    rows(ask("POST", "/api/v1/search/app_resources", { resourceTypeIds: [REPOSITORY], appIds: [GITHUB] }));
  expect(search()).toMatchObject([{ appResource: { displayName: "api" } }]);
  ask("DELETE", `/api/v1/apps/${GITHUB}/resource_types/${REPOSITORY}`, {});
  expect(search()).toEqual([]);
});
