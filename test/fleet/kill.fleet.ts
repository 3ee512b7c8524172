import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { missingS3, type S3Server, startS3 } from "../fakes/s3.js";
import { auditCreates, auditTenant } from "../journeys/kill/audit.js";
import { type Context, giveSecret, makeScene, namespace, type Scene } from "./scene.js";
import { knownCluster, pathOf } from "./stand/api.js";
import { applyObjects, ended, endOf, podsOf, startJob } from "./stand/objects.js";
import { IMAGES } from "./stand/start.js";

const NAMESPACE = "remit-kills";
/** After how many writes a pod is killed, or, as on a node that is drained, asked to end. */
const MOMENTS = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10];
const OBJECTS = 16;
let scene: Scene;
let bucket: S3Server | undefined;
/** What happens when a tenant was written to. */
const heard = new Map<string, () => void>();

beforeAll(async () => {
  if (missingS3() === null) bucket = await startS3();
  const stores = ["git:", ...(bucket === undefined ? [] : [`s3://${await bucket.bucket()}`])];
  const contexts = stores.flatMap((store) =>
    MOMENTS.map((moment): Context => {
      const name = `${store.slice(0, 2) === "s3" ? "s3" : "git"}-${moment}`;
      const at = `${store}/${name}?region=${bucket?.region}&endpoint=${bucket?.url}`;
      const state = store === "git:" ? store : at;
      return { name, settings: { state }, onWrite: () => heard.get(name)?.() };
    }),
  );
  scene = await makeScene(contexts, OBJECTS);
  expect(await applyObjects(scene.api, [namespace(NAMESPACE)])).toEqual([]);
});
afterAll(async () => {
  await scene?.close();
  await bucket?.close();
});

/** Every second pod is asked first, and keeps what it did. */
function endingOf(moment: number): { readonly signal: NodeJS.Signals; readonly code: number } {
  return moment % 2 === 0 ? { signal: "SIGTERM", code: 143 } : { signal: "SIGKILL", code: 137 };
}

describe("the pod of an apply that is killed or drained", () => {
  it("is followed by one that ends the work, and nothing is done twice", async () => {
    const { api, tenants, many } = scene;
    const names = [...tenants.keys()];
    const effects: string[] = [];
    for (const name of names) effects.push("--expect", `${name}=${await scene.effect(name)}`);
    const merged = ["--merged-at", new Date(Date.now() - 60_000).toISOString()];
    const given = ["--apply", "--namespace", NAMESPACE, "--image", IMAGES.hasty, ...effects, ...merged];
    const objects = await scene.objects(given);
    expect(await applyObjects(api, objects)).toEqual([]);
    for (const name of names) await giveSecret(api, NAMESPACE, `remit-apply-${name}`);
    const killed = new Set<string>();
    for (const name of names) killAt(name, Number(name.split("-")[1]), killed);
    const jobs = objects.filter(({ kind }) => kind === "Job").map(({ metadata }) => metadata.name);
    for (const job of jobs) await startJob(api, NAMESPACE, job);
    const done = await ended(api, NAMESPACE, jobs.length);
    expect([...killed].sort()).toEqual([...names].sort());
    const ends = done.map((job) => [job.metadata.name, endOf(job)?.message]);
    expect(ends.filter(([, message]) => !message?.startsWith("Reached expected number"))).toEqual([]);
    for (const { metadata } of done) {
      const codes = (await podsOf(api, NAMESPACE, metadata.name)).map(({ code }) => code);
      const { code } = endingOf(Number(metadata.name.split("-").at(-2)));
      expect([metadata.name, ...codes.sort()]).toEqual([metadata.name, 0, code]);
    }
    for (const [name, sandbox] of tenants) {
      const faults = [...auditCreates(sandbox), ...auditTenant(many.wanted(1), sandbox)];
      expect([name, ...faults]).toEqual([name]);
    }
  });
});

/** Kills the pod of a context once, when its tenant was written to so many times. */
function killAt(name: string, writes: number, killed: Set<string>): void {
  let count = 0;
  heard.set(name, () => {
    count += 1;
    if (count !== writes) return;
    void kill(name).then((isKilled) => isKilled && killed.add(name));
  });
}

async function kill(name: string): Promise<boolean> {
  const selector = encodeURIComponent(`remit/context=${name}`);
  const list = await scene.api.get(`${pathOf("Pod", NAMESPACE)}?labelSelector=${selector}`);
  const [pod] = list.items as unknown as readonly { readonly metadata: { readonly uid: string } }[];
  if (pod === undefined) return false;
  const file = join(knownCluster().folder, "pods", pod.metadata.uid, "pid");
  return process.kill(-Number(readFileSync(file, "utf8")), endingOf(Number(name.split("-")[1])).signal);
}
