import { describe, expect, test } from "vitest";
import { EMPTY_TENANT } from "../../../src/sandbox/tenant/tenant.js";
import { ADMIN, C1, GITHUB, idOf, RULED, refusal, TENANT, told, visit } from "../visit.js";

const PATH = `/api/v1/apps/${C1}/entitlements/${RULED}/automation`;
const gone = { status: 404, code: 5, message: "not found" };

const rule = { displayName: "Engineering", description: "All of it.", cel: { expression: "true" } };

describe("the create of an automation", () => {
  test("answers every field, under a lower-case name", () => {
    const reply = visit().ask("POST", `${PATH}/create`, { automation: { ...rule, lastRunStatus: {} } });
    expect(reply.status).toBe(200);
    expect(reply.body).toEqual({
      automation: {
        appId: C1,
        appEntitlementId: RULED,
        ...rule,
        lastRunStatus: {
          status: "APP_ENTITLEMENT_AUTOMATION_RUN_STATUS_IN_PROGRESS",
          errorMessage: "",
          lastCompletedAt: null,
        },
        managedByRequestCatalogId: "",
        createdAt: "2025-03-01T08:00:00Z",
        updatedAt: "2025-03-01T08:00:00Z",
        deletedAt: null,
      },
    });
  });

  test.each([
    ["none", {}],
    ["cel", { expression: "subject.department == 'R'\n" }],
    ["basic", { expression: "true" }],
    ["entitlements", { entitlementRefs: [{ appId: GITHUB, id: ADMIN }] }],
  ])("keeps the condition %s", (name, value) => {
    const { ask } = visit();
    ask("POST", `${PATH}/create`, { automation: { [name]: value } });
    expect(told(ask("GET", PATH), "AppEntitlementAutomation", name)).toEqual(value);
  });

  test("takes no notice of what the service alone sets", () => {
    const reply = visit().ask("POST", `${PATH}/create`, {
      automation: {
        appId: GITHUB,
        createdAt: "2020-01-01T00:00:00Z",
        managedByRequestCatalogId: "x",
        lastRunStatus: { errorMessage: "x" },
      },
    });
    expect(told(reply, "automation")).toMatchObject({
      appId: C1,
      createdAt: "2025-03-01T08:00:00Z",
      managedByRequestCatalogId: "",
      lastRunStatus: { errorMessage: "" },
    });
  });

  test("is refused where one exists, in the form the world has", () => {
    const { ask, turn } = visit();
    ask("POST", `${PATH}/create`, { automation: rule });
    const exists = "app entitlement automation already exists";
    expect(refusal(ask("POST", `${PATH}/create`, { automation: rule }))).toEqual({
      status: 409,
      code: 6,
      message: exists,
    });
    turn({ existingAutomation: "unknown" });
    expect(refusal(ask("POST", `${PATH}/create`, { automation: rule }))).toEqual({
      status: 500,
      code: 2,
      message: exists,
    });
    turn({ existingAutomation: "replace" });
    expect(ask("POST", `${PATH}/create`, { automation: { none: {} } }).status).toBe(200);
    expect(told(ask("GET", PATH), "AppEntitlementAutomation")).toMatchObject({ none: {}, displayName: "" });
  });

  test("is refused outside the tenant's own app, and for an unknown entitlement", () => {
    const { ask } = visit();
    const outside = `/api/v1/apps/${GITHUB}/entitlements/${ADMIN}/automation/create`;
    expect(refusal(ask("POST", outside, { automation: rule }))).toMatchObject({ status: 400, code: 9 });
    const nowhere = `/api/v1/apps/${C1}/entitlements/${idOf("nowhere")}/automation/create`;
    expect(refusal(ask("POST", nowhere, { automation: rule }))).toEqual(gone);
  });

  test("asks for the automation", () => {
    expect(refusal(visit().ask("POST", `${PATH}/create`, {}))).toMatchObject({ status: 400, code: 3 });
  });

  test("on the documented contract answers the documented fields, in any app, and knows no other", () => {
    const { ask } = visit({ spoken: "core" });
    const path = `/api/v1/apps/${GITHUB}/entitlements/${ADMIN}/automation/create`;
    const reply = ask("POST", path, { automation: { ...rule, lastRunStatus: {} } });
    expect(told(reply, "automation")).toEqual({
      appId: GITHUB,
      appEntitlementId: ADMIN,
      ...rule,
      lastRunStatus: { errorMessage: "", lastCompletedAt: null },
      createdAt: "2025-03-01T08:00:00Z",
      updatedAt: "2025-03-01T08:00:00Z",
      deletedAt: null,
    });
    expect(refusal(ask("POST", path, { automation: { managedByRequestCatalogId: "" } }))).toMatchObject({
      code: 3,
    });
  });
});

