import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { parseAllDocuments } from "yaml";
import type { JsonObject } from "../../src/model/json.js";
import { type Sandbox, startSandbox } from "../../src/sandbox/http/server.js";
import { checkoutAt } from "../fakes/checkout.js";
import { makeGitRemote, startGitServer } from "../fakes/gitRemote.js";
import { runInside, type Seen } from "../fakes/inside.js";
import { type Many, makeMany } from "../fakes/many.js";
import { makeProject } from "../fakes/project.js";
import { type Api, type KubeObject, knownCluster, openApi, pathOf } from "./stand/api.js";

/** A context of a scene, with what its settings say beside server and state. */
export interface Context {
  readonly name: string;
  readonly settings?: JsonObject;
  /** The context whose accounts its tenant trusts; its own where nothing is said. */
  readonly trusts?: string;
  /** Gives the address that the project names, of what stands before its tenant. */
  readonly before?: (url: string) => Promise<string>;
  /** For how many seconds its tenant's own tokens are good. */
  readonly lifetime?: number;
  /** For how many milliseconds its tenant works on a write: some, so that a run can be stopped between two. */
  readonly latency?: readonly [number, number];
  /** Is called after each request that wrote something in its tenant. */
  readonly onWrite?: () => void;
}

/** Tenants, the project that has a context for each, and the server of its repository. */
export interface Scene {
  readonly api: Api;
  readonly tenants: ReadonlyMap<string, Sandbox>;
  readonly many: Many;
  /** Runs the command in the checkout, with the token of a tenant that is always good. */
  remit(argv: readonly string[]): Promise<Seen>;
  /** The objects that a command prints. */
  objects(argv: readonly string[]): Promise<readonly KubeObject[]>;
  /** The objects in the files that `remit init --ci kubernetes` writes beside the fleet. */
  surroundings(): Promise<readonly KubeObject[]>;
  /** Applies what the manifests want in a round, with another project and another state than the context has. */
  applyElsewhere(context: string, round: number, ref?: string): Promise<void>;
  /** The effect of the plan of a context. */
  effect(context: string): Promise<string>;
  close(): Promise<void>;
}

/** What every account's Secret has: the client of its tenant, which the cluster vouches for, and the keys of the stores. */
export const SECRET = {
  REMIT_CLIENT_ID: "fleet@127.0.0.1/spc",
  REMIT_GIT_TOKEN: "open-sesame",
  AWS_ACCESS_KEY_ID: "AKIDEXAMPLE",
  AWS_SECRET_ACCESS_KEY: "open-sesame",
};
const TOKEN = "tenant-token";

