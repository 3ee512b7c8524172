import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { createPublicKey, generateKeyPairSync } from "node:crypto";
import { mkdirSync, openSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { JsonObject } from "../../../src/model/json.js";
import { CERTIFICATE } from "../../fakes/certificate.js";
import { freePort } from "../../fakes/freePort.js";
import { ADMIN, type Known, openApi } from "./api.js";

const SOURCE = fileURLToPath(new URL("../controlPlane", import.meta.url));
const PROGRAM = fileURLToPath(new URL("../../../node_modules/.fleet/controlplane", import.meta.url));
/** Half seconds. */
const PATIENCE = 240;

/** A control plane that runs. */
export interface ControlPlane extends Known {
  close(): Promise<void>;
}

/** Builds the program, which takes up to half an hour the first time: go keeps what it compiled. */
function buildControlPlane(): void {
  const argv = ["build", "-trimpath", "-ldflags=-s -w", "-o", PROGRAM, "."];
  execFileSync("go", argv, { cwd: SOURCE, env: { ...process.env, CGO_ENABLED: "0" }, stdio: "inherit" });
}

/** Starts a store, an API server, the controllers and a scheduler. Everything listens on this machine alone. */
export async function startControlPlane(folder: string): Promise<ControlPlane> {
  buildControlPlane();
  const started: ChildProcess[] = [];
  const start = (part: string, ...argv: readonly string[]) => {
    const log = openSync(join(folder, `${part}.log`), "a");
    // A run that is stopped leaves nothing behind.
    const words = ["--pdeathsig", "KILL", PROGRAM, part, ...argv];
    started.push(spawn("setpriv", words, { stdio: ["ignore", log, log] }));
  };
  const file = (name: string, text: string) => {
    writeFileSync(join(folder, name), text, { mode: 0o600 });
    return join(folder, name);
  };
  const [port, client, peer] = [await freePort(), await freePort(), await freePort()];
  const server = `https://127.0.0.1:${port}`;
  const own = generateKeyPairSync("rsa", {
    modulusLength: 2048,
    publicKeyEncoding: { type: "spki", format: "pem" },
    privateKeyEncoding: { type: "pkcs8", format: "pem" },
  });
  const cert = file("server.crt", CERTIFICATE.cert);
  const signing = file("tokens.key", own.privateKey);
  mkdirSync(join(folder, "certificates"));
  const config = file("kubeconfig", JSON.stringify(kubeconfig(server, cert)));
  start("etcd", join(folder, "etcd"), `http://127.0.0.1:${client}`, `http://127.0.0.1:${peer}`);
  start(
    "apiserver",
    `--etcd-servers=http://127.0.0.1:${client}`,
    "--bind-address=127.0.0.1",
    `--secure-port=${port}`,
    `--cert-dir=${join(folder, "certificates")}`,
    `--tls-cert-file=${cert}`,
    `--tls-private-key-file=${file("server.key", CERTIFICATE.key)}`,
    "--service-cluster-ip-range=10.0.0.0/24",
    `--service-account-issuer=${server}`,
    `--service-account-key-file=${file("tokens.pub", own.publicKey)}`,
    `--service-account-signing-key-file=${signing}`,
    `--api-audiences=${server}`,
    `--token-auth-file=${file("tokens.csv", `${ADMIN},admin,1,system:masters\n`)}`,
    "--authorization-mode=RBAC",
    "--allow-privileged=false",
    "--enable-admission-plugins=NodeRestriction,PodSecurity",
  );
  async function close(): Promise<void> {
    const ended = started.map((child) => child.exitCode ?? new Promise((end) => child.once("close", end)));
    for (const child of started.toReversed()) child.kill("SIGKILL");
    await Promise.all(ended);
  }
  try {
    await ready(server, join(folder, "apiserver.log"));
  } catch (error) {
    await close();
    throw error;
  }
  const shared = [`--kubeconfig=${config}`, "--leader-elect=false", "--bind-address=127.0.0.1"];
  start(
    "manager",
    ...shared,
    `--service-account-private-key-file=${signing}`,
    "--use-service-account-credentials=true",
    `--root-ca-file=${cert}`,
    `--secure-port=${await freePort()}`,
    "--controllers=*,-nodeipam,-node-route-controller,-cloud-node-lifecycle-controller",
  );
  start("scheduler", ...shared, `--secure-port=${await freePort()}`);
  const key = createPublicKey(own.publicKey).export({ format: "jwk" }) as JsonObject;
  return { server, folder, key, close };
}

async function ready(server: string, log: string): Promise<void> {
  const api = openApi(server);
  try {
    for (let tries = 0; tries < PATIENCE; tries += 1) {
      const answer = await api.ask("GET", "/readyz").catch(() => null);
      if (answer?.status === 200) return;
      await pause(500);
    }
  } finally {
    api.close();
  }
  throw new Error(`the API server is not ready: ${readFileSync(log, "utf8").slice(-2000)}`);
}

/** JSON is YAML. */
function kubeconfig(server: string, certificate: string): JsonObject {
  return {
    apiVersion: "v1",
    kind: "Config",
    clusters: [{ name: "here", cluster: { server, "certificate-authority": certificate } }],
    users: [{ name: "admin", user: { token: ADMIN } }],
    contexts: [{ name: "here", context: { cluster: "here", user: "admin" } }],
    "current-context": "here",
  };
}
