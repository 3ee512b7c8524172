import { createHash } from "node:crypto";
import type { JsonObject } from "../../../model/json.js";
import type { ApprovedEffect, StartTimes } from "./asked.js";
import { CONTAINER, type PodOf, podTemplate } from "./pod.js";
import type { ProjectSource } from "./source.js";

/** A tenant that jobs run for. */
export interface JobTenant {
  /** Null for a project without contexts. */
  readonly context: string | null;
  readonly server: string;
  readonly state: string;
}

/** What all objects of a fleet share. */
export interface Fleet {
  readonly namespace: string;
  readonly image: string;
  readonly source: ProjectSource;
  /** What the state calls the project; empty where nothing names it. */
  readonly project: string;
  /** How long one call may take, in milliseconds. */
  readonly requestTimeout: number;
  /** When what is applied was merged, in milliseconds; null where that is not known. */
  readonly mergedAt: number | null;
}

/** The codes after which nothing becomes better by itself; 1 may be an outage. */
const FINAL = { plan: [2, 4, 5], apply: [3, 4, 5] } as const;

const SECONDS = { plan: 900, apply: 3600 } as const;

const ATTEMPTS_MORE = 2;

/** A job that could not start in time waits for the next night. */
const LATEST_START = 3600;

const DAY = 24 * 60;

/** The ServiceAccount of a tenant's plans, and the CronJob that makes one every day. */
export function planObjects(tenant: JobTenant, window: StartTimes, fleet: Fleet): readonly JsonObject[] {
  const pod = podOf("plan", tenant, fleet, ["plan", "--record", "--detailed-exitcode", "--quiet"]);
  const { name, labels } = pod;
  const { namespace, project } = fleet;
  return [
    accountOf(pod, namespace),
    {
      apiVersion: "batch/v1",
      kind: "CronJob",
      metadata: { name, namespace, labels },
      spec: {
        schedule: scheduleOf(project, tenant.context ?? "", window),
        timeZone: "Etc/UTC",
        concurrencyPolicy: "Forbid",
        startingDeadlineSeconds: LATEST_START,
        successfulJobsHistoryLimit: 1,
        failedJobsHistoryLimit: 3,
        jobTemplate: { metadata: { labels }, spec: jobOf("plan", pod) },
      },
    },
  ];
}

/** The ServiceAccount of a tenant's applies, and the Job of one effect, which waits until someone starts it. */
export function applyObjects(
  tenant: JobTenant,
  { effect }: ApprovedEffect,
  fleet: Fleet,
): readonly JsonObject[] {
  const { namespace, mergedAt } = fleet;
  const merged = mergedAt === null ? [] : ["--merged-at", new Date(mergedAt).toISOString()];
  const pod = podOf("apply", tenant, fleet, ["apply", "--yes", "--expect", effect, ...merged]);
  const metadata = { name: `${pod.name}-${shortOf(effect)}`, namespace, labels: pod.labels };
  return [
    accountOf(pod, namespace),
    {
      apiVersion: "batch/v1",
      kind: "Job",
      metadata,
      spec: { suspend: true, completions: 1, parallelism: 1, ...jobOf("apply", pod) },
    },
  ];
}

function shortOf(effect: string): string {
  return effect.slice("sha256:".length, "sha256:".length + 8);
}

/** What the objects of no single tenant are labelled with. */
export const LABELS: JsonObject = { "app.kubernetes.io/name": "remit" };

function podOf(does: "plan" | "apply", tenant: JobTenant, fleet: Fleet, command: readonly string[]): PodOf {
  const { context, server, state } = tenant;
  const { image, source, requestTimeout } = fleet;
  const labels = {
    ...LABELS,
    "app.kubernetes.io/component": does,
    ...(context !== null && { "remit/context": context }),
  };
  // What is done comes before the context, so that no two contexts have one account.
  const name = context === null ? `remit-${does}` : `remit-${does}-${context}`;
  return { name, labels, image, source, context, server, state, requestTimeout, command };
}

function accountOf({ name, labels }: PodOf, namespace: string): JsonObject {
  const metadata = { name, namespace, labels };
  return { apiVersion: "v1", kind: "ServiceAccount", metadata, automountServiceAccountToken: false };
}

/** A job that ends at once where trying again helps nothing, and tries twice more where it may. */
function jobOf(does: "plan" | "apply", pod: PodOf): JsonObject {
  return {
    backoffLimit: ATTEMPTS_MORE,
    activeDeadlineSeconds: SECONDS[does],
    podFailurePolicy: {
      rules: [
        { action: "Ignore", onPodConditions: [{ type: "DisruptionTarget", status: "True" }] },
        {
          action: "FailJob",
          onExitCodes: { containerName: CONTAINER, operator: "In", values: FINAL[does] },
        },
      ],
    },
    template: podTemplate(pod),
  };
}

/**
 * When the plan of a context starts, as a line of cron. The minute follows from project and context alone, so that it stays
 * the same, and so that the contexts of all projects are spread over the window.
 */
function scheduleOf(project: string, context: string, { start, minutes }: StartTimes): string {
  const hash = createHash("sha256")
    .update(JSON.stringify([project, context]))
    .digest();
  const at = (start + (hash.readUIntBE(0, 6) % minutes)) % DAY;
  return `${at % 60} ${Math.floor(at / 60)} * * *`;
}
