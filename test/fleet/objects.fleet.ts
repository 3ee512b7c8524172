import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import type { JsonObject } from "../../src/model/json.js";
import { makeScene, namespace, type Scene } from "./scene.js";
import { type KubeObject, pathOf } from "./stand/api.js";
import { applyObjects, changedObjects, ended, podsOf } from "./stand/objects.js";
import { IMAGES } from "./stand/start.js";

const MANY = 300;
const NAMESPACE = "many";
/** The longest name that a context can have: that of its CronJob has 51 characters, and 52 are allowed. */
const LONGEST = "c".repeat(40);
let scene: Scene;

beforeAll(async () => {
  const names = [LONGEST, ...Array.from({ length: MANY - 1 }, (_, at) => `t${at + 1}`)];
  scene = await makeScene(names.map((name) => ({ name, settings: { server: `https://${name}.example` } })));
  expect(await applyObjects(scene.api, [namespace(NAMESPACE)])).toEqual([]);
});
afterAll(() => scene?.close());

describe("the objects of 300 contexts", () => {
  it("are taken as they are, and at most 8 plans start in a minute", async () => {
    const { api, objects } = scene;
    const fleet = await objects(["--namespace", NAMESPACE, "--image", IMAGES.remit]);
    expect(await applyObjects(api, fleet)).toEqual([]);
    expect(await changedObjects(api, fleet)).toEqual([]);
    const { items } = await api.get(pathOf("CronJob", NAMESPACE));
    const schedules = (items as readonly { readonly spec: JsonObject }[]).map(({ spec }) =>
      String(spec.schedule),
    );
    expect(schedules).toHaveLength(MANY);
    const inMinute = new Map<string, number>();
    for (const schedule of schedules) inMinute.set(schedule, (inMinute.get(schedule) ?? 0) + 1);
    expect(Math.max(...inMinute.values())).toBeLessThanOrEqual(8);
    for (const schedule of schedules) expect(schedule).toMatch(/^\d{1,2} [1-4] \* \* \*$/);
  });

  it("have a pod without capabilities, which writes its temporary folder and its checkout alone", async () => {
    const { api, objects } = scene;
    const fleet = await objects(["--namespace", NAMESPACE, "--image", IMAGES.remit, "--source", "image"]);
    const job = probe(fleet.find(({ kind }) => kind === "CronJob"));
    expect(await applyObjects(api, [job])).toEqual([]);
    await ended(api, NAMESPACE, 1);
    const [pod] = await podsOf(api, NAMESPACE, job.metadata.name);
    expect(pod?.message.split("\n")).toEqual([
      "10001 10001",
      ...["CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb"].map((set) => `${set}:\t0000000000000000`),
      "NoNewPrivs:\t1",
      "/tmp/x",
      "/project/.remit/x",
      "",
    ]);
  });
});

describe("the waves of docs/fleet.md", () => {
  it("are a job that is taken as it is", async () => {
    const text = readFileSync(join(import.meta.dirname, "../../docs/fleet.md"), "utf8");
    const blocks = [...text.matchAll(/^```yaml\n(.*?)^```/gms)].map(([, block = ""]) => parse(block));
    const waves = blocks.filter((block): block is KubeObject => block.kind === "Job");
    expect(waves).toHaveLength(1);
    const spaces = waves.map(({ metadata }) => namespace(metadata.namespace ?? ""));
    expect(await applyObjects(scene.api, [...spaces, ...waves])).toEqual([]);
    expect(await changedObjects(scene.api, waves)).toEqual([]);
  });
});

/** Says who it is, which rights it has, and where it can write. */
const PROBE = `{ echo "$(id -u) $(id -G)"; grep -E '^(Cap|NoNewPrivs)' /proc/self/status
for folder in / /tmp /project /project/.remit /opt /opt/bin /usr /etc /dev /proc /var /var/run/remit/identity; do
  if echo x > "$folder/x"; then echo "$folder/x"; fi 2> /dev/null
done; } > /dev/termination-log`;

/** A job with the pod of a schedule, whose command is another. */
function probe(schedule: KubeObject | undefined): KubeObject {
  const { spec } = schedule as unknown as {
    readonly spec: { readonly jobTemplate: { readonly spec: PodOfJob } };
  };
  const { template, ...rest } = spec.jobTemplate.spec;
  const [container] = template.spec.containers;
  const containers = [{ ...container, command: ["sh", "-c", PROBE] }];
  return {
    apiVersion: "batch/v1",
    kind: "Job",
    metadata: { name: "probe", namespace: NAMESPACE },
    spec: { ...rest, template: { ...template, spec: { ...template.spec, containers } } },
  };
}

interface PodOfJob extends JsonObject {
  readonly template: JsonObject & {
    readonly spec: JsonObject & { readonly containers: readonly JsonObject[] };
  };
}
