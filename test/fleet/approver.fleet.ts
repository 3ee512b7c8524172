import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Json, JsonObject } from "../../src/model/json.js";
import { giveSecret, makeScene, namespace, type Scene } from "./scene.js";
import { pathOf } from "./stand/api.js";
import { applyObjects, ended, endOf, podsOf, startJob } from "./stand/objects.js";
import { IMAGES } from "./stand/start.js";

const NAMESPACE = "remit-approvals";
const APPROVER = "approver";
const STRATEGIC = "application/json-patch+json";
const CONTAINER = "/spec/template/spec/containers/0";
const NONE = `sha256:${"0".repeat(64)}`;
/** A token that says who a pod is, as the first source of its last volume. */
const IDENTITY = "/spec/template/spec/volumes/2/projected/sources/0/serviceAccountToken/audience";

/** Changes of a suspended Job: where, and to what. */
const CHANGES: readonly (readonly [path: string, value: Json])[] = [
  [`${CONTAINER}/command`, ["sh", "-c", "env"]],
  [`${CONTAINER}/command/4`, NONE],
  [`${CONTAINER}/args`, ["--acknowledge", "nobody"]],
  [`${CONTAINER}/image`, "remit:other"],
  [`${CONTAINER}/workingDir`, "/tmp"],
  [`${CONTAINER}/env/-`, { name: "NODE_OPTIONS", value: "--require=/tmp/x.js" }],
  [`${CONTAINER}/env/0/value`, "/project"],
  [`${CONTAINER}/envFrom`, [{ secretRef: { name: "other" } }]],
  [`${CONTAINER}/lifecycle`, { preStop: { exec: { command: ["sh"] } } }],
  [`${CONTAINER}/securityContext/readOnlyRootFilesystem`, false],
  [`${CONTAINER}/resources/limits/memory`, "64Mi"],
  [`${CONTAINER}/terminationMessagePath`, "/tmp/x"],
  ["/spec/template/spec/containers/-", { name: "more", image: "remit:other" }],
  ["/spec/template/spec/initContainers/0/image", "remit:other"],
  ["/spec/template/spec/initContainers/0/command", ["sh"]],
  ["/spec/template/spec/serviceAccountName", "default"],
  ["/spec/template/spec/automountServiceAccountToken", true],
  [IDENTITY, "https://other.example"],
  ["/spec/template/spec/volumes/-", { name: "more", secret: { secretName: "other" } }],
  ["/spec/template/spec/hostAliases", [{ ip: "127.0.0.1", hostnames: ["other.example"] }]],
  ["/spec/template/spec/nodeName", "other"],
  ["/spec/template/spec/nodeSelector", { "kubernetes.io/hostname": "other" }],
  ["/spec/template/spec/tolerations", [{ operator: "Exists" }]],
  ["/spec/template/spec/schedulingGates", [{ name: "later" }]],
  [
    "/spec/template/metadata/annotations",
    { "container.apparmor.security.beta.kubernetes.io/remit": "unconfined" },
  ],
  ["/spec/template/metadata/labels/remit~1context", "other"],
  ["/spec/activeDeadlineSeconds", 86_400],
  ["/spec/backoffLimit", 100],
  ["/spec/completions", 2],
  ["/spec/parallelism", 2],
  ["/spec/ttlSecondsAfterFinished", 1],
  ["/spec/podFailurePolicy", { rules: [] }],
  ["/spec/podReplacementPolicy", "TerminatingOrFailed"],
  ["/spec/manualSelector", true],
];

/** What else an approver may not ask for. */
const REQUESTS: readonly (readonly [method: string, path: string])[] = [
  ["POST", pathOf("Job", NAMESPACE)],
  ["DELETE", pathOf("Job", NAMESPACE, "JOB")],
  ["PUT", pathOf("Job", NAMESPACE, "JOB")],
  ["PATCH", `${pathOf("Job", NAMESPACE, "JOB")}/status`],
  ["POST", pathOf("Pod", NAMESPACE)],
  ["GET", pathOf("Secret", NAMESPACE)],
  ["GET", pathOf("Secret", NAMESPACE, "remit-apply-a1")],
  ["POST", `${pathOf("ServiceAccount", NAMESPACE, "remit-apply-a1")}/token`],
  ["PATCH", pathOf("Job", "default", "JOB")],
  ["PATCH", pathOf("ValidatingAdmissionPolicy", undefined, `remit-approver-${NAMESPACE}`)],
  ["PATCH", pathOf("Role", NAMESPACE, "remit-approver")],
];

