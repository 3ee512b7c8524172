import { describe, expect, it } from "vitest";
import { plan } from "../../src/apply/preview.js";
import { apply } from "../../src/apply/run.js";
import type { Mode } from "../../src/plan/plan.js";
import type { Removal } from "../../src/plan/removed/decision.js";
import { writePlan } from "../../src/plan/saved/effect.js";
import { readSavedPlan } from "../../src/plan/saved/read.js";
import { deedOf } from "../../src/plan/step.js";
import { line } from "../plan/worlds.js";
import type { RequestFields } from "./request.js";
import { automation, type SessionScene, sessionScene } from "./sessionScene.js";

const APP = "2fsgTvxP0DVTsNXEUBI7hOe0l5A";
const MODE: Mode = {
  offline: false,
  refreshOnly: false,
  prune: false,
  cascade: [],
  targets: [],
  selector: null,
};
const keyOf = (number: number) => `${APP}/entitlement000000000000000${number}`;
const group = (number: number, more = "") =>
  `${automation("group", 'subject.department == "Support"', number)}${more}---\n`;
const GROUP = "EntitlementAutomation/group";
const OLD = `${GROUP}@${keyOf(1)}`;

async function begin() {
  const scene = await sessionScene();
  await applied(scene, group(1));
  return scene;
}

async function applied(scene: SessionScene, text: string, more: RequestFields = {}) {
  const result = await apply(scene.order(scene.request(text, more)), scene.session);
  const left = result.as === "applied" ? result.summary.outcomes : null;
  return [result.as, left?.failed ?? 0, left?.refused ?? 0, left?.skipped ?? 0];
}

