import type { JsonObject } from "../../../model/json.js";
import { publicServer } from "../../../plan/server.js";
import { variablesOf } from "../../../state/stores.js";
import type { ProjectSource } from "./source.js";

/** What a pod runs, for whom, and from where. */
export interface PodOf {
  /** The name of its ServiceAccount, and of the Secret of its tenant. */
  readonly name: string;
  readonly labels: JsonObject;
  readonly image: string;
  readonly source: ProjectSource;
  readonly context: string | null;
  /** The address of the tenant; `sandbox` needs no identity. */
  readonly server: string;
  readonly state: string;
  /** How long one call may take, in milliseconds. */
  readonly requestTimeout: number;
  /** The words of the command line before those that every run has. */
  readonly command: readonly string[];
}

/** The user of the image, who owns nothing in it. */
const USER = 10_001;
const PROJECT = "/project";
const CHECKOUT = `${PROJECT}/checkout`;
const IDENTITY = "/var/run/remit/identity";

/** The Pod Security Standard `restricted`, and a root file system that no one writes to. */
const RESTRICTED: JsonObject = {
  allowPrivilegeEscalation: false,
  capabilities: { drop: ["ALL"] },
  readOnlyRootFilesystem: true,
  runAsNonRoot: true,
};

const RESOURCES: JsonObject = {
  requests: { cpu: "250m", memory: "160Mi" },
  limits: { cpu: "1", memory: "512Mi" },
};

/** How the container is called whose exit code decides about the job. */
export const CONTAINER = "remit";

/** Seconds in which a pod that is asked to end keeps what its last call did; Kubernetes kills it after that. */
const TO_KEEP = 30;

/** The template of a pod. */
export function podTemplate(pod: PodOf): JsonObject {
  const { name, labels, image, source, context, server, command } = pod;
  const isKnown = server !== "sandbox";
  const settings = source.as === "git" ? "HEAD" : `./${source.file}`;
  const folder = source.as === "git" && source.folder !== "" ? `/${source.folder}` : "";
  const mounts: readonly JsonObject[] = [
    { name: "project", mountPath: source.as === "git" ? PROJECT : `${PROJECT}/.remit` },
    { name: "tmp", mountPath: "/tmp" },
  ];
  const identity: JsonObject = { name: "identity", mountPath: IDENTITY, readOnly: true };
  return {
    metadata: { labels },
    spec: {
      serviceAccountName: name,
      automountServiceAccountToken: false,
      enableServiceLinks: false,
      restartPolicy: "Never",
      terminationGracePeriodSeconds: Math.ceil(pod.requestTimeout / 1000) + TO_KEEP,
      securityContext: {
        runAsNonRoot: true,
        runAsUser: USER,
        runAsGroup: USER,
        fsGroup: USER,
        seccompProfile: { type: "RuntimeDefault" },
      },
      ...(source.as === "git" && { initContainers: [cloning(name, image, source.url, mounts)] }),
      containers: [
        {
          name: CONTAINER,
          image,
          command: [
            "remit",
            ...command,
            ...(context === null ? [] : ["--context", context]),
            "--settings-from",
            settings,
            "--report",
            "summary=/dev/termination-log",
          ],
          workingDir: source.as === "git" ? `${CHECKOUT}${folder}` : PROJECT,
          env: [
            { name: "HOME", value: "/tmp" },
            ...(isKnown ? [{ name: "REMIT_OIDC_TOKEN_FILE", value: `${IDENTITY}/token` }] : []),
            ...secretsOf(pod).map((variable) => fromSecret(name, variable)),
          ],
          resources: RESOURCES,
          securityContext: RESTRICTED,
          terminationMessagePolicy: "FallbackToLogsOnError",
          volumeMounts: isKnown ? [...mounts, identity] : mounts,
        },
      ],
      volumes: [
        { name: "project", emptyDir: { sizeLimit: "256Mi" } },
        { name: "tmp", emptyDir: { sizeLimit: "64Mi" } },
        ...(isKnown
          ? [
              {
                name: "identity",
                projected: { sources: [{ serviceAccountToken: tokenFor(publicServer(server)) }] },
              },
            ]
          : []),
      ],
    },
  };
}

/** A token that says who the pod is, to its tenant alone; the kubelet renews it. */
function tokenFor(audience: string): JsonObject {
  return { audience, expirationSeconds: 3600, path: "token" };
}

/** The server of the repository gets the token of the Secret, if it asks for one, and no other does. */
function cloning(name: string, image: string, url: string, volumeMounts: readonly JsonObject[]): JsonObject {
  return {
    name: "source",
    image,
    command: ["git", "clone", "--quiet", "--depth", "1", "--", url, CHECKOUT],
    env: [
      { name: "HOME", value: "/tmp" },
      { name: "GIT_TERMINAL_PROMPT", value: "0" },
      fromSecret(name, "REMIT_GIT_TOKEN"),
      { name: "GIT_CONFIG_COUNT", value: "1" },
      { name: "GIT_CONFIG_KEY_0", value: `credential.${new URL(url).origin}.helper` },
      {
        name: "GIT_CONFIG_VALUE_0",
        value: '!f() { echo username=x-access-token; echo "password=$REMIT_GIT_TOKEN"; }; f',
      },
    ],
    resources: RESOURCES,
    securityContext: RESTRICTED,
    terminationMessagePolicy: "FallbackToLogsOnError",
    volumeMounts,
  };
}

/** The variables that the tenant's Secret may have: each by its own name, so that it can set no other. */
function secretsOf({ server, state }: PodOf): readonly string[] {
  const ofTenant = server === "sandbox" ? [] : ["REMIT_CLIENT_ID", "REMIT_CLIENT_SECRET", "REMIT_TOKEN"];
  return [...ofTenant, "REMIT_STATE_KEY", ...variablesOf(state)];
}

function fromSecret(name: string, variable: string): JsonObject {
  return { name: variable, valueFrom: { secretKeyRef: { name, key: variable, optional: true } } };
}
