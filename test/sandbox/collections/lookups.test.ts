import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../../src/model/json.js";
import {
  ADMIN,
  C1,
  GITHUB,
  idOf,
  MEMBER,
  REPOSITORY,
  RULED,
  refusal,
  TENANT,
  told,
  visit,
} from "../visit.js";

/** What the tenant's access profile brings: the entitlement of those who are enrolled, and of those whom its rule leaves out. */
const OF_PROFILE = ["Enrollment", "Excluded from rule"];
const ENTITLEMENTS = `/api/v1/apps/${GITHUB}/entitlements`;
const SEARCH = "/api/v1/search/entitlements";
const gone = { status: 404, code: 5, message: "not found" };

function names(reply: ReturnType<ReturnType<typeof visit>["ask"]>) {
  const list = told(reply, "list");
  return (Array.isArray(list) ? list : []).map((row) => row.appEntitlement?.displayName ?? row.displayName);
}

describe("apps", () => {
  test("are listed bare, with counts as texts", () => {
    const reply = visit().ask("GET", "/api/v1/apps");
    expect(names(reply)).toEqual(["C1", "GitHub"]);
    expect(told(reply, "list", 1)).toMatchObject({
      id: GITHUB,
      userCount: "120",
      isDirectory: false,
      deletedAt: null,
    });
    expect(told(reply, "nextPageToken")).toBe("");
  });

  test("are read by id, and a deleted one is not found even where others are shown", () => {
    const apps = [...TENANT.apps, { id: idOf("old"), displayName: "Old", deletedAt: "2024-01-01T00:00:00Z" }];
    const { ask, turn } = visit({ tenant: { ...TENANT, apps } });
    expect(told(ask("GET", `/api/v1/apps/${GITHUB}`), "app", "description")).toBe("Where the code is");
    turn({ softDeleted: "shown" });
    expect(refusal(ask("GET", `/api/v1/apps/${idOf("old")}`))).toEqual(gone);
    expect(names(ask("GET", "/api/v1/apps"))).not.toContain("Old");
  });

  test.each([
    [{ displayName: "github" }, ["GitHub"]],
    [{ query: "code" }, ["GitHub"]],
    [{ appIds: [C1] }, ["C1"]],
    [{ excludeAppIds: [C1] }, ["GitHub"]],
    [{ onlyDirectories: true }, []],
    [{}, ["C1", "GitHub"]],
  ])("are found by %j", (body, found) => {
    expect(names(visit().ask("POST", "/api/v1/search/apps", body))).toEqual(found);
  });
});

