// What the benchmarks of plan and apply need: a bundle of the engine, a sandbox in its own process, manifests, and an
// actor. The actor plans or applies once in a fresh process and reports the cost.
import { execFile, fork } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { build } from "esbuild";

const run = promisify(execFile);
const here = fileURLToPath(import.meta.url);
const root = fileURLToPath(new URL("..", import.meta.url));

/** Sets a stage up, lets the play use it, and takes it down. */
export async function onStage(play) {
  const folder = mkdtempSync(join(root, "node_modules", ".bench-"));
  const servers = [];
  try {
    const engine = await bundle(folder);
    return await play({
      folder,
      /** Plans or applies in a fresh process; gives what `act` gives. */
      act: async (what, options) => {
        const argument = JSON.stringify({ what, engine, ...options });
        const flags = options.collect === true ? ["--expose-gc"] : [];
        const { stdout } = await run(process.execPath, [...flags, here, "act", argument], {
          maxBuffer: 1 << 26,
        });
        return JSON.parse(stdout);
      },
      /** Starts a sandbox; its log is read by `creates` and the like over HTTP. */
      sandbox: async (options = {}) => {
        const child = fork(here, ["serve", JSON.stringify({ engine, ...options })]);
        servers.push(child);
        return new Promise((resolve) => child.once("message", resolve));
      },
      manifests: (name, count, make, perFile = 100) =>
        writeManifests(join(folder, name), count, make, perFile),
    });
  } finally {
    for (const child of servers) child.kill();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The middle of some numbers. */
export function median(numbers) {
  const sorted = [...numbers].sort((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)];
}

/** One line of a table of figures. */
export function row(figure, value, unit, bound, ratio, ok) {
  return { figure, value, unit, bound, ratio: ratio === null ? null : Math.round(ratio * 100) / 100, ok };
}

/** An id of the service's form, the same for the same letter and number. */
export function id(letter, number) {
  return `2fsgTvxP0DVTsNXEUBI7${letter}${String(number).padStart(6, "0")}`;
}

/** A manifest of a template scope, about 18 lines. */
export function templateScope(number) {
  return `apiVersion: remit/v1
kind: TemplateScope
metadata:
  name: scope-${number}
  labels: { team: security, wave: w${number % 7} }
spec:
  templateId: ${id("T", number)}
  scope:
    appSelectionCriteria:
      riskLevelAttributeValueIds: [${id("R", number)}, ${id("S", number)}]
    userCriteria:
      userStatus: [ENABLED]
    grantsByCriteria:
      daysSinceLastUsed: 90d
      typeFilter: GRANT_FILTER_TYPE_PERMANENT
  entitlements:
    - { appId: ${id("A", number)}, appEntitlementId: ${id("E", number)} }
    - { appId: ${id("A", number)}, appEntitlementId: ${id("F", number)} }
`;
}

/** A manifest of a resource type, 100 to an app. */
export function resourceType(number) {
  return `apiVersion: remit/v1
kind: ResourceType
metadata:
  name: type-${number}
spec:
  appId: ${id("P", Math.floor(number / 100))}
  id: ${id("Y", number)}
  displayName: Team ${number}
  traitIds: [${id("U", number % 9)}]
`;
}

function writeManifests(folder, count, make, perFile) {
  mkdirSync(folder, { recursive: true });
  for (let first = 0; first < count; first += perFile) {
    const documents = Array.from({ length: Math.min(perFile, count - first) }, (_, at) => make(first + at));
    writeFileSync(join(folder, `${String(first).padStart(6, "0")}.yaml`), documents.join("---\n"));
  }
  return folder;
}

async function bundle(folder) {
  const outfile = join(folder, "engine.mjs");
  await build({
    stdin: {
      contents: `
        export { apply, plan } from "./src/reconcile.js";
        export { makeClient } from "./src/api/client.js";
        export { pinPlan } from "./src/plan/freeze.js";
        export { Secret } from "./src/model/secret.js";
        export { DEFAULT_LIMITS } from "./src/plan/guards.js";
        export { fileStore } from "./src/state/file.js";
        export { startSandbox } from "./src/sandbox/server.js";
        export { EMPTY_TENANT } from "./src/sandbox/tenant.js";
        export { parseFaults } from "./src/sandbox/faults/flag.js";
        export { parseAllDocuments } from "yaml";
      `,
      resolveDir: root,
    },
    bundle: true,
    platform: "node",
    format: "esm",
    outfile,
    minifySyntax: true,
    logLevel: "error",
    banner: {
      js: 'import { createRequire as __r } from "node:module"; const require = __r(import.meta.url);',
    },
  });
  return outfile;
}

const clock = {
  now: () => Date.now(),
  elapsed: () => performance.now(),
  sleep: (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)),
};

/** One plan, apply or bare parse, and what it cost. */
async function act({
  what,
  engine: path,
  manifests,
  server,
  width = 10,
  state,
  asked = "core",
  journal = true,
}) {
  const engine = await import(pathToFileURL(path).href);
  if (what === "parse") return parse(engine, manifests);
  const store = engine.fileStore({
    path: state,
    name: "state",
    version: "bench",
    clock,
    isDead: () => true,
  });
  const client =
    server === undefined
      ? null
      : engine.makeClient({
          server,
          credentials: { as: "bearer", token: new engine.Secret("sandbox"), from: ["bench"] },
          clock,
          random: Math.random,
          width,
          retries: 5,
          requestTimeout: 30_000,
          userAgent: "remit/bench",
          env: {},
        });
  const mode = {
    offline: client === null,
    refreshOnly: false,
    prune: false,
    cascade: [],
    targets: [],
    selector: null,
  };
  const started = performance.now();
  const { snapshot } = await store.read();
  const made = await engine.plan(
    {
      manifests: { project: [manifests], paths: [], cwd: root },
      server: "bench",
      interface: asked,
      mode,
      commit: null,
      removals: { decisions: [], isPruneStanding: false },
      limits: { ...engine.DEFAULT_LIMITS, maxChangesPercent: 100 },
      acknowledgements: [],
      today: "2026-01-01",
      width,
    },
    snapshot,
    client,
    () => undefined,
  );
  if (made.value === null) throw new Error(JSON.stringify(made.diagnostics[0]));
  const effect = engine.effectOf(made.value);
  const planned = performance.now() - started;
  const calls = Object.values(made.value.calls.made).reduce((sum, count) => sum + count, 0);
  const changed = made.value.steps.filter(({ action }) => action !== "keep").length;
  const result = { planned, calls, changed, steps: made.value.steps.length };
  if (what === "plan") {
    client?.close();
    return { ...result, megabytes: process.resourceUsage().maxRSS / 1024 };
  }

  const heldBefore = held();
  const usage = process.cpuUsage();
  const begun = performance.now();
  const owner = { id: "bench", host: "bench", pid: process.pid, command: "bench", since: "" };
  const lock = await store.lock(owner, { timeout: 0 });
  const applied = await engine.apply(
    {
      plan: made.value,
      applying: { effect, done: [], isComplete: false },
      isSaved: false,
      snapshot,
      client,
      clock,
      patience: 30_000,
      lineage: "bench",
      run: "bench",
      listener: async () => undefined,
      interrupt: new AbortController().signal,
    },
    journal ? lock : { ...lock, journal: { ...lock.journal, append: async () => undefined } },
  );
  const took = performance.now() - begun;
  const { user, system } = process.cpuUsage(usage);
  await lock.release();
  client.close();
  const { summary } = applied;
  if (summary.outcomes.done !== changed) throw new Error(JSON.stringify(summary.outcomes));
  return {
    ...result,
    took,
    cpu: (user + system) / 1000,
    heldBefore,
    held: held(),
    megabytes: process.resourceUsage().maxRSS / 1024,
    sent: summary.calls,
    report: client.report(),
  };
}

/** Megabytes that are still in use after a collection; null where none can be asked for. */
function held() {
  globalThis.gc?.();
  return globalThis.gc === undefined ? null : process.memoryUsage().heapUsed / 1024 ** 2;
}

async function parse({ parseAllDocuments }, manifests) {
  const { readdirSync, readFileSync } = await import("node:fs");
  const started = performance.now();
  let documents = 0;
  for (const name of readdirSync(manifests).sort())
    documents += parseAllDocuments(readFileSync(join(manifests, name), "utf8")).length;
  return { documents, took: performance.now() - started, megabytes: process.resourceUsage().maxRSS / 1024 };
}

/** Serves an open tenant, or one with so many resource types, in this process. */
async function serve({ engine: path, faults, types, asked }) {
  const engine = await import(pathToFileURL(path).href);
  const count = types ?? 0;
  const apps = Array.from({ length: Math.ceil(count / 100) }, (_, at) => ({
    id: id("P", at),
    displayName: `App ${at}`,
  }));
  const resourceTypes = Array.from({ length: count }, (_, at) => ({
    appId: id("P", Math.floor(at / 100)),
    id: id("Y", at),
    displayName: `Team ${at}`,
    traitIds: [id("U", at % 9)],
  }));
  const sandbox = await engine.startSandbox({
    interface: asked ?? "full",
    tenant: { ...engine.EMPTY_TENANT, open: count === 0, apps, resourceTypes },
    ...(faults === undefined ? {} : { faults: engine.parseFaults(faults) }),
    keep: 100,
  });
  process.on("disconnect", () => process.exit());
  process.send(sandbox.url);
}

if (process.argv[1] === here) {
  const options = JSON.parse(process.argv[3]);
  if (process.argv[2] === "serve") await serve(options);
  else console.log(JSON.stringify(await act(options)));
}
