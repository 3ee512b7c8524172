import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { readSeed } from "../../src/cli/open/sandboxInput.js";
import { type Sandbox, startSandbox } from "../../src/sandbox/http/server.js";

/**
 * The service contract, operation by operation and field by field, over HTTP, by a client that knows nothing of
 * this program. Section numbers are those of the contract.
 */

const APP = "2fsgTvxP0DVTsNXEUBI7hOe0l5A";
const TEMPLATE = "2fsgTvxP0DVTsNXEUBI7hOe0l5B";
const TYPE = "2fsgTvxP0DVTsNXEUBI7hOe0l5C";
const [FIRST, SECOND, THIRD] = [
  "2fsgTvxP0DVTsNXEUBI7hOe0l5D",
  "2fsgTvxP0DVTsNXEUBI7hOe0l5E",
  "2fsgTvxP0DVTsNXEUBI7hOe0l5F",
] as const;

const { tenant } = readSeed(
  `
apps:
  - name: C1
    types: [{ name: Team, id: ${TYPE} }]
    entitlements:
      - { name: First, id: ${FIRST}, type: Team, resource: core }
      - { name: Second, id: ${SECOND} }
      - { name: Third, id: ${THIRD} }
${Array.from({ length: 120 }, (_, place) => `      - Entitlement ${place}`).join("\n")}
templates:
  - { name: Q4, id: ${TEMPLATE}, fields: { policyId: default-policy } }
`,
  "seed.yaml",
);

const ROW = {
  accessReviewTemplateId: TEMPLATE,
  appId: APP,
  appResourceId: expect.any(String),
  appResourceTypeId: expect.any(String),
  createdAt: expect.stringMatching(/Z$/),
  customPolicyId: "",
  deletedAt: null,
  policyId: "default-policy",
  tenantId: expect.any(String),
  updatedAt: expect.stringMatching(/Z$/),
};

interface Answer {
  readonly status: number;
  readonly type: string | null;
  readonly body: Record<string, never>;
}

let sandbox: Sandbox;

async function send(method: string, path: string, body?: unknown): Promise<Answer> {
  const reply = await fetch(`${sandbox.url}${path}`, {
    method,
    headers: { authorization: `Bearer ${sandbox.token}`, "content-type": "application/json" },
    ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
  });
  return {
    status: reply.status,
    type: reply.headers.get("content-type"),
    body: (await reply.json()) as Answer["body"],
  };
}

const setup = `/api/v1/access_review_template/${TEMPLATE}/scope_and_entitlements`;
const automation = `/api/v1/apps/${APP}/entitlements/${FIRST}/automation/create`;
const type = `/api/v1/apps/${APP}/resource_types/${TYPE}`;
const entitlements = `/api/v1/apps/${APP}/entitlements`;

