import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { giveSecret, makeScene, type Scene } from "./scene.js";
import type { KubeObject } from "./stand/api.js";
import { applyObjects, changedObjects, ended, endOf, podsOf, startJob } from "./stand/objects.js";
import { IMAGES } from "./stand/start.js";

const NAMES = Array.from({ length: 20 }, (_, at) => `t${String(at + 1).padStart(2, "0")}`);
const IMAGE = ["--image", IMAGES.remit];
const [PLANS, APPLIES] = ["remit", "remit-apply"];
let scene: Scene;

beforeAll(async () => {
  scene = await makeScene(NAMES.map((name) => ({ name })));
  const namespaces = (await scene.surroundings()).flatMap((object) => [object, inNamespace(object, APPLIES)]);
  expect(await applyObjects(scene.api, namespaces)).toEqual([]);
  expect(await changedObjects(scene.api, namespaces)).toEqual([]);
  for (const name of NAMES) {
    await giveSecret(scene.api, PLANS, `remit-plan-${name}`);
    await giveSecret(scene.api, APPLIES, `remit-apply-${name}`);
  }
});
afterAll(() => scene?.close());

describe("20 tenants", () => {
  it("are applied by suspended Jobs, which an API server takes as they are", async () => {
    const { api, objects } = scene;
    const expected: string[] = [];
    for (const name of NAMES) expected.push("--expect", `${name}=${await scene.effect(name)}`);
    const applies = await objects(["--apply", ...expected, ...IMAGE]);
    expect(applies).toHaveLength(3 + 2 * NAMES.length);
    expect(await applyObjects(api, applies)).toEqual([]);
    expect(await changedObjects(api, applies)).toEqual([]);
    const jobs = applies.filter(({ kind }) => kind === "Job");
    for (const { metadata } of jobs) await startJob(api, APPLIES, metadata.name);
    const done = await ended(api, APPLIES, NAMES.length);
    expect(done.map(endOf).map((end) => end?.type)).toEqual(NAMES.map(() => "Complete"));
  });

  it("are planned at the minute of their schedules, and a pod keeps a summary without names", async () => {
    const { api, objects } = scene;
    const fleet = await objects(["--window", nextMinute(), ...IMAGE]);
    const asked = fleet.filter(({ metadata }) =>
      NAMES.some((name) => metadata.name === `remit-plan-${name}`),
    );
    expect(asked).toHaveLength(2 * NAMES.length);
    expect(await applyObjects(api, asked)).toEqual([]);
    expect(await changedObjects(api, asked)).toEqual([]);
    const done = await ended(api, PLANS, NAMES.length);
    expect(done.map(endOf).map((end) => end?.type)).toEqual(NAMES.map(() => "Complete"));
    for (const { metadata } of done) {
      const [pod, ...more] = await podsOf(api, PLANS, metadata.name);
      expect(more).toEqual([]);
      expect(pod?.code).toBe(0);
      const summary = JSON.parse(pod?.message ?? "");
      expect(summary).toMatchObject({ result: "plan", exitCode: 0, drift: 0 });
      expect(metadata.name).toContain(`remit-plan-${summary.context}-`);
      expect(pod?.message).not.toMatch(/Members|Group|Made|Type \d|Review/);
    }
  });
});

/** The window with the first minute that begins in 20 seconds or later. */
function nextMinute(): string {
  const text = (at: number) => new Date(at).toISOString().slice(11, 16);
  const start = Date.now() + 80_000;
  return `${text(start)}-${text(start + 60_000)}`;
}

/** The same object for another namespace. */
function inNamespace(object: KubeObject, name: string): KubeObject {
  const { metadata } = object;
  const where = object.kind === "Namespace" ? { name } : { namespace: name };
  return { ...object, metadata: { ...metadata, ...where } };
}
