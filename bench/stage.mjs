// What the benchmarks of plan and apply need: a bundle of the engine, a sandbox in its own process, manifests, and an
// actor. The actor plans or applies once in a fresh process and reports the cost.
import { execFile, fork } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setImmediate as others, setTimeout as pause } from "node:timers/promises";
import { fileURLToPath, pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { bundleModule } from "../scripts/bundleModule.mjs";
import { compiledSchemas } from "../scripts/compiledSchemas.mjs";

const run = promisify(execFile);
const here = fileURLToPath(import.meta.url);
const root = fileURLToPath(new URL("..", import.meta.url));

/** @typedef {typeof import("./sources/engine.js")} Engine */

const { alias, target, minifySyntax } = JSON.parse(
  readFileSync(new URL("../scripts/bundle.json", import.meta.url), "utf8"),
);

/** As the build bundles the command, with its packages. @type {import("esbuild").BuildOptions} */
const BUNDLED = {
  packages: "bundle",
  absWorkingDir: root,
  alias,
  target,
  minifySyntax,
  plugins: [await compiledSchemas(root)],
};

/** Sets a stage up, lets the play use it, and takes it down. */
export async function onStage(play) {
  const folder = mkdtempSync(join(root, "node_modules", ".bench-"));
  const servers = [];
  try {
    const engine = await bundleModule("bench/sources/engine.ts", folder, BUNDLED);
    return await play({
      folder,
      engine,
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

/** The id of the app that automations belong to. */
export const C1 = "2fsgTvxP0DVTsNXEUBI7hOe0l5A";

/** A manifest of an automation; its description is that word. */
export function automation(number, word = "before") {
  return `apiVersion: remit/v1
kind: EntitlementAutomation
metadata:
  name: group-${number}
spec:
  appId: ${C1}
  appEntitlementId: ${id("G", number)}
  displayName: Group ${number}
  description: ${word}
  cel:
    expression: subject.department == "Team ${number}"
`;
}

/** A manifest of an automation whose entitlement is named by an alias. */
export function automationByName(alias) {
  return `apiVersion: remit/v1
kind: EntitlementAutomation
metadata:
  name: ${alias}
spec:
  appId: ${C1}
  appEntitlementId: { alias: ${alias} }
  displayName: ${alias}
  cel:
    expression: subject.department == "Sales"
`;
}

/** A manifest of a resource type whose id the service chooses, 50 to an app. */
export function newType(number, traits = []) {
  return `apiVersion: remit/v1
kind: ResourceType
metadata:
  name: new-type-${number}
spec:
  appId: ${id("P", Math.floor(number / 50))}
  resourceType: CUSTOM
  displayName: New team ${number}
${traits.length === 0 ? "" : `  traitIds: [${traits.join(", ")}]\n`}`;
}

/** A manifest of a resource type of one app whose id the service chooses; its display name ends with that word. */
export function customType(number, word = "before") {
  return `apiVersion: remit/v1
kind: ResourceType
metadata:
  name: type-${number}
spec:
  appId: ${id("P", 0)}
  resourceType: CUSTOM
  displayName: Team ${number} ${word}
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

const clock = {
  now: () => Date.now(),
  elapsed: () => performance.now(),
  // As the command's clock does it: a timer waits a millisecond at least.
  sleep: (milliseconds, signal) =>
    milliseconds === 0 ? others() : pause(milliseconds, undefined, signal === undefined ? {} : { signal }),
};

const TOKEN = { as: /** @type {const} */ ("bearer"), from: ["bench"] };
/** Asked for with one call, as a pipeline does it. */
const CLIENT = { as: /** @type {const} */ ("client"), id: "sandbox@127.0.0.1/spc", from: ["bench"] };

/**
 * What a run is asked for with.
 * @param {Engine} engine
 */
function requestFor(engine, { manifests, asked, width, offline }) {
  return {
    project: {
      name: null,
      manifests: { project: [manifests], paths: [], cwd: root },
      commit: null,
      removals: { decisions: [], isPruneStanding: false },
      moved: [],
    },
    history: { since: null, reviewed: null, mainline: null },
    tenant: { server: "bench", interface: asked, width },
    mode: { offline, refreshOnly: false, prune: false, cascade: [], targets: [], selector: null },
    rules: {
      limits: { ...engine.DEFAULT_LIMITS, maxChangesPercent: 100 },
      acknowledgements: ["unknown-current", "scope-emptied"].map(engine.parseAcknowledgement),
      today: "2026-01-01",
      settings: engine.NO_SETTINGS,
    },
    optional: { counting: null, nameCalls: 0 },
  };
}

/**
 * @param {Engine} engine
 * @param {{ server: string, width: number, signsIn: boolean, log?: ((line: string) => void) | undefined }} options
 */
function clientFor({ makeClient, Secret }, { server, width, signsIn, log }) {
  const secret = new Secret("sandbox");
  return makeClient({
    server,
    credentials: signsIn ? { ...CLIENT, secret } : { ...TOKEN, token: secret },
    clock,
    random: Math.random,
    width,
    retries: 5,
    requestTimeout: 30_000,
    userAgent: "remit/bench",
    proxies: { https: null, http: null, all: null, exempt: "" },
    ...(log && { log }),
  });
}

/** One plan, apply or bare parse, and what it cost. */
async function act({
  what,
  engine: path,
  manifests,
  server,
  width = 10,
  state,
  asked = "core",
  signsIn = false,
  journal = true,
  trace = false,
  out = null,
  rounds = 1,
}) {
  if (what === "parse") return parse(manifests);
  if (what === "applies")
    return inARow({ engine: path, server, width, state, asked, turns: manifests, rounds });
  /** @type {Engine} */
  const engine = await import(pathToFileURL(path).href);
  // The command does the same.
  engine.collectEarly();
  const kept = engine.fileStore({ path: state, name: "state", version: "bench", clock, isDead: () => true });
  const file = engine.withKeys(kept, { keys: [], place: "bench", version: "bench" });
  const store = journal
    ? file
    : { ...file, lock: async (owner, waiting) => unwritten(await file.lock(owner, waiting)) };
  const offline = server === undefined;
  const started = performance.now();
  /** @type {string[]} */
  const replies = [];
  // Ten thousand lines would count as memory of the run.
  const log = trace
    ? (line) => replies.push(`${Math.round(performance.now() - started)} ms: ${line}`)
    : undefined;
  const client = offline ? null : clientFor(engine, { server, width, signsIn, log });
  const session = { store, client, clock, requestTimeout: 30_000, createLag: 60_000 };
  const request = requestFor(engine, { manifests, asked, width, offline });
  if (what === "import")
    return { ...(trace && { replies }), ...(await imported(engine, request, session, { started, out })) };
  if (what === "plan") {
    const made = await engine.plan(request, session);
    client?.close();
    return {
      ...(trace && { replies }),
      ...planned(engine, made.value ?? fail(made), started, client),
      sent: client?.report().calls ?? 0,
    };
  }

  let begun = 0;
  /** @type {{ plan: ReturnType<typeof planned> | null, heldBefore: number | null }} */
  const before = { plan: null, heldBefore: null };
  let usage;
  if (client === null) throw new Error("an apply needs a server");
  const result = await engine.apply(
    {
      request,
      plan: null,
      expected: null,
      mergedAt: null,
      owner: {
        id: "bench",
        host: "bench",
        pid: process.pid,
        command: "bench",
        since: "",
        job: null,
        user: null,
      },
      isAllOrNothing: false,
      rescue: null,
      pullRequest: null,
      lockTimeout: 0,
      appliedFolder: null,
      asksAboutIntent: true,
      lineage: "bench",
      run: "bench",
      async review(candidate) {
        before.plan = planned(engine, candidate.plan, started, client);
        before.heldBefore = held();
        usage = process.cpuUsage();
        begun = performance.now();
        return true;
      },
      listener: async () => undefined,
      interrupt: new AbortController().signal,
    },
    session,
  );
  const ended = performance.now();
  client.close();
  if (result.as === "unchanged")
    return { ...before.plan, took: 0, whole: ended - started, sent: client.report().calls };
  if (result.as !== "applied" || result.summary.outcomes.done !== before.plan?.changed) fail(result);
  const { user, system } = process.cpuUsage(usage);
  return {
    ...before.plan,
    ...(trace && { replies }),
    took: ended - begun,
    whole: ended - started,
    cpu: (user + system) / 1000,
    heldBefore: before.heldBefore,
    held: held(),
    megabytes: process.resourceUsage().maxRSS / 1024,
    sent: client.report().calls,
    report: client.report(),
  };
}

/** Applies some manifests in turn, again and again in this process, and says what was held after each. */
async function inARow({ turns, rounds, engine, server, state, ...options }) {
  const after = [];
  for (let round = 0; round < rounds; round += 1) {
    await act({ ...options, engine, server, state, what: "apply", manifests: turns[round % turns.length] });
    after.push(held());
  }
  return { held: after };
}

/**
 * Takes everything of the tenant into manifests in memory, and to files where asked to; says what both cost.
 * @param {Engine} engine
 * @param {ReturnType<typeof requestFor>} request
 * @param {import("../src/apply/session.js").Session} session
 * @param {{ started: number, out: string | null }} options
 */
async function imported({ importObjects, filesOf, writeNewFiles }, request, session, { started, out }) {
  const { client } = session;
  if (client === null) throw new Error("an import needs a server");
  const choice = { patterns: [], apps: [], templates: [], limit: null, where: [], objects: null };
  const manifests = { ...request.project.manifests, project: [] };
  const order = {
    request: { ...request, project: { ...request.project, manifests } },
    choice,
    taken: () => new Set(),
    schema: () => null,
    progress: () => undefined,
  };
  const { value, diagnostics } = await importObjects(order, session);
  const took = performance.now() - started;
  client.close();
  if (value === null || diagnostics.length > 0) fail({ as: "import", diagnostics });
  const begun = performance.now();
  const files = filesOf(value.manifests, "object", () => false).map(({ path, manifests: [one] }) => ({
    path: join(out ?? "", path),
    shown: path,
    text: one.text,
  }));
  const { pid, arch, version: node } = process;
  const world = { cwd: root, unique: () => crypto.randomUUID(), process: { pid, arch, node, host: "bench" } };
  if (out !== null) await writeNewFiles(world, files, () => undefined);
  return {
    took,
    wrote: performance.now() - begun,
    manifests: value.manifests.length,
    bytes: value.manifests.reduce((sum, { text }) => sum + text.length, 0),
    sent: client.report().calls,
    report: client.report(),
    megabytes: process.resourceUsage().maxRSS / 1024,
    cpu: process.cpuUsage().user / 1000,
  };
}

/**
 * What a plan is, and what making it cost.
 * @param {Engine} engine
 * @param {import("../src/plan/plan.js").Planned} plan
 */
function planned({ isWriting, measured }, plan, started, client) {
  const { steps, calls } = plan;
  return {
    planned: performance.now() - started,
    calls: Object.values(calls.made).reduce((sum, count) => sum + count, 0),
    ahead: Object.values(calls.ahead).reduce((sum, count) => sum + count, 0),
    estimate: measured(plan, speedOf(client)).estimate.seconds * 1000,
    changed: steps.filter(isWriting).length,
    steps: steps.length,
    cpu: processorTime(),
    megabytes: process.resourceUsage().maxRSS / 1024,
  };
}

/** Milliseconds of the processor that this process took so far. */
function processorTime() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** How fast the service was, with a state in a file; null where nothing was read. */
function speedOf(client) {
  return client === null
    ? null
    : { ...client.report(), rhythm: { saves: 10_000, ahead: 0, trip: 0, horizon: 2_000 } };
}

/** The same lock, whose journal does not wait for the disk. */
function unwritten(lock) {
  return { ...lock, journal: { ...lock.journal, append: async () => undefined } };
}

/**
 * @param {{ as?: string, diagnostics?: readonly unknown[], summary?: import("../src/apply/summary.js").Summary }} result
 * @returns {never}
 */
function fail({ as, diagnostics, summary }) {
  throw new Error(
    JSON.stringify([as, diagnostics?.slice(0, 2), summary?.outcomes, summary?.notable?.slice(0, 2)]),
  );
}

/** Megabytes that are still in use after a collection; null where none can be asked for. */
function held() {
  globalThis.gc?.();
  return globalThis.gc === undefined ? null : process.memoryUsage().heapUsed / 1024 ** 2;
}

/** The bare parser, as its package gives it. */
async function parse(manifests) {
  const { parseAllDocuments } = await import("yaml");
  const started = performance.now();
  let documents = 0;
  for (const name of readdirSync(manifests).sort())
    documents += parseAllDocuments(readFileSync(join(manifests, name), "utf8")).length;
  return { documents, took: performance.now() - started, megabytes: process.resourceUsage().maxRSS / 1024 };
}

/** Serves an open tenant, or one with so many objects of each sort, in this process. */
async function serve({
  engine: path,
  faults,
  types = 0,
  groups = 0,
  reviews = 0,
  isAutomated = false,
  apps = Math.ceil(types / 100),
  asked,
}) {
  /** @type {Engine} */
  const engine = await import(pathToFileURL(path).href);
  const many = (count, make) => Array.from({ length: count }, (_, at) => make(at));
  const isOpen = types + groups + reviews + apps === 0;
  const sandbox = await engine.startSandbox({
    interface: asked ?? "full",
    tenant: {
      ...engine.EMPTY_TENANT,
      open: isOpen,
      apps: isOpen
        ? []
        : [
            { id: engine.C1_APP_ID, displayName: "C1" },
            ...many(apps, (at) => ({ id: id("P", at), displayName: `App ${at}` })),
          ],
      resourceTypes: many(types, (at) => ({
        appId: id("P", Math.floor(at / 100)),
        id: id("Y", at),
        displayName: `Team ${at}`,
        traitIds: [id("U", at % 9)],
      })),
      entitlements: many(groups, (at) => ({
        appId: engine.C1_APP_ID,
        id: id("G", at),
        displayName: `Group ${at}`,
        alias: `group-${at}`,
        slug: `slug-${at}`,
      })),
      automations: many(isAutomated ? groups : 0, (at) => ({
        appId: engine.C1_APP_ID,
        appEntitlementId: id("G", at),
        displayName: `Group ${at}`,
        description: "before",
        cel: { expression: `subject.department == "Team ${at}"` },
      })),
      templates: many(reviews, (at) => ({ id: id("T", at), displayName: `Review ${at}` })),
    },
    ...(faults === undefined ? {} : { faults: engine.parseFaults(faults) }),
    keep: 100,
  });
  process.on("disconnect", () => process.exit());
  process.send?.(sandbox.url);
}

if (process.argv[1] === here) {
  const options = JSON.parse(process.argv[3]);
  if (process.argv[2] === "serve") await serve(options);
  else console.log(JSON.stringify(await act(options)));
}