async function lines(scene: SessionScene, text: string, more: RequestFields = {}) {
  const { value, diagnostics } = await plan(scene.request(text, more), scene.session);
  expect(diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
  return value?.steps.map((step) => `${line(step)}${step.replaces === null ? "" : ` (${deedOf(step)})`}`);
}

const kept = ({ contents }: SessionScene) => Object.keys(contents.snapshot?.entries ?? {}).sort();
const inTenant = ({ sandbox }: SessionScene) =>
  [1, 2, 3].filter((number) => {
    const row = sandbox.store.automations.get(APP, `entitlement000000000000000${number}`);
    return row !== undefined && (row.deletedAt ?? null) === null;
  });
const places = (...numbers: readonly number[]) =>
  numbers.map((number) => `EntitlementAutomation:${keyOf(number)}`);

describe("a manifest whose key changes", () => {
  it("replaces the object, and the old one is removed until someone decides", async () => {
    const scene = await begin();
    expect(await lines(scene, group(2))).toEqual([
      `replace ${GROUP}: not in tenant (create)`,
      `removed ${OLD}: replaced`,
    ]);
    expect(await applied(scene, group(2))).toEqual(["applied", 0, 0, 0]);
    expect([inTenant(scene), kept(scene)]).toEqual([[1, 2], places(1, 2)]);
    expect(await lines(scene, group(2))).toEqual([`keep ${GROUP}: in sync`, `removed ${OLD}: replaced`]);
    expect(await lines(scene, group(2), { mode: { ...MODE, prune: true } })).toEqual([
      `keep ${GROUP}: in sync`,
      `delete ${OLD}: replaced`,
    ]);
  });

  it("is the same with a target or a selection, and nothing is deleted by it", async () => {
    const scene = await begin();
    for (const mode of [{ targets: [GROUP] }, { selector: "!none" }]) {
      expect(await lines(scene, group(2), { mode: { ...MODE, ...mode, prune: true } })).toEqual([
        `replace ${GROUP}: not in tenant (create)`,
        `removed ${OLD}: replaced`,
      ]);
    }
    await applied(scene, group(2), { mode: { ...MODE, prune: true, targets: [GROUP] } });
    expect([inTenant(scene), kept(scene)]).toEqual([[1, 2], places(1, 2)]);
  });

  it("deletes the old object with --prune, once the new one is there", async () => {
    const scene = await begin();
    const { value } = await plan(scene.request(group(2), { mode: { ...MODE, prune: true } }), scene.session);
    expect(value?.steps[1]).toMatchObject({ action: "delete", needs: [{ name: "group" }] });
    scene.sandbox.faults.set({
      seed: 1,
      rules: [{ fault: "error", status: 403, operation: "CreateAutomation" }],
    });
    expect(await applied(scene, group(2), { mode: { ...MODE, prune: true } })).toEqual(["applied", 1, 0, 1]);
    expect([inTenant(scene), kept(scene)]).toEqual([[1], places(1)]);
    scene.sandbox.faults.set({ seed: 1, rules: [] });
    await applied(scene, group(2), { mode: { ...MODE, prune: true } });
    expect([inTenant(scene), kept(scene)]).toEqual([[2], places(2)]);
  });

  it("goes back: the object is managed again, and the other one is removed", async () => {
    const scene = await begin();
    await applied(scene, group(2));
    expect(await lines(scene, group(1))).toEqual([
      `replace ${GROUP}: managed again (adopt)`,
      `removed ${GROUP}@${keyOf(2)}: replaced`,
    ]);
    await applied(scene, group(1));
    expect(await lines(scene, group(1))).toEqual([
      `keep ${GROUP}: in sync`,
      `removed ${GROUP}@${keyOf(2)}: replaced`,
    ]);
    expect(kept(scene)).toEqual(places(1, 2));
  });

  it("may be replaced several times: no object is lost", async () => {
    const scene = await begin();
    await applied(scene, group(2));
    await applied(scene, group(3));
    expect(kept(scene)).toEqual(places(1, 2, 3));
    const rest = group(3).replace("{ name: group }", "{ name: other }");
    expect(await lines(scene, rest)).toEqual([
      "adopt EntitlementAutomation/other: renamed",
      `removed ${OLD}: manifest removed`,
      `removed ${GROUP}@${keyOf(2)}: manifest removed`,
    ]);
  });

  it("is only renamed where two manifests swap their objects", async () => {
    const scene = await sessionScene();
    const both = (one: number, two: number) =>
      [automation("a", "true", one), automation("b", "true", two)]
        .map((text) => text.replace(/displayName: \w+/, "displayName: same"))
        .join("---\n");
    await applied(scene, both(1, 2), {
      acknowledgements: [{ by: "flag", guard: "everyone", address: null }],
    });
    expect(await lines(scene, both(2, 1))).toEqual([
      "adopt EntitlementAutomation/a: renamed",
      "adopt EntitlementAutomation/b: renamed",
    ]);
    await applied(scene, both(2, 1));
    expect(await lines(scene, both(2, 1))).toEqual([
      "keep EntitlementAutomation/a: in sync",
      "keep EntitlementAutomation/b: in sync",
    ]);
  });

  it("is decided by an entry with a key, which also stops managing the old object", async () => {
    const scene = await begin();
    const removal: Removal = { address: GROUP, key: keyOf(1), decision: "forget", span: null };
    const removals = { decisions: [removal], isPruneStanding: false };
    expect(await lines(scene, group(2), { removals })).toEqual([
      `replace ${GROUP}: not in tenant (create)`,
      `forget ${OLD}: replaced`,
    ]);
    await applied(scene, group(2), { removals });
    expect([inTenant(scene), kept(scene)]).toEqual([[1, 2], places(2)]);
  });

  it("is planned offline, and by a saved plan", async () => {
    const scene = await begin();
    expect(await lines(scene, group(2), { mode: { ...MODE, offline: true } })).toEqual([
      `replace ${GROUP}: never applied (create)`,
      `removed ${OLD}: replaced`,
    ]);
    const { value } = await plan(scene.request(group(2)), scene.session);
    if (value === null) throw new Error("no plan");
    const saved = readSavedPlan(writePlan(value).text).value;
    expect(saved?.plan.steps[0]?.replaces).toEqual({ key: keyOf(1).split("/"), by: "create" });
    const order = scene.order(scene.request(group(2)), { plan: saved });
    expect((await apply(order, scene.session)).as).toBe("applied");
    expect([inTenant(scene), kept(scene)]).toEqual([[1, 2], places(1, 2)]);
  });

  it("keeps the protection of the old object", async () => {
    const scene = await sessionScene();
    const guarded = (number: number) =>
      group(number).replace("{ name", '{ annotations: { remit/protect: "true" }, name');
    await applied(scene, guarded(1));
    await applied(scene, guarded(2));
    const { value } = await plan(
      scene.request(guarded(2), { mode: { ...MODE, prune: true } }),
      scene.session,
    );
    expect(value?.findings).toMatchObject([{ guard: "protected", address: { name: `group@${keyOf(1)}` } }]);
  });

  it("records the drift of a former object under its own address", async () => {
    const scene = await begin();
    await applied(scene, group(2));
    const row = scene.sandbox.store.automations.get(APP, "entitlement0000000000000001");
    if (row === undefined) throw new Error("no row");
    scene.sandbox.store.automations.put(APP, row.appEntitlementId, { ...row, displayName: "By hand" });
    const refreshed = await applied(scene, group(2), { mode: { ...MODE, refreshOnly: true } });
    expect(refreshed).toEqual(["applied", 0, 0, 0]);
    expect(scene.contents.snapshot?.entries[places(1)[0] ?? ""]).toMatchObject({
      address: { name: "group" },
      former: true,
      drift: { displayName: "By hand" },
    });
  });
});
