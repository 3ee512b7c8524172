import { describe, expect, it } from "vitest";
import { entitlementAutomation } from "../../src/kinds/entitlementAutomation.js";
import { resourceType } from "../../src/kinds/resourceType.js";
import { templateScope } from "../../src/kinds/templateScope.js";
import type { Json } from "../../src/model/json.js";
import type { Key } from "../../src/model/key.js";
import { makePlan } from "../../src/plan/make.js";
import { writePlan } from "../../src/plan/saved/effect.js";
import {
  APP,
  automation,
  ENT,
  planFor,
  row,
  scope,
  setup,
  shown,
  stepFor,
  TEMPLATE,
  TYPE,
  type,
  typeShown,
} from "./replies.js";
import { absent, current, entry, lookOf, planOf, present, snapshot, wish } from "./worlds.js";

describe("what is sent", () => {
  const list = [{ appId: APP, appEntitlementId: ENT }];

  it("trap 7: a set sends both halves, the unmanaged one as it is, and says what would vanish", () => {
    const step = stepFor(
      templateScope,
      scope({ entitlements: [] }),
      setup({ allUsers: {} }, [row(APP, ENT)]),
    );
    expect(step.calls.map(({ body }) => body)).toEqual([{ scope: { allUsers: {} }, entitlements: [] }]);
    expect(step.changes[0]?.change).toMatchObject({ type: "set", removed: list, added: [] });
    const other = stepFor(templateScope, scope({ scope: null }), setup({ allUsers: {} }, [row(APP, ENT)]));
    expect(other.calls.map(({ body }) => body)).toEqual([{ scope: null, entitlements: list }]);
  });

  it("trap 9: a scope without a manifest is never emptied", () => {
    const known = snapshot([entry(templateScope, "q4", [TEMPLATE], { entitlements: list })]);
    const now = current("full", [[templateScope, [TEMPLATE], present([TEMPLATE], { entitlements: list })]]);
    const plan = planOf({ current: now, snapshot: known, mode: { prune: true } });
    expect(plan.steps).toMatchObject([{ action: "blocked", calls: [] }]);
  });

  it("trap 11: two manifests for one template are an error, whatever they are called", () => {
    const other = wish(templateScope, "other", { templateId: TEMPLATE, scope: { allUsers: {} } });
    const desired = [scope({ entitlements: [] }), other];
    expect(makePlan(lookOf({ desired, current: current("core", []) })).diagnostics).toMatchObject([
      { code: "plan/same-object", severity: "error" },
    ]);
  });

  it("trap 12: a mask is always there, in the service's spelling, and names only what changed", () => {
    const wanted = type({ displayName: "T", traitIds: ["t"] });
    const step = stepFor(resourceType, wanted, typeShown({ displayName: "x", traitIds: ["x"] }));
    expect(step.calls.map(({ body }) => body)).toMatchObject([{ updateMask: "displayName,traitIds" }]);
  });

  it("trap 13: the mask of a resource type contains the managed fields that differ, so that foreign traits survive", () => {
    const step = stepFor(
      resourceType,
      type({ displayName: "T" }),
      typeShown({ displayName: "x", traitIds: ["theirs"] }),
    );
    expect(step.calls.map(({ body }) => body)).toEqual([
      { appResourceType: { displayName: "T" }, updateMask: "displayName" },
    ]);
    const both = type({ displayName: "T", traitIds: ["t"] });
    const one = stepFor(resourceType, both, typeShown({ displayName: "T", traitIds: ["theirs"] }));
    expect(one.calls[0]?.body).toMatchObject({ updateMask: "traitIds" });
  });

  it("trap 13: traits follow the creation of a resource type", () => {
    const anew = wish(resourceType, "team", {
      appId: APP,
      resourceType: "CUSTOM",
      displayName: "T",
      traitIds: ["t"],
    });
    const world = current("full", [[resourceType, "team", absent]]);
    const [step] = planOf({ desired: [anew], current: world }).steps;
    expect(step?.calls.map(({ effect }) => effect)).toEqual(["once", "repeatable"]);
    expect(step?.calls[0]?.body).not.toHaveProperty("traitIds");
  });

  it("trap 14: an update of an automation sends name, description and condition, whatever differs", () => {
    const now = { displayName: "G", description: "theirs", cel: { expression: "a" } };
    const step = stepFor(entitlementAutomation, automation({ displayName: "H" }), shown(now));
    expect(step.calls.map(({ body }) => body)).toEqual([{ ...now, displayName: "H" }]);
    const turned = stepFor(entitlementAutomation, automation({ none: {} }), shown(now));
    expect(turned.calls.map(({ body }) => body)).toEqual([
      { displayName: "G", description: "theirs", none: {} },
    ]);
  });

  it("trap 21: no call has an empty part in its path", () => {
    const anew = wish(resourceType, "new", { appId: APP, resourceType: "CUSTOM", displayName: "T" });
    const desired = [
      anew,
      type({ displayName: "T" }),
      automation({ none: {} }),
      scope({ scope: null, entitlements: [] }),
    ];
    const plan = planOf({ desired, current: current("core", []) });
    for (const call of plan.steps.flatMap(({ calls }) => calls)) expect(call.path).not.toContain("");
  });
});

