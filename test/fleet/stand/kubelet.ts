import type { ChildProcess } from "node:child_process";
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { JsonObject } from "../../../src/model/json.js";
import { type Api, MERGE, pathOf } from "./api.js";
import { type Container, type Ended, runContainer } from "./container.js";
import { environmentOf, makeVolumes, type Pod, renewTokens } from "./volumes.js";

/** The only node. */
const NODE = "here";
const STRATEGIC = "application/strategic-merge-patch+json";
const ON_NODE = `/api/v1/pods?fieldSelector=spec.nodeName%3D${NODE}`;
/** So many pods run at once. */
const MOST = 3;
const BEAT = 10_000;
/** Tokens are renewed so often, so that every run has several. */
const ROTATION = 1_000;
const ROOM = { cpu: "1000", memory: "1000Gi", pods: "5000" };

/** A stand-in for a kubelet. */
export interface Kubelet {
  close(): Promise<void>;
}

/** The folder of an image below that of the cluster. */
export function imageFolder(folder: string, image: string): string {
  return join(folder, "images", encodeURIComponent(image));
}

/**
 * Runs the containers of each pod as processes of this machine, one after the other, with the user, the rights, the volumes
 * and the variables that the pod says. The number of a process stands in `pods/UID/pid`, for tests that kill it.
 */
export async function startKubelet(api: Api, folder: string): Promise<Kubelet> {
  const known = new Set<string>();
  const waiting: Pod[] = [];
  const children = new Map<string, ChildProcess>();
  const work = new Set<Promise<void>>();
  let isOpen = true;

  await register(api);
  const beats = setInterval(() => void beat(api).catch(() => undefined), BEAT);

  async function runPod(pod: Pod): Promise<void> {
    const at = join(folder, "pods", pod.metadata.uid);
    const began = instant();
    const say = (status: JsonObject) => sayStatus(api, pod, { startTime: began, ...status });
    const [main] = pod.spec.containers;
    const ended = ({ exitCode, message }: Ended): JsonObject => ({
      terminated: {
        exitCode,
        message,
        reason: exitCode === 0 ? "Completed" : "Error",
        startedAt: began,
        finishedAt: instant(),
      },
    });
    let rotation: NodeJS.Timeout | undefined;
    try {
      const volumes = join(at, "volumes");
      mkdirSync(volumes, { recursive: true });
      await makeVolumes(api, pod, volumes);
      rotation = setInterval(() => void renewTokens(api, pod, volumes).catch(() => undefined), ROTATION);
      for (const first of pod.spec.initContainers ?? []) {
        const end = await run(pod, first, at);
        if (end.exitCode === 0) continue;
        await say({ phase: "Failed", initContainerStatuses: [statusOf(first, ended(end))] });
        return;
      }
      await say({ phase: "Running", containerStatuses: [statusOf(main, { running: { startedAt: began } })] });
      const end = await run(pod, main, at);
      const phase = end.exitCode === 0 ? "Succeeded" : "Failed";
      await say({ phase, containerStatuses: [statusOf(main, ended(end))] });
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      await say({ phase: "Failed", containerStatuses: [statusOf(main, ended({ exitCode: 128, message }))] });
    } finally {
      clearInterval(rotation);
    }
  }

  async function run(pod: Pod, container: Container, at: string): Promise<Ended> {
    const image = imageFolder(folder, container.image);
    if (!existsSync(image)) throw new Error(`there is no image ${container.image}`);
    const env = { HOSTNAME: pod.metadata.name, ...(await environmentOf(api, pod, container)) };
    const security = pod.spec.securityContext ?? {};
    const { child, ended } = runContainer({ container, security, env, folder: at, image });
    children.set(pod.metadata.uid, child);
    if (container === pod.spec.containers[0]) writeFileSync(join(at, "pid"), String(child.pid));
    return await ended;
  }

  function startNext(): void {
    while (isOpen && work.size < MOST) {
      const pod = waiting.shift();
      if (pod === undefined) return;
      const running = runPod(pod).catch(() => undefined);
      work.add(running);
      void running.then(() => {
        work.delete(running);
        startNext();
      });
    }
  }

  function hear(type: unknown, pod: Pod): void {
    const { uid, name, namespace, deletionTimestamp } = pod.metadata;
    if (type === "DELETED") rmSync(join(folder, "pods", uid), { recursive: true, force: true });
    else if (deletionTimestamp !== undefined) {
      const gone = () =>
        api.ask("DELETE", `${pathOf("Pod", namespace, name)}?gracePeriodSeconds=0`).catch(() => undefined);
      const child = children.get(uid);
      if (child === undefined || hasEnded(child)) void gone();
      else {
        child.once("close", gone);
        end(child, "SIGTERM");
      }
    } else if (!known.has(uid) && pod.status.phase === "Pending") {
      known.add(uid);
      waiting.push(pod);
      startNext();
    }
  }

  async function watch(): Promise<void> {
    const list = await api.get(ON_NODE);
    for (const pod of list.items as unknown as readonly Pod[]) hear("ADDED", pod);
    const { resourceVersion } = list.metadata as JsonObject;
    const path = `${ON_NODE}&watch=true&timeoutSeconds=300&resourceVersion=${resourceVersion}`;
    const onLine = ({ type, object }: JsonObject) => {
      if (type !== "ERROR") hear(type, object as unknown as Pod);
    };
    await api.ask("GET", path, { onLine });
  }

  async function watchAlways(): Promise<void> {
    while (isOpen) await watch().catch(() => pause(500));
  }
  void watchAlways();

  return {
    async close() {
      isOpen = false;
      clearInterval(beats);
      for (const child of children.values()) end(child, "SIGKILL");
      await Promise.all(work);
    },
  };
}

