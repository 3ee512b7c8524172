import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { C1_APP_ID } from "../../src/sandbox/tenant/tenant.js";
import { type GroupScene, memberNamed, openGroups, resourceNamed, ruleNamed } from "../fakes/groups.js";
import type { Manifest } from "../fakes/project.js";

/** How the access of an entitlement is provided: one field that the service calls by two names. */

const group = resourceNamed("eng", "Engineering");
const desk: Manifest = {
  kind: "Webhook",
  name: "desk",
  spec: { displayName: "Desk", url: "https://desk.example.com" },
};
const member = (more: Manifest["spec"]) => memberNamed("eng-member", "eng", more);
const CALLS = { webhook: { webhookId: { manifest: "desk" } } };
const BY_HAND = { manual: { instructions: "Add them", assignee: { appOwners: {} } } };

let scene: GroupScene;
beforeEach(async () => {
  scene = await openGroups();
});
afterEach(() => scene.close());

async function apply(...manifests: readonly Manifest[]): Promise<void> {
  scene.project.write(manifests);
  await scene.remit(0, "apply", "--yes");
  await scene.remit(0, "plan", "--detailed-exitcode");
}
const webhookId = () => scene.sandbox.store.webhooks.all()[0]?.id;
const sent = (operation: string) => scene.sandbox.log.entries({ operation }).map(({ body }) => body);

