import { describe, expect, it } from "vitest";
import type { Kind } from "../../src/kinds/kind.js";
import { resourceType } from "../../src/kinds/resourceType.js";
import type { JsonObject } from "../../src/model/json.js";
import { entry, resource, snapshot } from "../plan/worlds.js";
import { DOWN, NO_ROUTE, PAGE, REFUSED, type Says } from "./asked.js";
import { anAutomation, aScope, aType, look, remembered, TENANT, type, type World } from "./look.js";

describe("what is there", () => {
  it("is read by lists where there are lists, and one by one where not", async () => {
    const { seen, from, paths, calls } = await look([
      aType("team", { id: "team" }),
      aType("gone", { id: "gone" }),
      aType("old", { id: "old" }),
      anAutomation("automated"),
      anAutomation("deleted"),
      aScope("q4"),
      aScope("q5"),
    ]);
    expect(seen).toEqual({
      "ResourceType:gh/team": "present",
      "ResourceType:gh/gone": "absent",
      "ResourceType:gh/old": "absent",
      "EntitlementAutomation:gh/automated": "present",
      "EntitlementAutomation:gh/deleted": "absent",
      "TemplateScope:q4": "present",
      "TemplateScope:q5": "absent",
    });
    expect(paths.filter((path) => path.endsWith("resource_types"))).toHaveLength(1);
    // Two pages of the list, and each of the two types that it does not show.
    expect(calls).toEqual({ apps: 1, ResourceType: 4, EntitlementAutomation: 2, TemplateScope: 2 });
    const live = { interface: "full", source: "live", why: null };
    expect(from).toMatchObject({ TemplateScope: live, EntitlementAutomation: live, ResourceType: live });
  });

  it("says who else manages it", async () => {
    const { objects } = await look([anAutomation("bundled")]);
    expect(objects.get("EntitlementAutomation:gh/bundled")).toMatchObject({
      as: "present",
      managedBy: "catalog",
    });
  });

  it("of an app that there is not is nothing", async () => {
    const { seen } = await look([resource({ kind: "ResourceType", name: "x" }, { appId: "none", id: "x" })]);
    expect(seen).toEqual({ "ResourceType:none/x": "absent" });
  });

  it("is searched for where it is new, while the first reads find the interface", async () => {
    const ids = Array.from({ length: 7 }, (_, at) => `new${at}`);
    const rows = ids.map((id) => ({ appEntitlement: { appId: "gh", id, isAutomationEnabled: false } }));
    const { paths, width } = await look(
      ids.map((id) => anAutomation(id)),
      { says: { "search/entitlements": { pages: [rows] } } },
    );
    expect(paths).toEqual(["apps", "apps/gh/entitlements/new0/automation", "search/entitlements"]);
    expect(width).toBe(3);
  });

  it("is not asked for where the list of entitlements says that there is none", async () => {
    const { seen, paths } = await look([
      anAutomation({ alias: "the-bare" }),
      anAutomation("automated"),
      anAutomation("unlisted"),
    ]);
    expect(seen).toEqual({
      "EntitlementAutomation:gh/bare": "absent",
      "EntitlementAutomation:gh/automated": "present",
      "EntitlementAutomation:gh/unlisted": "absent",
    });
    expect(paths).not.toContain("apps/gh/entitlements/bare/automation");
  });

  it("is asked for all the same of a service that may have no automations to show", async () => {
    const { from, paths } = await look([anAutomation({ alias: "the-bare" })], {
      says: { apps: NO_ROUTE },
      otherwise: NO_ROUTE,
    });
    expect(paths).toContain("apps/gh/entitlements/bare/automation");
    expect(from.EntitlementAutomation).toMatchObject({ interface: "core", source: "recorded" });
  });

  it("is as recorded where the service has no reads, and the others wait for none of them", async () => {
    const state = snapshot([remembered("team", ["gh", "team"])]);
    const many = Array.from({ length: 50 }, (_, place) => aScope(`t${place}`));
    const { objects, from, paths } = await look([aType("team", { id: "team" }), ...many], {
      snapshot: state,
      says: { apps: NO_ROUTE, "apps/gh/resource_types": NO_ROUTE },
      otherwise: NO_ROUTE,
    });
    expect(objects.get("ResourceType:gh/team")).toEqual({ as: "recorded", fields: { displayName: "team" } });
    expect(objects.get("TemplateScope:t7")).toEqual({ as: "recorded", fields: null });
    expect(paths).toHaveLength(3);
    expect(from.TemplateScope?.why).toMatch(/ answered 404$/);
  });

  it.each<[string, World, JsonObject]>([
    ["core was asked for", { asked: "core" }, { interface: "core", source: "recorded", why: null }],
    ["nobody may be asked", { offline: true }, { interface: "full", source: "recorded", why: "offline" }],
  ])("is as recorded where %s, without a call", async (_, world, source) => {
    const { seen, from, paths } = await look(
      [aType("team", { id: "team" }), anAutomation("automated")],
      world,
    );
    expect([from.ResourceType, paths]).toEqual([source, []]);
    expect(new Set(Object.values(seen))).toEqual(new Set(["recorded"]));
  });

  it("cannot be known where full was asked for and is not offered", async () => {
    const { objects } = await look([aScope("q4"), aType("team", { id: "team" })], {
      asked: "full",
      says: { "access_review_template/q4/scope_and_entitlements": NO_ROUTE },
    });
    expect(objects.get("TemplateScope:q4")).toMatchObject({
      as: "unread",
      diagnostic: {
        code: "service/not-offered",
        message: expect.stringMatching(/^GET .* answered 404$/),
      },
    });
    expect(objects.get("ResourceType:gh/team")?.as).toBe("present");
  });

  it("is unread where one read fails, whatever its trouble, and the rest is read", async () => {
    for (const fault of [REFUSED, NO_ROUTE, PAGE]) {
      const { objects, diagnostics } = await look([aScope("a1"), aScope("q4"), aScope("q5")], {
        says: { "access_review_template/q5/scope_and_entitlements": fault },
      });
      expect(objects.get("TemplateScope:a1")?.as).toBe("absent");
      expect(objects.get("TemplateScope:q4")?.as).toBe("present");
      expect(objects.get("TemplateScope:q5")?.as).toBe("unread");
      expect(diagnostics).toEqual([]);
    }
  });

  it("includes what is remembered and no longer wanted, where that is asked for", async () => {
    const state = snapshot([remembered("team", ["gh", "team"]), remembered("gone", ["gh", "gone"])]);
    const { seen } = await look([], { snapshot: state, isComplete: true });
    expect(seen).toEqual({ "ResourceType:gh/team": "present", "ResourceType:gh/gone": "absent" });
    expect((await look([], { snapshot: state })).paths).toEqual([]);
  });

  it("leaves out what is remembered of a kind that this version does not know", async () => {
    const strange = entry({ ...resourceType, name: "Gadget" } as Kind, "x", ["p"], {});
    const { seen, paths } = await look([], { snapshot: snapshot([strange]), isComplete: true });
    expect([seen, paths]).toEqual([{}, []]);
  });

  it("is not enough where a list that a name needs cannot be read: the run ends", async () => {
    const { diagnostics } = await look([anAutomation({ alias: "the-bare" }), aScope("q4")], {
      says: { "apps/gh/entitlements": REFUSED },
    });
    expect(diagnostics).toMatchObject([
      {
        code: "service/not-allowed",
        message: expect.stringContaining("GET /api/v1/apps/gh/entitlements: answered 403"),
        hint: expect.stringContaining("interface: core"),
      },
    ]);
  });

  it("is met with one error where the service says nothing at all", async () => {
    for (const [fault, code] of [
      [REFUSED, "service/not-allowed"],
      [DOWN, "service/unreachable"],
      [PAGE, "service/strange-reply"],
    ] as const) {
      const says = Object.fromEntries(Object.keys(TENANT).map((path) => [path, fault]));
      const many = Array.from({ length: 20 }, (_, place) => aScope(`t${place}`));
      const { diagnostics, paths } = await look(many, { says, otherwise: fault });
      expect(diagnostics.map((one) => one.code)).toEqual([code]);
      expect(paths.length).toBeLessThanOrEqual(3);
    }
  });
});

describe("a survey of many", () => {
  it("keeps its promises to reads: ten thousand resources in a hundred apps are a hundred lists and one of apps", async () => {
    const says = Object.fromEntries(
      Array.from({ length: 100 }, (_, app): [string, Says] => [
        `apps/a${app}/resource_types`,
        {
          pages: [Array.from({ length: 100 }, (_, id) => type(`t${id}`, `Type ${id}`, { appId: `a${app}` }))],
        },
      ]),
    );
    const many = Array.from({ length: 10_000 }, (_, place) =>
      resource(
        { kind: "ResourceType", name: `type-${place}` },
        { appId: `a${place % 100}`, id: `t${Math.floor(place / 100)}`, displayName: "x" },
      ),
    );
    const { seen, paths } = await look(many, { says });
    expect([new Set(Object.values(seen)), paths.length]).toEqual([new Set(["present"]), 101]);
  });

  it("stops at a kind that there is not", async () => {
    const strange = resource({ kind: "Gadget", name: "x" }, {});
    await expect(look([strange])).rejects.toThrow("no kind Gadget");
  });
});