function end(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined || hasEnded(child)) return;
  try {
    process.kill(-child.pid, signal);
  } catch {
    // It has ended.
  }
}

function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null;
}

async function register(api: Api): Promise<void> {
  const labels = { "kubernetes.io/hostname": NODE, "kubernetes.io/os": "linux" };
  await api.send("POST", "/api/v1/nodes", {
    apiVersion: "v1",
    kind: "Node",
    metadata: { name: NODE, labels },
  });
  const now = instant();
  const ready = {
    type: "Ready",
    status: "True",
    reason: "StandIn",
    message: "",
    lastHeartbeatTime: now,
    lastTransitionTime: now,
  };
  const status = { capacity: ROOM, allocatable: ROOM, conditions: [ready] };
  await api.send("PATCH", `/api/v1/nodes/${NODE}/status`, { status }, STRATEGIC);
  const leases = "/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases";
  for (let tries = 0; ; tries += 1) {
    const { status: code } = await api.ask("POST", leases, {
      body: {
        apiVersion: "coordination.k8s.io/v1",
        kind: "Lease",
        metadata: { name: NODE },
        spec: leaseNow(),
      },
    });
    if (code < 300) return;
    // The namespace comes with the first run of a controller.
    if (tries === 40) throw new Error("the node has no lease");
    await pause(250);
  }
}

async function beat(api: Api): Promise<void> {
  const lease = `/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases/${NODE}`;
  await api.send("PATCH", lease, { spec: leaseNow() }, MERGE);
}

function leaseNow(): JsonObject {
  const renewTime = new Date().toISOString().replace("Z", "000Z");
  return { holderIdentity: NODE, leaseDurationSeconds: 40, renewTime };
}

function instant(): string {
  return new Date().toISOString().replace(/\.\d+/, "");
}

async function sayStatus(api: Api, { metadata }: Pod, status: JsonObject): Promise<void> {
  await api
    .send("PATCH", `${pathOf("Pod", metadata.namespace, metadata.name)}/status`, { status }, STRATEGIC)
    .catch(() => undefined);
}

function statusOf({ name, image }: Container, state: JsonObject): JsonObject {
  const isRunning = "running" in state;
  return { name, image, imageID: "stand-in", restartCount: 0, ready: isRunning, started: isRunning, state };
}