describe("the policies of an entitlement", () => {
  it("are created with the webhook of another manifest, and what a create does not take follows", async () => {
    scene.project.write([member({ provisionPolicy: CALLS, deprovisionerPolicy: CALLS }), group, desk]);
    expect(await scene.remit(0, "plan")).toContain("‹id of Webhook/desk›");
    await scene.remit(0, "apply", "--yes");
    await scene.remit(0, "plan", "--detailed-exitcode");
    const policy = { webhook: { webhookId: webhookId() } };
    expect(scene.made()).toMatchObject([{ provisionerPolicy: policy, deprovisionerPolicy: policy }]);
    const [create] = sent("CreateEntitlement");
    expect(create).toMatchObject({ provisionPolicy: policy });
    expect(create).not.toHaveProperty("deprovisionerPolicy");
    expect(sent("UpdateEntitlement")).toEqual([
      {
        entitlement: { deprovisionerPolicy: policy, durationUnset: {} },
        updateMask: "deprovisionerPolicy",
      },
    ]);
  });

  it("change and end under the other name", async () => {
    await apply(group, desk, member({ provisionPolicy: CALLS, durationGrant: "30d" }));
    await apply(group, desk, member({ provisionPolicy: BY_HAND, durationGrant: "30d" }));
    await apply(group, desk, member({ provisionPolicy: null, durationGrant: "30d" }));
    const kept = { durationGrant: "2592000s" };
    expect(sent("UpdateEntitlement")).toEqual([
      { entitlement: { provisionerPolicy: BY_HAND, ...kept }, updateMask: "provisionerPolicy" },
      { entitlement: { provisionerPolicy: { unconfigured: {} }, ...kept }, updateMask: "provisionerPolicy" },
    ]);
    expect(scene.made()).toMatchObject([{ provisionerPolicy: { unconfigured: {} }, ...kept }]);
  });

  it("lock the entitlement in the wrapper and beside it", async () => {
    await apply(group, member({}));
    await apply(group, member({ overrideAccessRequestsDefaults: true }));
    expect(sent("UpdateEntitlement")).toEqual([
      {
        entitlement: { overrideAccessRequestsDefaults: true, durationUnset: {} },
        updateMask: "overrideAccessRequestsDefaults",
        overrideAccessRequestsDefaults: true,
      },
    ]);
  });

  it("are read as they are, and a delegation that rests on a binding stays out of manifests", async () => {
    await apply(group, member({ provisionPolicy: BY_HAND }));
    const [row] = scene.made();
    const put = (provisionerPolicy: object) =>
      scene.sandbox.store.entitlements.put(String(row?.appId), String(row?.id), {
        ...row,
        provisionerPolicy,
      } as never);
    put({ manual: { instructions: "Other" } });
    expect(await scene.remit(2, "plan", "--refresh-only", "--detailed-exitcode")).toContain("Other");
    put({ delegated: { appId: C1_APP_ID, entitlementId: "2fsgTvxP0DVTsNXEUBI7hOe0l5X", implicit: false } });
    await scene.remit(2, "plan", "--refresh-only", "--detailed-exitcode");
    scene.project.write([group, desk]);
    await scene.remit(0, "state", "forget", "Entitlement/eng-member");
    await scene.remit(0, "import");
    await scene.remit(0, "plan");
    const imported = join(scene.project.cwd, "manifests", "entitlement", "member.yaml");
    expect(readFileSync(imported, "utf8")).toContain("Left out: provisionPolicy");
    rmSync(imported);
    const delegated = { appId: C1_APP_ID, entitlementId: "2fsgTvxP0DVTsNXEUBI7hOe0l5X" };
    const id = String(row?.id);
    scene.project.write([group, member({ id, provisionPolicy: { delegated } })]);
    await scene.remit(0, "apply", "--yes");
    expect(scene.made()).toMatchObject([
      { provisionerPolicy: { delegated: { ...delegated, implicit: true } } },
    ]);
    await scene.remit(0, "plan", "--detailed-exitcode");
  });

  it.each(["CreateWebhook", "CreateEntitlement", "UpdateEntitlement"])(
    "are the same after the reply to %s was lost",
    async (operation) => {
      scene.disturb(operation, { fault: "lost" });
      await apply(group, desk, member({ provisionPolicy: CALLS, deprovisionerPolicy: BY_HAND }));
      expect(scene.made()).toMatchObject([
        { provisionerPolicy: { webhook: { webhookId: webhookId() } }, deprovisionerPolicy: BY_HAND },
      ]);
      expect(scene.made()).toHaveLength(1);
    },
  );

  it.each(["the same effect", "plan.json", "rest.json"])(
    "continue with %s after what a create does not take was refused",
    async (by) => {
      scene.project.write([
        group,
        desk,
        member({ deprovisionerPolicy: CALLS }),
        ruleNamed("eng", "eng-member"),
      ]);
      const effect = await scene.plannedEffect();
      scene.disturb("UpdateEntitlement", { fault: "error", status: 403 });
      const given = by.endsWith(".json") ? ["plan.json"] : ["--yes", "--expect", effect];
      await scene.remit(3, "apply", ...given, "--out-remaining", "rest.json");
      await scene.remit(0, "apply", ...(by.endsWith(".json") ? [by] : given));
      await scene.remit(0, "plan", "--detailed-exitcode");
      expect(scene.made()).toMatchObject([{ deprovisionerPolicy: { webhook: { webhookId: webhookId() } } }]);
      expect(sent("CreateEntitlement")).toHaveLength(1);
    },
  );

  it("may stand in a type that the same apply creates", async () => {
    const type: Manifest = {
      kind: "ResourceType",
      name: "team",
      spec: { appId: C1_APP_ID, displayName: "Team", resourceType: "CUSTOM" },
    };
    const own = { appResourceTypeId: { manifest: "team" } };
    scene.project.write([member(own), resourceNamed("eng", "Engineering", own), type]);
    const isNew = ["--acknowledge", "unknown-current=ResourceType/team"];
    expect(await scene.remit(0, "plan", ...isNew)).toContain("‹id of ResourceType/team›");
    await scene.remit(0, "apply", "--yes", ...isNew);
    await scene.remit(0, "plan", "--detailed-exitcode");
    const [made] = scene.sandbox.store.resourceTypes
      .all()
      .filter(({ displayName }) => displayName === "Team");
    expect(scene.made()).toMatchObject([{ appResourceTypeId: made?.id }]);
  });
});
