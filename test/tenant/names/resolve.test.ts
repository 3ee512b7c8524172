import { describe, expect, it } from "vitest";
import { entitlementAutomation } from "../../../src/kinds/entitlementAutomation.js";
import type { Kind } from "../../../src/kinds/kind.js";
import { resourceType } from "../../../src/kinds/resourceType.js";
import { templateScope } from "../../../src/kinds/templateScope.js";
import type { JsonObject } from "../../../src/model/json.js";
import { snapshot } from "../../plan/worlds.js";
import { remembered } from "../look.js";
import { type Options, resolving } from "../resolving.js";

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

  describe("of an app in the project file", () => {
    const looked = (name: string, given: Record<string, string>, more: Options = {}) =>
      resolving(
        templateScope,
        { templateId: "t", entitlements: [{ appId: { name }, appEntitlementId: "e" }] },
        { given, ...more },
      );
    const meaning = (appId: string) => [{ appId, appEntitlementId: "e" }];

    it("is used where the service lists no apps, and marked", async () => {
      for (const more of [{ on: "core" }, { offline: true }] as const) {
        const { spec, nameOf, paths } = await looked("Our code", { "Our code": "gh" }, more);
        expect([spec.entitlements, nameOf("app:gh"), paths]).toEqual([
          meaning("gh"),
          "Our code [remit.yaml]",
          [],
        ]);
      }
    });
    it("is used where the service lists neither the app nor the name", async () => {
      const { spec, nameOf } = await looked("Hidden", { Hidden: "h1" });
      expect([spec.entitlements, nameOf("app:h1")]).toEqual([meaning("h1"), "Hidden [remit.yaml]"]);
    });
    it("is used where the service confirms it, and tells apps of one name apart", async () => {
      const { spec, nameOf } = await looked("Twin", { Twin: "t1" });
      expect([spec.entitlements, nameOf("app:t1")]).toEqual([meaning("t1"), "Twin"]);
    });
    it.each([
      [
        "names the app differently",
        "Our code",
        "gh",
        'remit.yaml gives the name "Our code" to the app gh, and the service names that app "GitHub"',
      ],
      [
        "lists another app of that name",
        "GitHub",
        "evil",
        'remit.yaml gives the name "GitHub" to the app evil, and the service lists GitHub (gh)',
      ],
    ])("is an error where the service %s", async (_, name, id, message) => {
      const { faults } = await looked(name, { [name]: id });
      expect(faults).toMatchObject([{ code: "reference/contradicted", severity: "error", message }]);
    });
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
  const { nameOf } = await resolving(resourceType, { id: { name: "Team" }, appId: { name: "GitHub" } });
  const names = {
    "app:gh": "GitHub",
    "app:t1": "Twin",
    "app:t2": "Twin",
    "resourceType:gh/repo": "Repository",
    "resourceType:gh/team": "Team",
  };
  expect(Object.fromEntries(Object.keys(names).map((one) => [one, nameOf(one)]))).toEqual(names);
});