let scene: Scene;
let right: string;
let wrong: string;

beforeAll(async () => {
  scene = await makeScene([{ name: "a1" }, { name: "a2" }]);
  const { api } = scene;
  const effects = ["--expect", `a1=${await scene.effect("a1")}`, "--expect", `a2=${NONE}`];
  const given = ["--apply", "--namespace", NAMESPACE, "--image", IMAGES.remit, ...effects];
  const objects = await scene.objects(given);
  expect(await applyObjects(api, [namespace(NAMESPACE), ...objects, binding()])).toEqual([]);
  for (const name of ["a1", "a2"]) await giveSecret(api, NAMESPACE, `remit-apply-${name}`);
  [right = "", wrong = ""] = objects
    .filter(({ kind }) => kind === "Job")
    .map(({ metadata }) => metadata.name);
  await inForce();
});
afterAll(() => scene?.close());

describe("an approver", () => {
  it.each(["approver", "admin"])("changes nothing of a suspended Job, as %s", async (as) => {
    const { api } = scene;
    const path = pathOf("Job", NAMESPACE, right);
    const before = await api.get(path);
    const taken: string[] = [];
    for (const [at, value] of CHANGES) {
      for (const op of ["add", "replace"]) {
        const body: Json = [
          { op: "replace", path: "/spec/suspend", value: false },
          { op, path: at, value },
        ];
        const who = as === "admin" ? {} : { as: APPROVER };
        const { status } = await api.ask("PATCH", path, { body, type: STRATEGIC, ...who });
        if (status < 300) taken.push(`${op} ${at}`);
      }
    }
    expect(taken).toEqual([]);
    expect((await api.get(path)).spec).toEqual(before.spec);
  });

  it.each(REQUESTS)("may not %s %s", async (method, path) => {
    const body = method === "GET" ? {} : { body: {} };
    const asked = { as: APPROVER, type: "application/merge-patch+json", ...body };
    const { status, body: said } = await scene.api.ask(method, path.replace("JOB", right), asked);
    expect([status, said.reason]).toEqual([403, "Forbidden"]);
  });

  it("starts a Job, and cannot suspend it again", async () => {
    const { api, tenants } = scene;
    expect((await startJob(api, NAMESPACE, right, APPROVER)).status).toBe(200);
    const body = { spec: { suspend: true } };
    const path = pathOf("Job", NAMESPACE, right);
    const again = await api.ask("PATCH", path, { body, type: "application/merge-patch+json", as: APPROVER });
    expect(again.body.message).toContain("A Job of remit that was started cannot be suspended: delete it.");
    const [job] = await ended(api, NAMESPACE, 1);
    expect(job && endOf(job)?.type).toBe("Complete");
    expect(writesOf(tenants.get("a1"))).toBeGreaterThan(0);
  });

  it("starts a Job with another effect, which applies nothing", async () => {
    const { api, tenants } = scene;
    await startJob(api, NAMESPACE, wrong, APPROVER);
    const [job] = await ended(api, NAMESPACE, 1, ({ metadata }) => metadata.name === wrong);
    expect(job && endOf(job)?.message).toMatch(/failed with exit code 4 matching FailJob rule/);
    expect(writesOf(tenants.get("a2"))).toBe(0);
    const pods = await podsOf(api, NAMESPACE, wrong);
    expect(pods.map(({ code }) => code)).toEqual([4]);
  });
});

function writesOf(sandbox: ReturnType<Scene["tenants"]["get"]>): number {
  return sandbox?.log.entries({}).filter(({ written }) => written).length ?? 0;
}

function binding() {
  const metadata = { name: "approvers", namespace: NAMESPACE };
  const roleRef: JsonObject = { apiGroup: "rbac.authorization.k8s.io", kind: "Role", name: "remit-approver" };
  const subjects = [{ apiGroup: "rbac.authorization.k8s.io", kind: "User", name: APPROVER }];
  return { apiVersion: "rbac.authorization.k8s.io/v1", kind: "RoleBinding", metadata, roleRef, subjects };
}

/** Waits until the policy is in force: an API server reads new ones within seconds. */
async function inForce(): Promise<void> {
  const body = { spec: { parallelism: 2 } };
  const path = `${pathOf("Job", NAMESPACE, wrong)}?dryRun=All`;
  const asked = { body, type: "application/merge-patch+json" };
  while ((await scene.api.ask("PATCH", path, asked)).status !== 422) await pause(500);
}