describe("the update of an automation", () => {
  function made() {
    const service = visit();
    service.ask("POST", `${PATH}/create`, { automation: rule });
    service.wait(60_000);
    return service;
  }

  test("without a mask replaces every field, and the condition by the one sent", () => {
    const reply = made().ask("POST", `${PATH}/update`, { displayName: "New", basic: { expression: "x" } });
    const automation = told(reply, "AppEntitlementAutomation");
    expect(automation).toMatchObject({
      displayName: "New",
      description: "",
      basic: { expression: "x" },
      createdAt: "2025-03-01T08:00:00Z",
      updatedAt: "2025-03-01T08:01:00Z",
    });
    expect(automation).not.toHaveProperty("cel");
  });

  test.each([
    ["displayName", { displayName: "New", description: "New" }, { ...rule, displayName: "New" }],
    ["description", {}, { ...rule, description: "" }],
    ["cel.expression", { cel: { expression: "x" } }, { ...rule, cel: { expression: "x" } }],
    [
      "basic",
      { basic: { expression: "x" } },
      { displayName: rule.displayName, description: rule.description, basic: { expression: "x" } },
    ],
    ["conditions", { none: {} }, { displayName: rule.displayName, description: rule.description, none: {} }],
    ["basic", {}, rule],
  ])("with the mask %s changes only that", (updateMask, body, after) => {
    const { ask } = made();
    expect(ask("POST", `${PATH}/update`, { ...body, updateMask }).status).toBe(200);
    const automation = told(ask("GET", PATH), "AppEntitlementAutomation");
    expect(automation).toMatchObject(after);
    expect(
      Object.keys(automation ?? {}).filter((name) => ["none", "cel", "basic"].includes(name)),
    ).toHaveLength(1);
  });

  test("is refused for a mask that names no field, and without an automation", () => {
    expect(refusal(made().ask("POST", `${PATH}/update`, { updateMask: "appId" }))).toMatchObject({ code: 3 });
    expect(refusal(visit().ask("POST", `${PATH}/update`, rule))).toEqual(gone);
  });

  test("is refused, as a delete is, where an access profile owns the automation", () => {
    const automations = [{ appId: C1, appEntitlementId: RULED, managedByRequestCatalogId: idOf("catalog") }];
    const { ask } = visit({ tenant: { ...TENANT, automations } });
    expect(told(ask("GET", PATH), "AppEntitlementAutomation", "managedByRequestCatalogId")).toBe(
      idOf("catalog"),
    );
    expect(refusal(ask("POST", `${PATH}/update`, rule))).toMatchObject({ status: 400, code: 9 });
    expect(refusal(ask("DELETE", PATH, {}))).toMatchObject({ status: 400, code: 9 });
  });
});