describe.each(["core", "full"] as const)("the %s interface", (spoken) => {
  beforeEach(async () => {
    sandbox = await startSandbox({ interface: spoken, tenant });
  });
  afterEach(() => sandbox.close());

  describe("§4.1 sets scope and entitlements", () => {
    it("of every member with every field", async () => {
      const { status, type, body } = await send("POST", setup, {
        entitlements: [
          { appEntitlementId: FIRST, appId: APP },
          { appEntitlementId: SECOND, appId: APP },
        ],
        expandMask: { paths: ["*"] },
        scope: { allUsers: {}, specificResources: {} },
      });
      expect([status, type]).toEqual([200, "application/json"]);
      expect(body).toEqual({
        expanded: expect.any(Array),
        list: [FIRST, SECOND].map((appEntitlementId) => ({
          accessReviewTemplateEntitlement: { ...ROW, appEntitlementId },
          appPath: expect.any(String),
          entitlementPath: expect.any(String),
          policyPath: expect.any(String),
        })),
        scope: {
          allUsers: {},
          specificResources: {},
          principalTypeFilter: "PRINCIPAL_TYPE_FILTER_UNSPECIFIED",
          scopeRoleSelection: null,
        },
      });
      const expanded: readonly unknown[] = body.expanded ?? [];
      expect(expanded).not.toEqual([]);
      for (const object of expanded) expect(object).toHaveProperty("@type", expect.any(String));
    });

    it.each([
      { appAccess: {} },
      { specificResources: {} },
      {
        appSelectionCriteria: {
          complianceFrameworkAttributeValueIds: ["framework"],
          riskLevelAttributeValueIds: ["high", "critical"],
        },
      },
      { resourceTypeSelections: {} },
      { allUsers: {} },
      { selectedUsers: { userIds: ["u1", "u2"] } },
      {
        userCriteria: {
          groupAppEntitlementsRef: [{ appId: APP, id: FIRST }],
          managerUserIds: ["u1"],
          multiUserProfileAttributes: { department: { values: [{ value: "Engineering" }, { value: "" }] } },
          userStatus: ["ENABLED", "DISABLED", "DELETED", "UNKNOWN"],
        },
      },
      { celExpression: { expression: 'subject.department == "Engineering"' } },
      { allAccounts: {} },
      {
        accountCriteria: {
          accountDomain: "APP_USER_DOMAIN_EXTERNAL",
          accountTypes: ["APP_USER_TYPE_SERVICE_ACCOUNT", "APP_USER_TYPE_SYSTEM_ACCOUNT"],
          appUserStatuses: ["APP_USER_STATUS_ENABLED"],
          noAccountOwner: true,
        },
      },
      { accountCelExpression: { expression: "true" } },
      { allGrants: {} },
      {
        grantsByCriteria: {
          accessProfileFilter: {
            filterType: "ACCESS_PROFILE_FILTER_TYPE_INCLUDE_SPECIFIC",
            excludedAccessProfileIds: ["p1"],
            includedAccessProfileIds: ["p2"],
          },
          daysSinceAdded: "2592000s",
          daysSinceLastUsed: "7776000s",
          sourceFilter: "GRANT_SOURCE_FILTER_DIRECT",
          typeFilter: "GRANT_FILTER_TYPE_TEMPORARY",
        },
      },
      { grantsByCriteria: { daysSinceReviewed: "86400s" } },
      {
        grantsByCriteria: {
          grantsAddedBetween: { startDate: "2026-01-01T00:00:00Z", endDate: "2026-04-01T00:00:00Z" },
        },
      },
      { allAccessConflicts: {} },
      { specificAccessConflicts: {} },
      { resourceSelection: {}, scopeRoleSelection: {} },
      { excludedSpecificResources: {} },
      { excludedResourceTypeSelections: {} },
      { principalTypeFilter: "PRINCIPAL_TYPE_FILTER_USERS_AND_RESOURCES" },
    ])("§2.5 keeps the scope %j", async (scope) => {
      const { status, body } = await send("POST", setup, { scope });
      expect(status).toBe(200);
      expect(body.scope).toMatchObject(scope);
      const members = Object.keys(body.scope ?? {}).filter((name) => body.scope?.[name] !== null);
      expect(new Set(members)).toEqual(new Set([...Object.keys(scope), "principalTypeFilter"]));
    });

    it.each([
      ["apps_and_resources_scope", { appAccess: {}, specificResources: {} }],
      ["users_scope", { allUsers: {}, selectedUsers: {} }],
      ["accounts_scope", { allAccounts: {}, accountCriteria: {} }],
      ["grants_scope", { allGrants: {}, grantsByCriteria: {} }],
      ["access_conflicts_scope", { allAccessConflicts: {}, specificAccessConflicts: {} }],
      [
        "excluded_apps_and_resources_scope",
        { excludedSpecificResources: {}, excludedResourceTypeSelections: {} },
      ],
      ["criteria_filter", { grantsByCriteria: { daysSinceAdded: "1s", daysSinceReviewed: "1s" } }],
    ])("§2.5 has at most one member of %s", async (group, scope) => {
      const { status, body } = await send("POST", setup, { scope });
      expect([status, body.message]).toEqual([400, expect.stringContaining(group)]);
    });

    it("replaces what was there, whole", async () => {
      const ids = (body: Answer["body"]) =>
        ((body.list ?? []) as { accessReviewTemplateEntitlement: { appEntitlementId: string } }[]).map(
          (row) => row.accessReviewTemplateEntitlement.appEntitlementId,
        );
      const refs = (...all: string[]) => all.map((appEntitlementId) => ({ appId: APP, appEntitlementId }));
      await send("POST", setup, { scope: { allUsers: {} }, entitlements: refs(FIRST, SECOND) });
      const replaced = await send("POST", setup, { scope: null, entitlements: refs(THIRD) });
      expect(ids(replaced.body)).toEqual([THIRD]);
      const emptied = await send("POST", setup, { entitlements: null, expandMask: null });
      expect(emptied.body).toEqual({ expanded: [], list: [], scope: null });
    });

    it("§8 takes 32 access profiles, and no more", async () => {
      const scope = (count: number) => ({
        grantsByCriteria: {
          accessProfileFilter: {
            includedAccessProfileIds: Array.from({ length: count }, (_, id) => `p${id}`),
          },
        },
      });
      expect((await send("POST", setup, { scope: scope(32) })).status).toBe(200);
      expect((await send("POST", setup, { scope: scope(33) })).status).toBe(400);
    });

    it("of a template that there is not is not found", async () => {
      const { status, body } = await send("POST", setup.replace(TEMPLATE, THIRD), {});
      expect([status, body.code]).toEqual([404, 5]);
    });
  });

  describe("§4.2 creates an automation", () => {
    it.each([
      { basic: { expression: "true" } },
      { cel: { expression: 'subject.department == "Engineering"' } },
      {
        entitlements: {
          entitlementRefs: [
            { appId: APP, id: SECOND },
            { appId: APP, id: THIRD },
          ],
        },
      },
      { none: {} },
      {},
    ])("with the condition %j", async (condition) => {
      const written = { description: "For as long as they stay.", displayName: "Engineering", ...condition };
      const { status, type, body } = await send("POST", automation, {
        automation: { ...written, lastRunStatus: {} },
      });
      expect([status, type]).toEqual([200, "application/json"]);
      expect(body.automation).toMatchObject({
        ...written,
        appEntitlementId: FIRST,
        appId: APP,
        createdAt: expect.stringMatching(/Z$/),
        updatedAt: expect.stringMatching(/Z$/),
        deletedAt: null,
        lastRunStatus: { errorMessage: "", lastCompletedAt: null },
      });
      const conditions = ["none", "entitlements", "cel", "basic"];
      expect(conditions.filter((name) => name in (body.automation ?? {}))).toEqual(Object.keys(condition));
    });

    it("with at most one condition", async () => {
      const { status, body } = await send("POST", automation, {
        automation: { none: {}, cel: { expression: "true" } },
      });
      expect([status, body.message]).toEqual([400, expect.stringContaining("conditions is already set")]);
    });

    it("once for each entitlement", async () => {
      expect((await send("POST", automation, { automation: {} })).status).toBe(200);
      expect((await send("POST", automation, { automation: {} })).status).toBe(409);
      expect(sandbox.log.creates()).toEqual([{ key: automation, asked: 2, done: 1 }]);
    });

    it("of the entitlement in the path, whatever the body says", async () => {
      const { body } = await send("POST", automation, { automation: { appId: "x", appEntitlementId: "y" } });
      expect(body.automation).toMatchObject({ appId: APP, appEntitlementId: FIRST });
    });
  });

  describe("§4.3 updates a resource type", () => {
    it("by the fields that the mask names", async () => {
      const wanted = { displayName: "Squad", traitIds: ["t1", "t2"] };
      const both = await send("POST", type, { appResourceType: wanted, updateMask: "displayName,traitIds" });
      expect([both.status, both.type]).toEqual([200, "application/json"]);
      expect(both.body).toEqual({
        appResourceType: {
          id: TYPE,
          appId: APP,
          ...wanted,
          createdAt: expect.stringMatching(/Z$/),
          updatedAt: expect.stringMatching(/Z$/),
          deletedAt: null,
        },
        expanded: [],
      });
      const one = await send("POST", type, { appResourceType: { traitIds: [] }, updateMask: "traitIds" });
      expect(one.body.appResourceType).toMatchObject({ displayName: "Squad", traitIds: [] });
    });

    it("of an app and an id that there is, or not at all", async () => {
      const { status } = await send("POST", type.replace(TYPE, THIRD), {
        appResourceType: {},
        updateMask: "traitIds",
      });
      expect(status).toBe(404);
    });
  });

  describe("§4.4 lists an app's entitlements", () => {
    it("page by page, to an empty token", async () => {
      const names: string[] = [];
      const sizes: number[] = [];
      let token = "";
      do {
        const { body } = await send(
          "GET",
          `${entitlements}?page_size=50&page_token=${encodeURIComponent(token)}`,
        );
        const list = (body.list ?? []) as { readonly appEntitlement: { readonly displayName: string } }[];
        sizes.push(list.length);
        names.push(...list.map((row) => row.appEntitlement.displayName));
        token = String(body.nextPageToken);
      } while (token !== "");
      expect(sizes).toEqual([50, 50, 24]);
      expect(new Set(names).size).toBe(124);
    });

    it.each([
      ["", 25],
      ["?page_size=", 25],
      ["?page_size=1", 10],
      ["?page_size=10", 10],
      ["?page_size=100", 100],
      ["?page_size=1000", 100],
    ])("§8 of a size within bounds: %s", async (query, size) => {
      expect((await send("GET", `${entitlements}${query}`)).body.list).toHaveLength(size);
    });

    it("and refuses a token that it did not give, and a size that is none", async () => {
      expect((await send("GET", `${entitlements}?page_token=x`)).status).toBe(400);
      expect((await send("GET", `${entitlements}?page_size=x`)).status).toBe(400);
    });
  });

  describe("§5 accepts every client with a token", () => {
    it("given for client credentials in the body", async () => {
      const reply = await fetch(`${sandbox.url}/auth/v1/token`, {
        method: "POST",
        body: new URLSearchParams({
          grant_type: "client_credentials",
          client_id: "sandbox@127.0.0.1/spc",
          client_secret: "sandbox",
        }),
      });
      const { access_token, token_type, expires_in } = (await reply.json()) as Record<string, unknown>;
      expect([token_type, expires_in]).toEqual(["Bearer", 600]);
      const headers = { authorization: `Bearer ${access_token}` };
      expect((await fetch(`${sandbox.url}${entitlements}`, { headers })).status).toBe(200);
    });

    it.each([
      ["POST", setup],
      ["POST", automation],
      ["POST", type],
      ["GET", entitlements],
    ])("and no other request: %s %s", async (method, path) => {
      const reply = await fetch(`${sandbox.url}${path}`, { method });
      expect([reply.status, await reply.json()]).toEqual([401, expect.objectContaining({ code: 16 })]);
      expect(sandbox.log.count({ written: true })).toBe(0);
    });
  });

  describe("§9 is described", () => {
    it("in OpenAPI 3.1, for everybody to read", async () => {
      const reply = await fetch(`${sandbox.url}/api/v1/openapi.yaml`);
      expect(reply.status).toBe(200);
      expect(await reply.text()).toMatch(/^openapi: ["']?3\.1\.0/);
    });
  });
});

describe("the core interface alone", () => {
  beforeEach(async () => {
    sandbox = await startSandbox({ interface: "core", tenant });
  });
  afterEach(() => sandbox.close());

  it.each([
    ["GET", setup],
    ["GET", type],
    ["GET", "/api/v1/apps"],
    ["DELETE", type],
  ])("offers nothing else: %s %s", async (method, path) => {
    const headers = { authorization: `Bearer ${sandbox.token}` };
    const reply = await fetch(`${sandbox.url}${path}`, { method, headers });
    expect(reply.status).toBe(404);
    expect(reply.headers.get("content-type")).not.toContain("json");
  });
});
