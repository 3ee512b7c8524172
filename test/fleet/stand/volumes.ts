import { chmodSync, chownSync, mkdirSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isObject, type JsonObject } from "../../../src/model/json.js";
import { type Api, pathOf } from "./api.js";
import type { Container, Security } from "./container.js";

/** What the stand-in reads of a pod. */
export interface Pod {
  readonly metadata: {
    readonly name: string;
    readonly namespace: string;
    readonly uid: string;
    readonly deletionTimestamp?: string;
    readonly annotations?: Readonly<Record<string, string>>;
  };
  readonly spec: {
    readonly serviceAccountName: string;
    readonly securityContext?: Security;
    readonly initContainers?: readonly Container[];
    readonly containers: readonly [Container];
    readonly volumes?: readonly Volume[];
  };
  readonly status: { readonly phase: string };
}

/** A volume of a pod: an empty folder where nothing else is said. */
interface Volume {
  readonly name: string;
  readonly configMap?: { readonly name: string };
  readonly projected?: { readonly sources: readonly { readonly serviceAccountToken?: Token }[] };
}

/** A token that says who a pod is. */
interface Token {
  readonly audience: string;
  readonly expirationSeconds: number;
  readonly path: string;
}

/** Makes the volumes of a pod below a folder. */
export async function makeVolumes(api: Api, pod: Pod, folder: string): Promise<void> {
  for (const volume of pod.spec.volumes ?? []) {
    const at = join(folder, volume.name);
    mkdirSync(at, { recursive: true });
    if (volume.projected === undefined && volume.configMap === undefined) chmodSync(at, 0o777);
    if (volume.configMap !== undefined) {
      const { data } = await api.get(
        `/api/v1/namespaces/${pod.metadata.namespace}/configmaps/${volume.configMap.name}`,
      );
      for (const [name, text] of Object.entries(isObject(data) ? data : {}))
        put(pod, join(at, name), String(text));
    }
  }
  await renewTokens(api, pod, folder);
}

/** Asks for each token of a pod anew, as a kubelet does before it expires. */
export async function renewTokens(api: Api, pod: Pod, folder: string): Promise<void> {
  for (const { name, projected } of pod.spec.volumes ?? []) {
    for (const { serviceAccountToken: token } of projected?.sources ?? []) {
      if (token !== undefined) put(pod, join(folder, name, token.path), await issue(api, pod, token));
    }
  }
}

async function issue(
  api: Api,
  { metadata, spec }: Pod,
  { audience, expirationSeconds }: Token,
): Promise<string> {
  const account = pathOf("ServiceAccount", metadata.namespace, spec.serviceAccountName);
  const { name, uid } = metadata;
  const { status } = await api.send("POST", `${account}/token`, {
    apiVersion: "authentication.k8s.io/v1",
    kind: "TokenRequest",
    spec: {
      audiences: [audience],
      expirationSeconds,
      boundObjectRef: { apiVersion: "v1", kind: "Pod", name, uid },
    },
  });
  return String((status as JsonObject).token);
}

/** Puts a file in the place of another, so that no reader sees a part of it. Only the group of the pod reads it. */
function put(pod: Pod, path: string, text: string): void {
  writeFileSync(`${path}.new`, text, { mode: 0o440 });
  chownSync(`${path}.new`, 0, pod.spec.securityContext?.fsGroup ?? 0);
  renameSync(`${path}.new`, path);
}

/** The variables of a container; throws where a Secret lacks what has to be there. */
export async function environmentOf(
  api: Api,
  { metadata }: Pod,
  { env = [] }: Container,
): Promise<Readonly<Record<string, string>>> {
  const secrets = new Map<string, JsonObject>();
  const read = async (name: string) => {
    const { status, body } = await api.ask("GET", pathOf("Secret", metadata.namespace, name));
    secrets.set(name, status === 200 && isObject(body.data) ? body.data : {});
  };
  const found: Record<string, string> = {};
  for (const { name, value = "", valueFrom } of env) {
    const from = valueFrom?.secretKeyRef;
    if (from === undefined) {
      const annotation = /^metadata\.annotations\['(.+)'\]$/.exec(valueFrom?.fieldRef?.fieldPath ?? "")?.[1];
      found[name] = annotation === undefined ? value : (metadata.annotations?.[annotation] ?? "");
      continue;
    }
    if (!secrets.has(from.name)) await read(from.name);
    const kept = secrets.get(from.name)?.[from.key];
    if (kept !== undefined) found[name] = Buffer.from(String(kept), "base64").toString();
    else if (from.optional !== true) throw new Error(`the Secret ${from.name} has no key ${from.key}`);
  }
  return found;
}
