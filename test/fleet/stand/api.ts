import { readFileSync } from "node:fs";
import { Agent, request } from "node:https";
import { isObject, type Json, type JsonObject } from "../../../src/model/json.js";
import { CERTIFICATE } from "../../fakes/certificate.js";

/** An object of a cluster, of which a test reads what it needs. */
export interface KubeObject extends JsonObject {
  readonly kind: string;
  readonly metadata: JsonObject & { readonly name: string; readonly namespace?: string };
}

/** What an API server answers. */
export interface Answer {
  readonly status: number;
  readonly body: JsonObject;
  /** What it says about an object that it takes all the same: another policy would refuse it. */
  readonly warnings: readonly string[];
}

/** How a request is sent; as an administrator, and as JSON, where nothing is said. */
export interface Asked {
  readonly body?: Json;
  readonly type?: string;
  /** The user whose rights count, or the token that says who it is. */
  readonly as?: string;
  readonly token?: string;
  /** Is given every line of the answer. */
  readonly onLine?: (line: JsonObject) => void;
}

/** The API of a cluster. */
export interface Api {
  ask(method: string, path: string, asked?: Asked): Promise<Answer>;
  /** The same; throws where it is refused. */
  get(path: string): Promise<JsonObject>;
  send(method: string, path: string, body: Json, type?: string): Promise<JsonObject>;
  close(): void;
}

/** What a test run and its workers know of the cluster. */
export interface Known {
  readonly server: string;
  readonly folder: string;
  /** The public key of its tokens, as JSON (RFC 7517). */
  readonly key: JsonObject;
}

export const ADMIN = "admin-token";
export const MERGE = "application/merge-patch+json";
export const APPLY = "application/apply-patch+yaml";

/** The cluster of this run of tests. */
export function knownCluster(): Known {
  const { REMIT_TEST_CLUSTER: file } = process.env;
  if (file === undefined) throw new Error("npm run fleet starts the cluster");
  return JSON.parse(readFileSync(file, "utf8")) as Known;
}

export function openApi(server: string): Api {
  const agent = new Agent({ keepAlive: true, ca: CERTIFICATE.cert, maxSockets: 50 });
  const ask: Api["ask"] = (method, path, { body, type = "application/json", as, token, onLine } = {}) =>
    new Promise((resolve, reject) => {
      const text = body === undefined ? undefined : JSON.stringify(body);
      const headers = {
        authorization: `Bearer ${token ?? ADMIN}`,
        ...(as !== undefined && { "impersonate-user": as }),
        ...(text !== undefined && { "content-type": type, "content-length": Buffer.byteLength(text) }),
      };
      const sent = request(new URL(path, server), { method, agent, headers }, (reply) => {
        let heard = "";
        reply.setEncoding("utf8");
        reply.on("data", (piece: string) => {
          heard += piece;
          if (onLine === undefined) return;
          const lines = heard.split("\n");
          heard = lines.pop() ?? "";
          for (const line of lines) onLine(JSON.parse(line));
        });
        reply.on("error", reject);
        reply.on("end", () =>
          resolve({
            status: reply.statusCode ?? 0,
            body: objectIn(heard),
            warnings: [reply.headers.warning ?? []].flat() as string[],
          }),
        );
      });
      sent.on("error", reject);
      sent.end(text);
    });
  async function done(method: string, path: string, asked?: Asked): Promise<JsonObject> {
    const { status, body } = await ask(method, path, asked);
    if (status >= 300) throw new Refused(status, `${method} ${path}: ${status} ${JSON.stringify(body)}`);
    return body;
  }
  return {
    ask,
    get: (path) => done("GET", path),
    send: (method, path, body, type) => done(method, path, { body, ...(type !== undefined && { type }) }),
    close: () => agent.destroy(),
  };
}

/** A request that was refused. */
export class Refused extends Error {
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

function objectIn(text: string): JsonObject {
  try {
    const read: unknown = JSON.parse(text);
    return isObject(read) ? (read as JsonObject) : { text };
  } catch {
    return { text };
  }
}

const GROUPS: Readonly<Record<string, string>> = {
  Namespace: "/api/v1",
  Secret: "/api/v1",
  ServiceAccount: "/api/v1",
  Pod: "/api/v1",
  Job: "/apis/batch/v1",
  CronJob: "/apis/batch/v1",
  NetworkPolicy: "/apis/networking.k8s.io/v1",
  Role: "/apis/rbac.authorization.k8s.io/v1",
  RoleBinding: "/apis/rbac.authorization.k8s.io/v1",
  ValidatingAdmissionPolicy: "/apis/admissionregistration.k8s.io/v1",
  ValidatingAdmissionPolicyBinding: "/apis/admissionregistration.k8s.io/v1",
};

/** Where the objects of a kind are, or one of them. */
export function pathOf(kind: string, namespace?: string, name?: string): string {
  const plural = `${kind.toLowerCase()}s`.replace(/ys$/, "ies");
  const within = namespace === undefined ? "" : `/namespaces/${namespace}`;
  return `${GROUPS[kind]}${within}/${plural}${name === undefined ? "" : `/${name}`}`;
}
