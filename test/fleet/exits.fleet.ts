import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { JsonObject } from "../../src/model/json.js";
import { giveSecret, makeScene, namespace, type Scene, SECRET } from "./scene.js";
import { pathOf } from "./stand/api.js";
import { applyObjects, ended, endOf, podsOf } from "./stand/objects.js";
import { IMAGES } from "./stand/start.js";

/** Contexts whose runs are not done, and the code of each. */
const OTHERS = { drifted: 2, refused: 4, invalid: 5, outage: 1, stranger: 5 } as const;
const PLANS = "remit-exits";
const IMAGE = ["--image", IMAGES.remit];
/** So many attempts are made after one that may have been an outage. */
const MORE = 2;
let scene: Scene;

beforeAll(async () => {
  scene = await makeScene([
    { name: "drifted" },
    { name: "refused", settings: { state: "git:origin#refused" } },
    { name: "invalid" },
    { name: "outage" },
    { name: "stranger", trusts: "drifted" },
  ]);
  expect(await applyObjects(scene.api, [namespace(PLANS)])).toEqual([]);
  for (const name of Object.keys(OTHERS)) {
    const { REMIT_CLIENT_ID: _, ...withoutClient } = SECRET;
    await giveSecret(scene.api, PLANS, `remit-plan-${name}`, name === "invalid" ? withoutClient : SECRET);
  }
});
afterAll(() => scene?.close());

describe("a run that is not done", () => {
  it("ends its Job with its code in the condition, and only an outage is tried again", async () => {
    const { api, objects, tenants } = scene;
    await tenants.get("outage")?.close();
    const applied = await scene.remit([
      ...["apply", "--yes", "--context", "drifted"],
      ...["--settings-from", "HEAD"],
    ]);
    expect(applied.code).toBe(0);
    await scene.applyElsewhere("drifted", 2);
    await scene.applyElsewhere("invalid", 1, "refused");
    const fleet = await objects(["--namespace", PLANS, ...IMAGE]);
    const names = Object.keys(OTHERS).map((name) => `remit-plan-${name}`);
    expect(await applyObjects(api, fleet)).toEqual([]);
    for (const { kind, metadata } of fleet) if (kind === "CronJob") await startNow(metadata.name);
    const done = await ended(api, PLANS, names.length);
    for (const [name, code] of Object.entries(OTHERS)) {
      const job = done.find(({ metadata }) => metadata.name === `remit-plan-${name}`);
      const end = job === undefined ? null : endOf(job);
      const codes = (await podsOf(api, PLANS, `remit-plan-${name}`)).map(({ code }) => code);
      const isOutage = code === 1;
      expect(codes).toEqual(Array.from({ length: isOutage ? 1 + MORE : 1 }, () => code));
      expect(end?.type).toBe("Failed");
      if (!isOutage)
        expect(end?.message).toMatch(new RegExp(`failed with exit code ${code} matching FailJob rule`));
    }
  });

  it("reads nothing of a tenant that trusts another context's account", () => {
    const entries = scene.tenants.get("stranger")?.log.entries({}) ?? [];
    expect(entries.length).toBeGreaterThan(0);
    expect(entries.filter(({ status }) => status !== null && status < 400)).toEqual([]);
  });
});

/** Starts the job of a schedule at once, as `kubectl create job --from` does. */
async function startNow(name: string): Promise<void> {
  const { spec } = await scene.api.get(pathOf("CronJob", PLANS, name));
  const { jobTemplate } = spec as { readonly jobTemplate: JsonObject };
  const job = { ...jobTemplate, apiVersion: "batch/v1", kind: "Job", metadata: { name } };
  await scene.api.send("POST", pathOf("Job", PLANS), job);
}
