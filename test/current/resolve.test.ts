import { describe, expect, it } from "vitest";
import { entitlementAutomation } from "../../src/kinds/entitlementAutomation.js";
import type { Kind } from "../../src/kinds/kind.js";
import { resourceType } from "../../src/kinds/resourceType.js";
import { templateScope } from "../../src/kinds/templateScope.js";
import type { JsonObject } from "../../src/model/json.js";
import { snapshot } from "../plan/worlds.js";
import { remembered } from "./look.js";
import { resolving } from "./resolving.js";

describe("a name", () => {
  it.each<[string, Kind, JsonObject, JsonObject, readonly string[]]>([
    ["of an app", resourceType, { appId: { name: "GitHub" }, id: "x" }, { appId: "gh", id: "x" }, ["apps"]],
    [
      "of an entitlement, by each finder",
      templateScope,
      {
        templateId: "t",
        entitlements: [
          { appId: "gh", appEntitlementId: { name: "Admin" } },
          { appId: { name: "GitHub" }, appEntitlementId: { alias: "github-member" } },
          { appId: "t1", appEntitlementId: { name: "Admin" } },
        ],
      },
      {
        templateId: "t",
        entitlements: [
          { appId: "gh", appEntitlementId: "admin" },
          { appId: "gh", appEntitlementId: "member" },
          { appId: "t1", appEntitlementId: "other" },
        ],
      },
      ["apps", "apps/gh/entitlements", "apps/t1/entitlements"],
    ],
    [
      "of a resource type within an app that is named itself",
      resourceType,
      { displayName: "Team", id: { name: "Team" }, appId: { name: "GitHub" } },
      { displayName: "Team", id: "team", appId: "gh" },
      ["apps", "apps/gh/resource_types"],
    ],
    [
      "deep inside a spec",
      entitlementAutomation,
      {
        appId: "gh",
        appEntitlementId: "admin",
        entitlements: { entitlementRefs: [{ id: { alias: "github-admin" }, appId: "gh" }] },
      },
      {
        appId: "gh",
        appEntitlementId: "admin",
        entitlements: { entitlementRefs: [{ id: "admin", appId: "gh" }] },
      },
      ["apps/gh/entitlements"],
    ],
  ])("%s becomes an id, each list asked for once", async (_, kind, written, resolved, asked) => {
    const { spec, faults, unseen, paths } = await resolving(kind, written);
    expect({ spec, faults, unseen, paths }).toEqual({ spec: resolved, faults: [], unseen: [], paths: asked });
    expect(Object.keys(spec)).toEqual(Object.keys(written));
  });

  it("is not looked up where ids are given", async () => {
    const written = {
      templateId: "t",
      scope: { userCriteria: { multiUserProfileAttributes: { name: { values: [{ value: "x" }] } } } },
      entitlements: [{ appId: "gh", appEntitlementId: "admin" }],
    };
    const { spec, paths } = await resolving(templateScope, written);
    expect(spec).toBe(written);
    expect(paths).toEqual([]);
  });

  it("of an app is the project file's before it is the service's", async () => {
    const given = { "Our code": "gh", "The same": "gh", Twin: "t1" };
    const { spec, paths, names } = await resolving(
      templateScope,
      {
        templateId: "t",
        entitlements: ["Our code", "The same", "Twin"].map((name) => ({
          appId: { name },
          appEntitlementId: "e",
        })),
      },
      { given },
    );
    expect(spec.entitlements).toEqual(["gh", "gh", "t1"].map((appId) => ({ appId, appEntitlementId: "e" })));
    expect([paths, names]).toEqual([[], { "app:gh": "Our code", "app:t1": "Twin" }]);
  });

  it("of the project file stays when the service calls the app otherwise", async () => {
    const { spec, names } = await resolving(
      templateScope,
      {
        templateId: "t",
        entitlements: [
          { appId: { name: "GitHub" }, appEntitlementId: "e" },
          { appId: { name: "Our code" }, appEntitlementId: "e" },
        ],
      },
      { given: { "Our code": "gh" } },
    );
    expect(spec.entitlements).toEqual([
      { appId: "gh", appEntitlementId: "e" },
      { appId: "gh", appEntitlementId: "e" },
    ]);
    expect(names["app:gh"]).toBe("Our code");
  });

  it("of a resource type is found offline where the state remembers one of that name in the app", async () => {
    const state = snapshot([remembered("Team", ["gh", "team"]), remembered("Team", ["gl", "other"])]);
    const written = { appId: { name: "GitHub" }, id: { name: "Team" }, displayName: "Team" };
    const options = { offline: true, snapshot: state, given: { GitHub: "gh" } };
    const { spec, unseen } = await resolving(resourceType, written, options);
    expect([spec, unseen]).toEqual([{ appId: "gh", id: "team", displayName: "Team" }, []]);
  });

  it("of a resource type is the service's matter where it can be asked, whatever the state remembers", async () => {
    const state = snapshot([remembered("Repository", ["gh", "team"])]);
    const written = { appId: "gh", id: { name: "Repository" } };
    expect((await resolving(resourceType, written, { snapshot: state })).spec.id).toBe("repo");
    const { unseen } = await resolving(resourceType, written, { snapshot: state, on: "core" });
    expect(unseen).toHaveLength(1);
  });

  it("of an entitlement can be looked up on core, too", async () => {
    const { spec } = await resolving(
      entitlementAutomation,
      { appId: "gh", appEntitlementId: { alias: "github-admin" } },
      { on: "core" },
    );
    expect(spec.appEntitlementId).toBe("admin");
  });
});

it("every id that a list showed is known by its name", async () => {
  const { names } = await resolving(resourceType, { id: { name: "Team" }, appId: { name: "GitHub" } });
  expect(names).toEqual({
    "app:gh": "GitHub",
    "app:t1": "Twin",
    "app:t2": "Twin",
    "resourceType:gh/repo": "Repository",
    "resourceType:gh/team": "Team",
  });
});