/** Makes a scene with a state for each context: that of the checkout's remote, where nothing else is said. */
export async function makeScene(contexts: readonly Context[], size = 8): Promise<Scene> {
  const home = mkdtempSync(join(tmpdir(), "remit-scene-"));
  const { server } = knownCluster();
  const many = makeMany(size, "full");
  const remote = makeGitRemote(home);
  const git = await startGitServer(home, {
    login: `x-access-token:${SECRET.REMIT_GIT_TOKEN}`,
    takesPushes: true,
  });
  remote.git("config", "http.receivepack", "true");
  remote.git("symbolic-ref", "HEAD", "refs/heads/main");
  const tenants = new Map<string, Sandbox>();
  const servers = new Map<string, string>();
  for (const context of contexts) {
    if (context.settings?.server !== undefined) continue;
    const sandbox = await startTenant(context, many);
    tenants.set(context.name, sandbox);
    servers.set(context.name, (await context.before?.(sandbox.url)) ?? sandbox.url);
  }
  const root = join(home, "checkout");
  mkdirSync(root);
  const checkout = checkoutAt(root, home);
  checkout.git("init", "-q", "-b", "main");
  checkout.git("remote", "add", "origin", `${git.url}/${basename(remote.folder)}`);
  const rows = contexts.map(({ name, settings }) => [
    name,
    { server: servers.get(name) ?? null, state: "git:", ...settings },
  ]);
  const file = { project: "fleet", manifests: ["manifests"], contexts: Object.fromEntries(rows) };
  checkout.write("remit.yaml", JSON.stringify(file));
  const text = many.wanted(1).map((manifest) => JSON.stringify(documentOf(manifest)));
  checkout.write("manifests/all.yaml", text.join("\n---\n"));
  checkout.commit();
  checkout.git("push", "-q", remote.folder, "main");
  const { REMIT_CLIENT_ID: _, ...keys } = SECRET;
  const env = { ...checkout.env, ...keys, REMIT_TOKEN: TOKEN };
  const remit: Scene["remit"] = (argv) => runInside(argv, { cwd: root, env });
  const api = openApi(server);
  return {
    api,
    tenants,
    many,
    remit,
    async objects(argv) {
      const { code, stdout, stderr } = await remit(["contexts", "--format", "kubernetes", ...argv]);
      if (code !== 0) throw new Error(stderr);
      return objectsIn(stdout);
    },
    async surroundings() {
      const { code, stderr } = await remit(["init", "--ci", "kubernetes"]);
      if (code !== 0) throw new Error(stderr);
      const folder = join(root, "deploy", "kubernetes");
      const others = readdirSync(folder).filter((name) => !/^(fleet|kustomization)|^\./.test(name));
      return others.flatMap((name) => objectsIn(readFileSync(join(folder, name), "utf8")));
    },
    async applyElsewhere(context, round, ref) {
      const project = makeProject({ project: "elsewhere" });
      project.write(many.wanted(round));
      const REMIT_SERVER = tenants.get(context)?.url ?? "";
      const state = ref === undefined ? {} : { REMIT_STATE: `git:${remote.folder}#${ref}` };
      const argv = ["apply", "--yes", "--acknowledge", "first-run"];
      const { code, stderr } = await runInside(argv, {
        cwd: project.cwd,
        env: { ...checkout.env, REMIT_TOKEN: TOKEN, REMIT_SERVER, ...state },
      });
      project.close();
      if (code !== 0) throw new Error(stderr);
    },
    async effect(context) {
      const { code, stdout, stderr } = await remit([
        ...["plan", "--context", context, "--settings-from", "HEAD", "--format", "json"],
      ]);
      if (code !== 0) throw new Error(stderr);
      return (JSON.parse(stdout) as { readonly effect: string }).effect;
    },
    async close() {
      api.close();
      await git.close();
      for (const sandbox of tenants.values()) await sandbox.close();
      rmSync(home, { recursive: true, force: true });
    },
  };
}

/** A tenant that trusts the accounts of one context in this cluster. */
function startTenant(context: Context, { tenant }: Many): Promise<Sandbox> {
  const { name, trusts = name, lifetime, latency = [20, 60], onWrite } = context;
  const { key, server: issuer } = knownCluster();
  const subject = `system:serviceaccount:remit*:remit-*-${trusts}`;
  const clients = [{ id: SECRET.REMIT_CLIENT_ID, trusts: { issuer, subject, publicKey: key } }];
  return startSandbox({
    tenant,
    auth: { token: TOKEN, clients, ...(lifetime !== undefined && { lifetime }) },
    log: ({ written }) => written && onWrite?.(),
    faults: { seed: 1, rules: [{ fault: "latency", method: "POST", between: latency }] },
  });
}

function documentOf({ kind, name, spec }: { kind: string; name: string; spec: JsonObject }): JsonObject {
  return { apiVersion: "remit/v1", kind, metadata: { name }, spec };
}

function objectsIn(text: string): readonly KubeObject[] {
  return parseAllDocuments(text).map((document) => document.toJS() as KubeObject);
}

/** A namespace under the Pod Security Standard that `remit init` gives its own. */
export function namespace(name: string): KubeObject {
  const modes = ["enforce", "audit", "warn"].map((mode) => [
    `pod-security.kubernetes.io/${mode}`,
    "restricted",
  ]);
  return { apiVersion: "v1", kind: "Namespace", metadata: { name, labels: Object.fromEntries(modes) } };
}

/** Makes the Secret of a context's account. */
export async function giveSecret(
  api: Api,
  namespace: string,
  name: string,
  values: JsonObject = SECRET,
): Promise<void> {
  await api.send("POST", pathOf("Secret", namespace), {
    apiVersion: "v1",
    kind: "Secret",
    metadata: { name },
    stringData: values,
  });
}
