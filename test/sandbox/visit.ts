import { isObject, type JsonObject } from "../../src/model/json.js";
import { type Path, valueAt } from "../../src/model/path.js";
import { makeRoutes } from "../../src/sandbox/answer/routes.js";
import { BUILT_IN_TYPES } from "../../src/sandbox/collections/attributes.js";
import type { Interface, Quirks, Response } from "../../src/sandbox/http/exchange.js";
import { makeStore, type Store } from "../../src/sandbox/tenant/store.js";
import { C1_APP_ID, EMPTY_TENANT, type Tenant } from "../../src/sandbox/tenant/tenant.js";

/** A service's inside, seen by a client that speaks JSON. */
export interface Visit {
  readonly store: Store;
  /** Sends a value, or a text as it stands. */
  ask(method: string, path: string, body?: JsonObject | string | Uint8Array): Response;
  /** Lets time pass. */
  wait(milliseconds: number): void;
  /** Changes the world. */
  turn(quirks: Quirks): void;
}

/** When a visit begins. */
export const MORNING = Date.parse("2025-03-01T08:00:00Z");

/** Twenty-seven letters that begin with the word. */
export function idOf(word: string): string {
  return word.padEnd(27, "0");
}

export const C1 = C1_APP_ID;
export const GITHUB = idOf("appGitHub");
export const ADMIN = idOf("entAdmin");
export const MEMBER = idOf("entMember");
export const RULED = idOf("entRuled");
export const DESK = idOf("webhookDesk");
export const CONFLICT = idOf("sod");
export const REPOSITORY = idOf("typeRepository");
export const RULE = idOf("ruleRest");
export const QUARTERLY = idOf("tplQuarterly");

export const ANA = idOf("userAna");
export const BO = idOf("userBo");
export const ACCOUNT = idOf("accountAna");
export const CAMPAIGN = idOf("campaignQ1");
export const PROFILE = idOf("profileEmployees");
export const HIGH = idOf("riskHigh");
export const FRAMEWORK = idOf("frameworkHigh");