describe("a deleted automation", () => {
  function deleted() {
    const service = visit();
    service.ask("POST", `${PATH}/create`, { automation: rule });
    expect(service.ask("DELETE", PATH, {})).toMatchObject({ status: 200, body: {} });
    return service;
  }

  test("is not found, or shown with the time, as the world will", () => {
    const { ask, turn } = deleted();
    expect(refusal(ask("GET", PATH))).toEqual(gone);
    turn({ softDeleted: "shown" });
    expect(told(ask("GET", PATH), "AppEntitlementAutomation", "deletedAt")).toBe("2025-03-01T08:00:00Z");
  });

  test("cannot be updated or deleted again, but made anew", () => {
    const { ask } = deleted();
    expect(refusal(ask("POST", `${PATH}/update`, rule))).toEqual(gone);
    expect(refusal(ask("DELETE", PATH, {}))).toEqual(gone);
    expect(told(ask("POST", `${PATH}/create`, { automation: rule }), "automation", "deletedAt")).toBeNull();
  });
});

test("the last run changes by itself, though the automation is not written", () => {
  const { ask, wait } = visit();
  const status = () => told(ask("GET", PATH), "AppEntitlementAutomation", "lastRunStatus");
  const prefix = "APP_ENTITLEMENT_AUTOMATION_RUN_STATUS_";
  ask("POST", `${PATH}/create`, { automation: rule });
  expect(status()).toMatchObject({ status: `${prefix}IN_PROGRESS`, lastCompletedAt: null });
  wait(2_000);
  expect(status()).toMatchObject({ status: `${prefix}SUCCESS`, lastCompletedAt: "2025-03-01T08:00:02Z" });
  wait(3_598_000);
  expect(status()).toMatchObject({ status: `${prefix}IN_PROGRESS`, lastCompletedAt: "2025-03-01T08:00:02Z" });
  wait(2_000);
  expect(status()).toMatchObject({ status: `${prefix}SUCCESS`, lastCompletedAt: "2025-03-01T09:00:02Z" });
  expect(told(ask("GET", PATH), "AppEntitlementAutomation", "updatedAt")).toBe("2025-03-01T08:00:00Z");
});

test("an entitlement shows whether it is automated", () => {
  const { ask } = visit();
  const shown = () =>
    told(
      ask("GET", `/api/v1/apps/${C1}/entitlements/${RULED}`),
      "appEntitlementView",
      "appEntitlement",
      "isAutomationEnabled",
    );
  expect(shown()).toBe(false);
  ask("POST", `${PATH}/create`, { automation: rule });
  expect(shown()).toBe(true);
  ask("DELETE", PATH, {});
  expect(shown()).toBe(false);
});

test("an open tenant makes what an automation is for", () => {
  const { ask } = visit({ tenant: EMPTY_TENANT });
  const path = `/api/v1/apps/${GITHUB}/entitlements/${ADMIN}/automation`;
  expect(refusal(ask("GET", path))).toEqual(gone);
  expect(ask("POST", `${path}/create`, { automation: rule }).status).toBe(200);
  expect(ask("GET", path).status).toBe(200);
  expect(told(ask("GET", `/api/v1/apps/${GITHUB}`), "app", "id")).toBe(GITHUB);
});

describe("exclusions", () => {
  const path = `${PATH}/exclusions`;

  test("are added once each, listed all at once, and taken away", () => {
    const { ask } = visit();
    expect(ask("POST", path, { userIds: ["u1", "u2"] })).toMatchObject({ status: 200, body: {} });
    ask("POST", path, { userIds: ["u2", "u3"] });
    expect(ask("DELETE", path, { userIds: ["u1"] }).body).toEqual({});
    expect(ask("GET", path).body).toEqual({
      list: ["u2", "u3"].map((appUserId) => ({ appEntitlementId: RULED, appId: C1, appUserId, user: null })),
      nextPageToken: "",
    });
  });

  test("are refused outside the tenant's own app, and not found without an entitlement", () => {
    const { ask } = visit();
    expect(
      refusal(ask("POST", `/api/v1/apps/${GITHUB}/entitlements/${ADMIN}/automation/exclusions`, {})),
    ).toMatchObject({ code: 9 });
    expect(
      refusal(ask("GET", `/api/v1/apps/${C1}/entitlements/${idOf("nowhere")}/automation/exclusions`)),
    ).toEqual(gone);
  });
});
