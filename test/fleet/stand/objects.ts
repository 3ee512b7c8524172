import { setTimeout as pause } from "node:timers/promises";
import type { JsonObject } from "../../../src/model/json.js";
import { type Answer, APPLY, type Api, type KubeObject, pathOf } from "./api.js";

/** Applies objects with strict validation, as `kubectl apply` does; gives what the API server refuses or warns of. */
export async function applyObjects(api: Api, objects: readonly KubeObject[]): Promise<readonly string[]> {
  const faults: string[] = [];
  for (const object of objects) {
    const { status, body, warnings } = await patch(api, object, "");
    const refused = status >= 300 ? [String(body.message)] : [];
    faults.push(
      ...[...refused, ...warnings].map((text) => `${object.kind}/${object.metadata.name}: ${text}`),
    );
  }
  return faults;
}

/** The objects that would change if they were applied again, as `kubectl diff` finds them. */
export async function changedObjects(api: Api, objects: readonly KubeObject[]): Promise<readonly string[]> {
  const changed: string[] = [];
  for (const object of objects) {
    const live = await api.get(pathOf(object.kind, object.metadata.namespace, object.metadata.name));
    const { body } = await patch(api, object, "&dryRun=All");
    if (compared(live) !== compared(body)) changed.push(`${object.kind}/${object.metadata.name}`);
  }
  return changed;
}

function patch(api: Api, object: KubeObject, more: string): Promise<Answer> {
  const path = pathOf(object.kind, object.metadata.namespace, object.metadata.name);
  return api.ask("PATCH", `${path}?fieldManager=remit&fieldValidation=Strict${more}`, {
    body: object,
    type: APPLY,
  });
}

/** An object without what tells who wrote it and how it goes. */
function compared({ metadata, status: _status, ...object }: JsonObject): string {
  const { managedFields: _managedFields, ...kept } = metadata as JsonObject;
  return JSON.stringify({ ...object, metadata: kept });
}

/** A Job as a test reads it. */
export interface Job {
  readonly metadata: { readonly name: string; readonly uid: string; readonly creationTimestamp: string };
  readonly spec: JsonObject & { readonly suspend?: boolean };
  readonly status: {
    readonly failed?: number;
    readonly succeeded?: number;
    readonly conditions?: readonly {
      readonly type: string;
      readonly status: string;
      readonly message: string;
    }[];
  };
}

/** How a pod ended. */
export interface EndedPod {
  readonly name: string;
  readonly code: number | null;
  readonly message: string;
}

/** The jobs of a namespace whose labels are so, or all. */
export async function jobsIn(api: Api, namespace: string, labels = ""): Promise<readonly Job[]> {
  const list = await api.get(`${pathOf("Job", namespace)}?labelSelector=${encodeURIComponent(labels)}`);
  return list.items as unknown as readonly Job[];
}

/** Waits until so many jobs are complete or have failed; gives them. */
export async function ended(
  api: Api,
  namespace: string,
  count: number,
  isAsked: (job: Job) => boolean = () => true,
): Promise<readonly Job[]> {
  for (;;) {
    const jobs = (await jobsIn(api, namespace)).filter((job) => isAsked(job) && endOf(job) !== null);
    if (jobs.length >= count) return jobs;
    await pause(500);
  }
}

/** How a job ended, and what its condition says of it; null while it runs. */
export function endOf({ status }: Job): { readonly type: string; readonly message: string } | null {
  return (
    status.conditions?.find(({ type, status }) => status === "True" && /^(Complete|Failed)$/.test(type)) ??
    null
  );
}

/** How each pod of a job ended. */
export async function podsOf(api: Api, namespace: string, job: string): Promise<readonly EndedPod[]> {
  const selector = encodeURIComponent(`batch.kubernetes.io/job-name=${job}`);
  const list = await api.get(`${pathOf("Pod", namespace)}?labelSelector=${selector}`);
  return (list.items as unknown as readonly PodStatus[]).map(({ metadata, status }) => {
    const { containerStatuses = [], initContainerStatuses = [] } = status;
    const [{ state } = { state: {} }] =
      containerStatuses.length > 0 ? containerStatuses : initContainerStatuses;
    const { exitCode = null, message = "" } = state.terminated ?? {};
    return { name: metadata.name, code: exitCode, message };
  });
}

interface PodStatus {
  readonly metadata: { readonly name: string };
  readonly status: {
    readonly containerStatuses?: readonly ContainerStatus[];
    readonly initContainerStatuses?: readonly ContainerStatus[];
  };
}

interface ContainerStatus {
  readonly state: { readonly terminated?: { readonly exitCode: number; readonly message: string } };
}

/** Starts a suspended job as an approver does; as an administrator where no one is named. */
export function startJob(api: Api, namespace: string, name: string, as?: string): Promise<Answer> {
  const body = { spec: { suspend: false } };
  const type = "application/strategic-merge-patch+json";
  return api.ask("PATCH", pathOf("Job", namespace, name), { body, type, ...(as !== undefined && { as }) });
}
