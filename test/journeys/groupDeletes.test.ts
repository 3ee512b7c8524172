import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { JsonObject } from "../../src/model/json.js";
import { type GroupScene, memberNamed, openGroups, resourceNamed, ruleNamed } from "../fakes/groups.js";

/** Deletes of what has others under it: each is decided by its own entry, and the plan says what goes. */

const group = resourceNamed("eng", "Engineering");
const member = memberNamed("eng-member", "eng");
const rule = ruleNamed("eng", "eng-member");
const ALL = [group, member, rule];
const KEPT = { kind: "Webhook", name: "desk", spec: { displayName: "Desk", url: "https://a.example" } };
const WHOLE = {
  "Resource/eng": "delete",
  "Entitlement/eng-member": "delete",
  "EntitlementAutomation/eng": "delete",
} as const;

let scene: GroupScene;
beforeEach(async () => {
  scene = await openGroups();
  scene.project.write([...ALL, KEPT]);
  await scene.remit(0, "apply", "--yes", "--acknowledge", "nobody");
});
afterEach(() => scene.close());

const idOfMember = () => String(scene.made()[0]?.id);
const isThere = ({ deletedAt }: JsonObject) => deletedAt === undefined;
const left = () => scene.sandbox.store.resources.all().filter(isThere).length;

