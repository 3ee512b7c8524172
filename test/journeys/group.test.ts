import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { C1_APP_ID } from "../../src/sandbox/tenant/tenant.js";
import { GROUP, type GroupScene, openGroups, resourceNamed } from "../fakes/groups.js";
import type { Manifest } from "../fakes/project.js";

/** A group of the tenant's own app: a resource, its membership, and the rule that fills it. */

const group = resourceNamed("eng", "Engineering");
const member = (spec: Manifest["spec"] = {}): Manifest => ({
  kind: "Entitlement",
  name: "eng",
  spec: {
    ...GROUP,
    appResourceId: { name: "Engineering" },
    displayName: "Member",
    alias: "eng-member",
    ...spec,
  },
});
const rule: Manifest = {
  kind: "EntitlementAutomation",
  name: "eng",
  spec: { appId: C1_APP_ID, appEntitlementId: { alias: "eng-member" }, none: {} },
};

let scene: GroupScene;
beforeEach(async () => {
  scene = await openGroups();
});
afterEach(() => scene.close());

async function apply(...manifests: readonly Manifest[]): Promise<void> {
  scene.project.write(manifests);
  await scene.remit(0, "apply", "--yes", "--acknowledge", "nobody");
  await scene.remit(0, "plan", "--detailed-exitcode");
}

describe("a group", () => {
  it("is made step by step, and changed in what its manifests say", async () => {
    await apply(group);
    await apply(group, member());
    await apply(group, member(), rule);
    const [entitlement] = scene.made();
    expect(entitlement).toMatchObject({ displayName: "Member", durationUnset: {} });

    await apply(group, member({ durationGrant: "30d", description: "Builders" }), rule);
    const [update] = scene.sandbox.log.entries({ operation: "UpdateEntitlement" });
    expect(update?.body).toEqual({
      entitlement: { description: "Builders", durationGrant: "2592000s" },
      updateMask: "description,durationGrant",
    });
    await apply(group, member({ durationGrant: null, description: "Builders" }), rule);
    expect(scene.made()).toMatchObject([{ description: "Builders", durationUnset: {} }]);

    const described = { ...group, spec: { ...group.spec, description: "Everyone who builds" } };
    await apply(described, member({ durationGrant: null, description: "Builders" }), rule);
    expect(scene.sandbox.store.resources.all()).toMatchObject([{ description: "Everyone who builds" }]);
  });

  it("is imported, with the ids that only the service knows, and the next plan is empty", async () => {
    await apply(group, resourceNamed("sales", "Sales"));
    await apply(group, member());
    scene.project.write([]);
    const elsewhere = ["--state", "other.json"];
    await scene.remit(0, "import", ...elsewhere);
    await scene.remit(0, "apply", "--yes", ...elsewhere);
    await scene.remit(0, "plan", "--detailed-exitcode", ...elsewhere);
    expect(scene.sandbox.log.count({ method: "POST", operation: "UpdateEntitlement" })).toBe(0);
  });

  it("may have the same entitlement as another group", async () => {
    const sales = resourceNamed("sales", "Sales");
    await apply(group, sales);
    const salesMember = member({ appResourceId: { name: "Sales" }, alias: "sales-member" });
    await apply(group, sales, member(), { ...salesMember, name: "sales" });
    expect(scene.made()).toHaveLength(2);
  });

  it.each(["CreateResource", "CreateEntitlement"])(
    "is made once where the reply to %s is lost",
    async (operation) => {
      scene.disturb(operation, { fault: "lost" });
      await apply(group);
      await apply(group, member());
      expect(scene.sandbox.store.resources.all()).toHaveLength(1);
      expect(scene.made()).toHaveLength(1);
    },
  );
});