describe("what is done", () => {
  const gone = { deletedAt: "2026-01-01T00:00:00Z" };

  it("trap 15: an automation that is there is updated, one that is not is created", () => {
    const wanted = automation({ displayName: "G" });
    expect(stepFor(entitlementAutomation, wanted, shown({ displayName: "x" })).action).toBe("update");
    expect(stepFor(entitlementAutomation, wanted, null).action).toBe("create");
    expect(stepFor(entitlementAutomation, wanted, shown({ displayName: "G", ...gone })).action).toBe(
      "create",
    );
  });

  it("trap 16: an automation that an access profile manages is left alone, and said", () => {
    const step = stepFor(
      entitlementAutomation,
      automation({ displayName: "G" }),
      shown({ managedByRequestCatalogId: "c1" }),
    );
    expect(step).toMatchObject({ action: "keep", reason: "managed elsewhere", calls: [] });
    expect(step.diagnostics).toMatchObject([{ code: "plan/managed-otherwise", severity: "warning" }]);
  });

  it("trap 17: what bears a time of deletion is gone", () => {
    const state = snapshot([entry(entitlementAutomation, "group", [APP, ENT], { displayName: "G" })]);
    const step = stepFor(
      entitlementAutomation,
      automation({ displayName: "G" }),
      shown({ displayName: "G", ...gone }),
      state,
    );
    expect(step.reason).toBe("gone from tenant");
  });

  it("trap 19: a resource type that is found by its name is taken, not made a second time", () => {
    const anew = wish(resourceType, "team", {
      appId: APP,
      resourceType: "ROLE",
      displayName: "T",
      traitIds: ["t"],
    });
    const found = present([APP, TYPE], { displayName: "T" });
    const [step] = planOf({
      desired: [anew],
      current: current("full", [[resourceType, "team", found]]),
    }).steps;
    expect(step).toMatchObject({ action: "update", key: [APP, TYPE] });
  });

  it("trap 20, trap 27: an object is only what its name says to the letter", () => {
    const matches = (name: string) =>
      resourceType.matches?.({ displayName: "Team" }, { key: [], fields: { displayName: name } });
    expect(["Team", "team", "TEAM", "Team ", "Teams"].filter(matches)).toEqual(["Team"]);
  });

  it("trap 28: types come before automations before templates, deletions the other way round", () => {
    const key = (id: string): Key => [APP, id];
    const plan = planOf({
      desired: [scope({ entitlements: [] }), automation({ none: {} }), type({ displayName: "T" })],
      current: current("full", [
        [
          templateScope,
          [TEMPLATE],
          present([TEMPLATE], { entitlements: [{ appId: APP, appEntitlementId: ENT }] }),
        ],
        [entitlementAutomation, [APP, ENT], absent],
        [resourceType, key(TYPE), present(key(TYPE), {})],
        [entitlementAutomation, key("a"), present(key("a"), {})],
        [resourceType, key("b"), present(key("b"), {})],
      ]),
      snapshot: snapshot([
        entry(resourceType, "b", key("b"), {}),
        entry(entitlementAutomation, "a", key("a"), {}),
      ]),
      mode: { prune: true, cascade: ["ResourceType/b"] },
    });
    expect(plan.steps.map(({ action, address }) => [action, address.kind])).toEqual([
      ["update", "ResourceType"],
      ["create", "EntitlementAutomation"],
      ["set", "TemplateScope"],
      ["delete", "EntitlementAutomation"],
      ["delete", "ResourceType"],
    ]);
  });

  it("trap 29, trap 30: neither the order of replies nor anything volatile is in a plan", () => {
    const wanted = scope({ entitlements: [{ appId: APP, appEntitlementId: "c" }] });
    const inOrder = (list: readonly Json[]) =>
      writePlan(planFor(templateScope, wanted, setup(null, list))).text;
    const [one, other] = [row(APP, "a"), row(APP, "b", { updatedAt: "2026-02-02T00:00:00Z" })];
    expect(inOrder([one, other])).toBe(
      inOrder([other, row(APP, "a", { updatedAt: "2027-01-01T00:00:00Z" })]),
    );
  });
});
