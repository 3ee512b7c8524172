import { describe, expect, it } from "vitest";
import { entitlementAutomation } from "../../../src/kinds/entitlementAutomation.js";
import { resourceType } from "../../../src/kinds/resourceType.js";
import { templateScope } from "../../../src/kinds/templateScope.js";
import { absent, current, entry, line, planOf, present, snapshot, wish } from "../worlds.js";

const [APP, ENT, TYPE, TEMPLATE] = ["app1", "ent1", "type1", "template1"];
const all = snapshot([
  entry(resourceType, "team", [APP, TYPE], { displayName: "Team" }),
  entry(entitlementAutomation, "group", [APP, ENT], { displayName: "G" }),
  entry(templateScope, "q4", [TEMPLATE], { entitlements: [] }),
]);
const live = current("full", [
  [resourceType, [APP, TYPE], present([APP, TYPE], { displayName: "Team" })],
  [entitlementAutomation, [APP, ENT], present([APP, ENT], { displayName: "G" })],
  [templateScope, [TEMPLATE], present([TEMPLATE], {})],
]);
const lines = (from: Parameters<typeof planOf>[0]) => planOf(from).steps.map(line);

describe("a removed manifest", () => {
  it("leaves its object removed and undecided, in the tenant and in the state", () => {
    const plan = planOf({ current: live, snapshot: all });
    expect(plan.steps.map(line)).toEqual([
      "removed TemplateScope/q4: manifest removed",
      "removed EntitlementAutomation/group: manifest removed",
      "removed ResourceType/team: manifest removed",
    ]);
    expect(plan.calls.ahead).toEqual({});
  });

  it("is pruned when asked: an automation is deleted, a type only by name, a template never", () => {
    expect(lines({ current: live, snapshot: all, mode: { prune: true } })).toEqual([
      "blocked TemplateScope/q4: cannot delete",
      "delete EntitlementAutomation/group: manifest removed",
      "removed ResourceType/team: manifest removed",
    ]);
    const named = { prune: true, cascade: ["ResourceType/team"] };
    expect(lines({ current: live, snapshot: all, mode: named })).toContain(
      "delete ResourceType/team: manifest removed",
    );
  });

  it("is forgotten where the object is gone already", () => {
    const gone = current("full", [[entitlementAutomation, [APP, ENT], absent]]);
    const one = snapshot([entry(entitlementAutomation, "group", [APP, ENT], {})]);
    expect(lines({ current: gone, snapshot: one, mode: { prune: true } })).toEqual([
      "forget EntitlementAutomation/group: gone from tenant",
    ]);
  });

  it("is not pruned on core, which has no delete", () => {
    const blind = current("core", []);
    const one = snapshot([entry(entitlementAutomation, "group", [APP, ENT], {})]);
    const plan = planOf({ current: blind, snapshot: one, mode: { prune: true } });
    expect(plan.steps.map(line)).toEqual(["blocked EntitlementAutomation/group: cannot delete"]);
    expect(plan.steps[0]?.diagnostics).toMatchObject([{ code: "plan/no-delete", severity: "error" }]);
  });

  it("is not pruned where another object manages it", () => {
    const managed = current("full", [
      [entitlementAutomation, [APP, ENT], present([APP, ENT], {}, "catalog")],
    ]);
    const one = snapshot([entry(entitlementAutomation, "group", [APP, ENT], {})]);
    expect(lines({ current: managed, snapshot: one, mode: { prune: true } })).toEqual([
      "removed EntitlementAutomation/group: managed elsewhere",
    ]);
  });

  it("is distinguished by its key where another object has taken its name", () => {
    const moved = wish(entitlementAutomation, "group", {
      appId: APP,
      appEntitlementId: "ent2",
      displayName: "G",
    });
    const world = current("full", [
      [entitlementAutomation, [APP, "ent2"], absent],
      [entitlementAutomation, [APP, ENT], present([APP, ENT], {})],
    ]);
    const one = snapshot([entry(entitlementAutomation, "group", [APP, ENT], {})]);
    expect(lines({ desired: [moved], current: world, snapshot: one, mode: { prune: true } })).toEqual([
      "replace EntitlementAutomation/group: not in tenant",
      "delete EntitlementAutomation/group@app1/ent1: replaced",
    ]);
  });

  it("of a kind that this version does not know is left in the state, and said", () => {
    const strange = { ...entry(resourceType, "x", ["k"], {}), address: { kind: "Campaign", name: "x" } };
    const plan = planOf({ current: live, snapshot: snapshot([strange]), mode: { prune: true } });
    expect(plan.steps).toEqual([]);
    expect(plan.unseen).toMatchObject([{ what: "Campaign/x" }]);
  });
});

describe("only drift", () => {
  const drifted = current("full", [
    [resourceType, [APP, TYPE], present([APP, TYPE], { displayName: "Crew", traitIds: ["theirs"] })],
    [entitlementAutomation, [APP, ENT], absent],
    [templateScope, [TEMPLATE], present([TEMPLATE], {})],
  ]);
  const wanted = wish(resourceType, "team", { appId: APP, id: TYPE, displayName: "Squad" });

  it("is shown and recorded, whatever the manifests say", () => {
    const plan = planOf({
      desired: [wanted],
      current: drifted,
      snapshot: all,
      mode: { refreshOnly: true },
    });
    expect(plan.steps.map(line)).toEqual([
      "adopt ResourceType/team: drift only",
      "keep EntitlementAutomation/group: gone from tenant",
      "keep TemplateScope/q4: in sync",
    ]);
    expect(plan.steps[0]?.changes).toMatchObject([
      { cause: "drifted", change: { before: "Team", after: "Crew" } },
    ]);
    expect(plan.steps.flatMap(({ calls }) => calls)).toEqual([]);
  });
});
