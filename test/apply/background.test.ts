import { expect, it } from "vitest";
import type { JsonObject } from "../../src/model/json.js";
import { automation, type Scene, setScene } from "./scene.js";

/** What the state keeps of an object beside what was applied: its file, and its fields as they were before. */

const FIRST = { displayName: "automation 1", cel: { expression: "true" } };
const told = (more: JsonObject = {}) => automation(1, more);

async function entryOf({ snapshot }: Scene) {
  const [entry] = Object.values((await snapshot()).entries);
  return entry;
}

/** An automation with a description that remit does not manage. */
async function managed(): Promise<Scene> {
  const scene = await setScene();
  await scene.apply(await scene.plan([told()]));
  for (const row of scene.sandbox.store.automations.all()) {
    scene.sandbox.store.automations.put(row.appId, row.appEntitlementId, { ...row, description: "By hand." });
  }
  return scene;
}

it("has the file of the manifest, and nothing from before where remit created the object", async () => {
  const entry = await entryOf(await managed());
  expect(entry).toMatchObject({ file: "manifests.yaml", applied: FIRST });
  expect(entry).not.toHaveProperty("original");
});

it("has a field as it was before remit first managed it, also after more updates", async () => {
  const scene = await managed();
  await scene.apply(await scene.plan([told({ description: "One" })]));
  expect((await entryOf(scene))?.original).toEqual({ description: "By hand." });
  await scene.apply(await scene.plan([told({ description: "Two" })]));
  expect((await entryOf(scene))?.original).toEqual({ description: "By hand." });
});

it("says nothing more of a field that was given back, and starts again when it is managed again", async () => {
  const scene = await managed();
  await scene.apply(await scene.plan([told({ description: "One" })]));
  await scene.apply(await scene.plan([told()]));
  expect(await entryOf(scene)).not.toHaveProperty("original");
  await scene.apply(await scene.plan([told({ description: "Two" })]));
  expect((await entryOf(scene))?.original).toEqual({ description: "One" });
});

it("says that a field was not set", async () => {
  const scene = await setScene();
  await scene.apply(await scene.plan([told()]));
  await scene.apply(await scene.plan([told({ description: "One" })]));
  expect((await entryOf(scene))?.original).toEqual({ description: null });
});

it("is known after a run that was cut off", async () => {
  for (let place = 0; ; place += 1) {
    const scene = await managed();
    const isCut = await scene.wreck(await scene.plan([told({ description: "One" })]), place, "after");
    if (!isCut) break;
    await scene.recover();
    await scene.apply(await scene.plan([told({ description: "One" })]));
    expect((await entryOf(scene))?.original, `cut off after event ${place}`).toEqual({
      description: "By hand.",
    });
  }
});

it("does not know what was never read", async () => {
  const scene = await setScene({ on: "core" });
  await scene.apply(await scene.plan([told()]));
  await scene.apply(await scene.plan([told({ description: "One" })]));
  expect(await entryOf(scene)).not.toHaveProperty("original");
});