describe("entitlements", () => {
  test("are listed in views, with what every app has", () => {
    const reply = visit().ask("GET", ENTITLEMENTS);
    expect(names(reply)).toEqual(["Admin", "Member", "Access"]);
    expect(told(reply, "list", 0)).toMatchObject({
      appEntitlement: {
        id: ADMIN,
        appId: GITHUB,
        alias: "github-admin",
        grantCount: "1",
        complianceFrameworkValueIds: [],
      },
      appPath: "",
      appResourcePath: "",
      appResourceTypePath: "",
      objectPermissions: null,
    });
    expect(told(reply, "list", 2, "appEntitlement", "id")).toBe("287oY0rG4UirjDNFEYguMBvxyim");
    expect(refusal(visit().ask("GET", `/api/v1/apps/${idOf("nowhere")}/entitlements`))).toEqual(gone);
  });

  test("are read by app and id", () => {
    const { ask } = visit();
    const reply = ask("GET", `${ENTITLEMENTS}/${ADMIN}`);
    expect(told(reply, "appEntitlementView", "appEntitlement", "displayName")).toBe("Admin");
    expect(told(reply, "expanded")).toEqual([]);
    expect(refusal(ask("GET", `/api/v1/apps/${C1}/entitlements/${ADMIN}`))).toEqual(gone);
  });

  test("are listed for one resource", () => {
    const tenant = {
      ...TENANT,
      entitlements: [
        {
          appId: GITHUB,
          id: MEMBER,
          displayName: "Member",
          appResourceTypeId: REPOSITORY,
          appResourceId: idOf("res"),
        },
      ],
    };
    const { ask } = visit({ tenant });
    const path = `${ENTITLEMENTS}/resource_types/${REPOSITORY}/resources/`;
    expect(names(ask("GET", `${path}${idOf("res")}`))).toEqual(["Member"]);
    expect(names(ask("GET", `${path}${idOf("other")}`))).toEqual([]);
  });

  const rich = {
    appId: GITHUB,
    id: idOf("rich"),
    displayName: "Rich",
    riskLevelValueId: "high",
    complianceFrameworkValueIds: ["soc"],
    requestSchemaId: "form",
    grantPolicyId: "policy",
    sourceConnectorIds: { connector: "x" },
    appResourceId: "res",
    appResourceTypeId: REPOSITORY,
    durationGrant: "3600s",
  };
  const buried = {
    appId: GITHUB,
    id: idOf("buried"),
    displayName: "Buried",
    deletedAt: "2024-01-01T00:00:00Z",
  };
  const tenant = {
    ...TENANT,
    entitlements: [...TENANT.entitlements, rich, buried],
    resourceTypes: [{ appId: GITHUB, id: REPOSITORY, displayName: "Repository", traitIds: ["trait"] }],
    automations: [{ appId: C1, appEntitlementId: RULED, none: {} }],
  };

  test.each<[JsonObject, readonly string[]]>([
    [{ alias: "github-admin" }, ["Admin"]],
    [{ alias: "github" }, []],
    [{ alias: "github-admin", appIds: [C1] }, []],
    [{ displayName: "admin" }, ["Admin"]],
    [{ query: "dmi" }, ["Admin"]],
    [{ appIds: [C1] }, ["Engineering", "Access", ...OF_PROFILE]],
    [{ appIds: [idOf("nowhere")] }, []],
    [{ excludeAppIds: [GITHUB] }, ["Engineering", "Access", ...OF_PROFILE]],
    [
      {
        refs: [
          { appId: GITHUB, id: MEMBER },
          { appId: C1, id: MEMBER },
        ],
      },
      ["Member"],
    ],
    [{ appIds: [C1], excludedEntitlementRefs: [{ appId: C1, id: RULED }] }, ["Access", ...OF_PROFILE]],
    [{ resourceIds: ["res"] }, ["Rich"]],
    [{ resourceTypeIds: [REPOSITORY] }, ["Admin", "Rich"]],
    [{ appIds: [GITHUB], excludeResourceTypeIds: [REPOSITORY] }, ["Member", "Access"]],
    [{ resourceTraitIds: ["trait"] }, ["Admin", "Rich"]],
    [{ requestSchemaIds: ["form"] }, ["Rich"]],
    [{ riskLevelIds: ["high"] }, ["Rich"]],
    [{ complianceFrameworkIds: ["soc", "other"] }, ["Rich"]],
    [{ policyRefs: [{ id: "policy" }] }, ["Rich"]],
    [{ sourceConnectorId: "connector" }, ["Rich"]],
    [{ isAutomated: true }, ["Engineering"]],
    [{ appIds: [C1], excludeImmutable: true }, ["Engineering", ...OF_PROFILE]],
    [{ query: "buried", includeDeleted: true }, ["Buried"]],
    [{ query: "buried" }, []],
    [{ appUserIds: ["u"] }, []],
    [{ onlyGetExpiring: true }, []],
    [{ accessReviewId: "r" }, []],
  ])("are found by %j", (body, found) => {
    const reply = visit({ tenant }).ask("POST", SEARCH, body);
    expect(names(reply)).toEqual(found);
    expect(reply.body).toMatchObject({
      facets: { count: String(found.length), facets: [] },
      expanded: [],
      nextPageToken: "",
    });
  });

  test("show how long a grant lasts as the one of two that is set", () => {
    const row = told(
      visit({ tenant }).ask("POST", SEARCH, { riskLevelIds: ["high"] }),
      "list",
      0,
      "appEntitlement",
    );
    expect(row).toMatchObject({ durationGrant: "3600s", sourceConnectorIds: { connector: "x" } });
    expect(row).not.toHaveProperty("durationUnset");
  });

  test("are searched with what they belong to, where asked", () => {
    const reply = visit().ask("POST", SEARCH, { alias: "github-admin", expandMask: { paths: ["*"] } });
    expect(told(reply, "list", 0)).toMatchObject({
      appPath: "$.expanded[0]",
      appResourceTypePath: "$.expanded[1]",
    });
    expect(told(reply, "expanded", 1)).toMatchObject({
      "@type": "type.googleapis.com/c1.api.app.v1.AppResourceType",
    });
  });
});