/** A small tenant: its own app and another, entitlements in both, a type, a template. */
export const TENANT: Tenant = {
  ...EMPTY_TENANT,
  open: false,
  apps: [
    { id: C1, displayName: "C1" },
    {
      id: GITHUB,
      displayName: "GitHub",
      description: "Where the code is",
      userCount: "120",
      configurationRules: [{ id: RULE, displayName: "Rest", enabled: true }],
    },
  ],
  entitlements: [
    { appId: GITHUB, id: ADMIN, displayName: "Admin", alias: "github-admin", appResourceTypeId: REPOSITORY },
    {
      appId: GITHUB,
      id: MEMBER,
      displayName: "Member",
      slug: "Member",
      isManuallyManaged: true,
      appResourceId: idOf("resource"),
    },
    { appId: C1, id: RULED, displayName: "Engineering", alias: "engineering" },
  ],
  resourceTypes: [{ appId: GITHUB, id: REPOSITORY, displayName: "Repository", resourceType: "CUSTOM" }],
  templates: [{ id: QUARTERLY, displayName: "Quarterly", policyId: idOf("policy") }],
  resources: [{ id: idOf("resource"), appId: GITHUB, appResourceTypeId: REPOSITORY, displayName: "api" }],
  users: [
    {
      id: ANA,
      displayName: "Ana Ruiz",
      email: "ana@example.test",
      department: "Treasury",
      status: "ENABLED",
      managerIds: [BO],
      profile: { "Cost Center": "T&R", level: "5" },
    },
    { id: BO, displayName: "Bo Lind", email: "bo@example.test", status: "DISABLED" },
    { id: idOf("userCy"), displayName: "Cy Tan", status: "DELETED", deletedAt: "2025-01-01T00:00:00Z" },
  ],
  accounts: [
    {
      id: ACCOUNT,
      appId: GITHUB,
      displayName: "ana",
      identityUserId: ANA,
      status: { status: "STATUS_ENABLED" },
    },
    { id: idOf("accountBot"), appId: GITHUB, displayName: "bot", identityUserId: "", isExternal: true },
  ],
  grants: [
    {
      appId: GITHUB,
      appEntitlementId: ADMIN,
      appUserId: ACCOUNT,
      createdAt: "2025-02-01T00:00:00Z",
      deprovisionAt: "2025-09-01T00:00:00Z",
      grantSources: [{ appId: C1, id: RULED }],
      grantReasons: [{ derivedIdType: "ticket", derivedIdData: "t" }],
    },
  ],
  campaigns: [
    {
      id: CAMPAIGN,
      displayName: "Q1",
      accessReviewTemplateId: QUARTERLY,
      state: "ACCESS_REVIEW_STATE_OPEN",
      scopeV2: { specificResources: {} },
      expectedTicketCount: 40,
      entitlements: [{ appId: GITHUB, appEntitlementId: ADMIN }],
    },
    {
      id: idOf("campaignGone"),
      displayName: "Q0",
      state: "ACCESS_REVIEW_STATE_DELETED",
      entitlements: [],
    },
  ],
  workflows: [
    {
      id: idOf("workflow"),
      displayName: "Cut",
      automationSteps: [{ createAccessReview: { accessReviewTemplateId: QUARTERLY } }],
    },
  ],
  catalogs: [
    { id: PROFILE, displayName: "Employees", memberCount: "12" },
    { id: idOf("profileGone"), displayName: "Old", deletedAt: "2025-01-01T00:00:00Z" },
  ],
  attributeTypes: [
    { id: BUILT_IN_TYPES.riskLevel, name: "Risk level" },
    { id: BUILT_IN_TYPES.complianceFramework, name: "Compliance framework" },
  ],
  attributes: [
    { id: HIGH, attributeTypeId: BUILT_IN_TYPES.riskLevel, value: "High" },
    { id: FRAMEWORK, attributeTypeId: BUILT_IN_TYPES.complianceFramework, value: "High" },
  ],
  conflicts: [
    {
      id: CONFLICT,
      displayName: "Administers and reviews",
      enabled: false,
      bindings: [
        {
          monitorId: CONFLICT,
          appId: GITHUB,
          appEntitlementId: ADMIN,
          entitlementGroup: "ENTITLEMENT_GROUP_A",
        },
      ],
    },
  ],
  webhooks: [{ id: DESK, displayName: "Desk", url: "https://desk.example.com" }],
  policies: [{ id: idOf("policy"), displayName: "Manager", policyType: "POLICY_TYPE_CERTIFY" }],
};

/** Opens a service over a tenant. */
export function visit({
  tenant = TENANT,
  spoken = "full",
}: {
  tenant?: Tenant;
  spoken?: Interface;
} = {}): Visit {
  const store = makeStore(tenant);
  let now = MORNING;
  let quirks: Quirks = {};
  let seed = 1;
  const random = () => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed / 2_147_483_647;
  };
  const serve = makeRoutes({ store, interface: spoken, now: () => now, random, quirks: () => quirks });
  return {
    store,
    ask(method, path, body = "") {
      const text = isObject(body) && !(body instanceof Uint8Array) ? JSON.stringify(body) : body;
      const bytes = typeof text === "string" ? new TextEncoder().encode(text) : (text as Uint8Array);
      const [place = "", query] = path.split("?");
      return serve({
        method,
        path: place,
        query: new URLSearchParams(query),
        body: bytes,
        host: "localhost",
      });
    },
    wait(milliseconds) {
      now += milliseconds;
    },
    turn(next) {
      quirks = next;
    },
  };
}

/** A value inside a reply. */
export function told(response: Response, ...path: Path) {
  return valueAt(response.body, path);
}

/** A refusal as a test names it: the status, the code, and the words without the request's id. */
export function refusal(response: Response) {
  const message = String(told(response, "message")).replace(/ \(request-id: [0-9a-f]{32}\)$/, "");
  return { status: response.status, code: told(response, "code"), message };
}
