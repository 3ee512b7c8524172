import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Json } from "../../src/model/json.js";
import { ROOT } from "../../src/sandbox/tenant/store.js";
import { C1_APP_ID } from "../../src/sandbox/tenant/tenant.js";
import { type GroupScene, memberNamed, openGroups, resourceNamed, ruleNamed } from "../fakes/groups.js";
import { idOf } from "../sandbox/visit.js";

/** The service takes rules only on entitlements of the tenant's own app. */

const [APP, ROLE] = [idOf("github"), idOf("role")];

let scene: GroupScene;
beforeEach(async () => {
  scene = await openGroups();
  const { store } = scene.sandbox;
  store.apps.put("", APP, { id: APP, displayName: "GitHub" });
  store.entitlements.put(APP, ROLE, { appId: APP, id: ROLE, displayName: "Admin", alias: "github-admin" });
});
afterEach(() => scene.close());

const rule = (appId: Json, appEntitlementId: Json) => ruleNamed("admins", "x", { appId, appEntitlementId });

describe("a rule on an entitlement of another app", () => {
  it.each<[string, Json, Json]>([
    ["by names", { name: "GitHub" }, { alias: "github-admin" }],
    ["by ids, beside one that names C1", APP, ROLE],
  ])("is blocked in the plan, written %s", async (_, app, entitlement) => {
    const group = [
      resourceNamed("eng", "Engineering", { appId: { name: "C1" } }),
      memberNamed("eng", "eng", { appId: { name: "C1" } }),
      ruleNamed("eng", "eng"),
    ];
    scene.project.write([rule(app, entitlement), ...group]);
    const said = await scene.remit(4, "plan");
    expect(said).toContain(
      "error[plan/other-app] the service takes entitlement automations only in the tenant's own app C1",
    );
    expect(said).toContain("1 blocked");
    await scene.remit(3, "apply", "--yes", "--acknowledge", "nobody");
    expect(scene.sandbox.log.entries({ operation: "CreateAutomation" })).toHaveLength(1);
  });

  it("is left to the service where the tenant shows no such app", async () => {
    scene.sandbox.store.apps.put(ROOT, C1_APP_ID, { id: C1_APP_ID, displayName: "Renamed" });
    scene.project.write([rule(APP, ROLE)]);
    expect(await scene.remit(0, "plan")).toContain("1 to create");
  });
});