describe("a group without its manifests", () => {
  it("stays where only --prune is given, and each object says its line", async () => {
    scene.project.write([KEPT]);
    const said = await scene.remit(0, "apply", "--yes", "--prune");
    expect(said).toContain("add `{ address: Resource/eng, then: delete }` under `removed:`");
    expect(said).toContain("add `{ address: Entitlement/eng-member, then: delete }` under `removed:`");
    expect([left(), scene.made().length]).toEqual([1, 1]);
    expect(scene.sandbox.store.automations.all().filter(isThere)).toEqual([]);
    expect(await scene.remit(0, "plan", "--prune", "--cascade", "Resource/eng")).toContain("kept");
  });

  it("goes by one entry each, from what is under it up, and the plan counts what goes", async () => {
    scene.grant(idOfMember(), 12);
    scene.project.write([KEPT]);
    scene.decide(WHOLE);
    const said = await scene.remit(0, "plan", "--out", "plan.json", "--report", "html=plan.html");
    expect(said).toContain("deleted with it: 1 entitlement, 1 automation and 12 grants of 12 people");
    expect(said).toContain("deleted with it: 1 automation and 12 grants of 12 people");
    expect(said).toContain(
      "People: 12 lose access, no one gains it (1 rule, 2 deletes with access, of 12 users).",
    );
    expect(said).toContain("Engineering (0");
    const json = JSON.parse((await scene.run("plan", "--format", "json")).stdout);
    const resource = json.steps.find(({ address }: { address: string }) => address === "Resource/eng");
    expect(resource).toMatchObject({
      address: "Resource/eng",
      people: { holdings: { people: { low: 12 } } },
    });
    for (const text of [
      (await scene.run("plan", "--format", "markdown")).stdout,
      readFileSync(join(scene.project.cwd, "plan.html"), "utf8"),
    ])
      expect(text).toContain("12 grants of 12 people");
    await scene.remit(0, "apply", "plan.json");
    const sent = scene.sandbox.log.entries({ method: "DELETE" }).map(({ operation }) => operation);
    expect(sent).toEqual(["DeleteAutomation", "DeleteEntitlement", "DeleteResource"]);
    expect([left(), scene.made().length]).toEqual([0, 0]);
    await scene.remit(0, "plan", "--detailed-exitcode");
  });

  it("is blocked while an object of the state under it is not decided", async () => {
    scene.project.write([KEPT]);
    scene.decide({ "Resource/eng": "delete" });
    const said = await scene.remit(4, "plan");
    expect(said).toContain("Entitlement/eng-member is under it, and would be deleted with it");
    await scene.remit(3, "apply", "--yes");
    expect(left()).toBe(1);
    scene.decide({
      "Resource/eng": "delete",
      "Entitlement/eng-member": "forget",
      "EntitlementAutomation/eng": "forget",
    });
    await scene.remit(0, "apply", "--yes");
    expect([left(), scene.made().length]).toEqual([0, 0]);
  });

  it.each<[string, readonly (typeof group)[], string]>([
    [
      "by reference",
      [memberNamed("eng-member", "eng", { appResourceId: { name: "Engineering" } })],
      "eng-member",
    ],
    ["by id", [], "other"],
  ])("is blocked while a manifest names it %s, with both lines", async (_, manifests, name) => {
    const id = scene.sandbox.store.resources.all()[0]?.id ?? "";
    const own = memberNamed(name, "eng", { appResourceId: id });
    scene.project.write([...(manifests.length > 0 ? manifests : [own]), ruleNamed("eng", name)]);
    scene.decide({ "Resource/eng": "delete" });
    const { code, stdout } = await scene.run("plan", "--format", "json");
    expect(code).toBe(4);
    const { steps } = JSON.parse(stdout);
    const step = steps.find(({ address }: { address: string }) => address === "Resource/eng");
    expect(step.diagnostics).toContainEqual(
      expect.objectContaining({
        code: "plan/still-needed",
        span: expect.objectContaining({ file: "remit.yaml" }),
        related: [
          {
            message: `Entitlement/${name} is written here`,
            span: expect.objectContaining({ file: "manifests/all.yaml" }),
          },
        ],
      }),
    );
    await scene.run("apply", "--yes", "--acknowledge", "nobody");
    expect(left()).toBe(1);
    // A selection that leaves the manifest out changes nothing of that.
    await scene.remit(4, "plan", "--target", "Resource/eng");
  });

  it.each(["SearchEntitlements", "ListGrantsOfEntitlement"])(
    "is refused while %s does not say what goes",
    async (operation) => {
      scene.grant(idOfMember(), 3);
      scene.project.write([KEPT]);
      scene.decide(WHOLE);
      await scene.remit(0, "plan", "--out", "plan.json");
      scene.sandbox.faults.set({ seed: 1, rules: [{ fault: "error", status: 403, operation }] });
      expect(await scene.remit(4, "plan")).toContain("deletes-unknown Resource/eng");
      expect(await scene.remit(4, "plan", "--impact", "off")).toContain("`--impact off` counts no one");
      // What a saved plan says of it does not answer for it.
      expect(await scene.remit(4, "apply", "plan.json")).toContain("deletes-unknown");
      expect(scene.sandbox.log.count({ method: "DELETE" })).toBe(0);
    },
  );

  it("is refused as a saved plan where more goes with it now", async () => {
    scene.project.write([KEPT]);
    scene.decide(WHOLE);
    await scene.remit(0, "plan", "--out", "plan.json");
    scene.grant(idOfMember(), 1);
    expect(await scene.remit(4, "apply", "plan.json")).toContain("impact/grew");
    expect(scene.sandbox.log.count({ method: "DELETE" })).toBe(0);
  });

  it("is not deleted where a connector makes it", async () => {
    const [row] = scene.sandbox.store.resources.all();
    if (row === undefined) throw new Error("there is no resource");
    scene.sandbox.store.resources.put(row.appId, row.id, { ...row, externalId: "native" });
    scene.project.write([KEPT]);
    scene.decide(WHOLE);
    expect(await scene.remit(4, "plan")).toContain("people did not make this resource");
  });

  it("leaves nothing undone where the run ends between the calls", async () => {
    scene.project.write([KEPT]);
    scene.decide(WHOLE);
    const effect = await scene.plannedEffect();
    scene.disturb("DeleteEntitlement", { fault: "error", status: 403 });
    await scene.remit(3, "apply", "--yes", "--expect", effect);
    expect([left(), scene.made().length]).toEqual([1, 1]);
    await scene.remit(0, "apply", "--yes", "--expect", effect);
    expect([left(), scene.made().length]).toEqual([0, 0]);
    await scene.remit(0, "plan", "--detailed-exitcode");
  });
});
