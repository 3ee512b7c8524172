/**
 * The sandbox beside its bounds. Writes a second, with the load in its own process, next to bare node:http under the
 * same load; and the memory of a million entitlements. `node bench/sandbox.mjs` prints the
 * table; `figures` gives its rows.
 */
import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import { connect } from "node:net";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { bundleModule } from "../scripts/bundleModule.mjs";
import { median, row } from "./figure.mjs";

const here = fileURLToPath(import.meta.url);
const root = fileURLToPath(new URL("..", import.meta.url));
const WIDTH = 16;
const WRITES_A_SECOND = 3000;
const ENTITLEMENTS = 1_000_000;
const MOST_MEMORY = 2 * 1024 ** 3;

/** Measures and gives one row per figure; `quick` makes fewer calls and a smaller tenant. */
export async function figures({ quick = false } = {}) {
  const folder = await mkdtemp(join(root, "node_modules", ".bench-"));
  try {
    const bundle = await bundleModule("bench/sources/sandbox.ts", folder);
    return [...(await measureWrites(bundle, quick)), ...(await measureMemory(bundle, quick))];
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function measureWrites(bundle, quick) {
  const rounds = quick ? 5 : 15;
  const calls = quick ? 2000 : 4000;
  const sandbox = await start("sandbox", bundle, "1000");
  const bare = await start("bare");
  try {
    for (const server of [sandbox, bare]) await load(server, 2 * calls);
    const samples = [];
    // The two take turns, so that a slow moment of the machine falls on both.
    for (let round = 0; round < rounds; round += 1) {
      samples.push({ sandbox: await load(sandbox, calls), bare: await load(bare, calls) });
    }
    const rate = median(samples.map((sample) => sample.sandbox));
    const bound = median(samples.map((sample) => sample.bare));
    const ratio = median(samples.map((sample) => sample.sandbox / sample.bare));
    return [
      row(
        "sandbox writes",
        Math.round(rate),
        "writes/s",
        `at least ${WRITES_A_SECOND}`,
        ratio,
        rate >= WRITES_A_SECOND,
      ),
      row("bare node:http, same requests and replies", Math.round(bound), "calls/s", null, null, true),
    ];
  } finally {
    sandbox.stop();
    bare.stop();
  }
}

async function measureMemory(bundle, quick) {
  const size = quick ? ENTITLEMENTS / 10 : ENTITLEMENTS;
  const sandbox = await start("sandbox", bundle, String(size));
  try {
    await load(sandbox, 2000);
    const { peak, now } = await sandbox.memory();
    const most = MOST_MEMORY * (size / ENTITLEMENTS);
    const label = `${size.toLocaleString("en")} entitlements`;
    return [
      row(
        `peak memory with ${label}`,
        megabytes(peak),
        "MB",
        `below ${megabytes(most)}`,
        peak / most,
        quick || peak < most,
      ),
      row(`memory with ${label}`, megabytes(now), "MB", null, null, true),
    ];
  } finally {
    sandbox.stop();
  }
}

/** Starts a server in a process of its own. */
/** @param {string[]} argv */
async function start(...argv) {
  const child = fork(here, ["serve", ...argv]);
  const next = () => new Promise((resolve) => child.once("message", resolve));
  const { port } = await next();
  return {
    port,
    stop: () => child.kill(),
    memory: () => {
      child.send("memory");
      return next();
    },
  };
}

/** Sends so many writes, of all three kinds in turn, and gives how many a second were answered. */
async function load({ port }, calls) {
  const requests = writes(port);
  let sent = 0;
  const started = performance.now();
  const worker = () =>
    /** @type {Promise<void>} */ (
      new Promise((resolve, reject) => {
        const socket = connect(port, "127.0.0.1");
        socket.setNoDelay(true);
        let left = 0;
        const next = () => {
          if (sent === calls) return socket.end(resolve);
          socket.write(requests[sent % requests.length]);
          sent += 1;
        };
        socket.on("connect", next);
        socket.on("error", reject);
        socket.on("data", (chunk) => {
          if (left === 0) left = lengthOf(chunk);
          left -= chunk.length;
          if (left === 0) next();
        });
      })
    );
  await Promise.all(Array.from({ length: WIDTH }, worker));
  return calls / ((performance.now() - started) / 1000);
}

/** How long a reply is, head and body; it must be a good one. */
function lengthOf(chunk) {
  const head = chunk.toString("latin1", 0, chunk.indexOf("\r\n\r\n"));
  if (!head.startsWith("HTTP/1.1 200")) throw new Error(chunk.toString());
  return head.length + 4 + Number(/content-length: (\d+)/i.exec(head)?.[1]);
}

/** One request of each kind of write, about what a generated tenant has. */
function writes(port) {
  const app = "2fsgTvxP0DVTsNXEUBI7hOe0l5A";
  const entitlement = (place) => `2gen${String(place).padStart(23, "0")}`;
  const refs = Array.from({ length: 10 }, (_, place) => ({
    appId: app,
    appEntitlementId: entitlement(place),
  }));
  const filler = "x".repeat(800);
  const bodies = [
    [
      `apps/${app}/entitlements/${entitlement(0)}/automation/update`,
      {
        displayName: "Engineering",
        description: filler,
        cel: { expression: 'subject.department == "Engineering"' },
      },
    ],
    [
      `apps/${app}/resource_types/${TYPE}`,
      { appResourceType: { displayName: filler }, updateMask: "displayName" },
    ],
    [
      `access_review_template/${TEMPLATE}/scope_and_entitlements`,
      { scope: { allUsers: {}, specificResources: {} }, entitlements: refs },
    ],
  ];
  return bodies.map(([path, body]) => {
    const text = JSON.stringify(body);
    return `POST /api/v1/${path} HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\nauthorization: Bearer sandbox\r\ncontent-type: application/json\r\ncontent-length: ${text.length}\r\n\r\n${text}`;
  });
}

const TEMPLATE = "2fsgTvxP0DVTsNXEUBI7hOe0l5B";
const TYPE = "2fsgTvxP0DVTsNXEUBI7hOe0l5C";

/** @param {string[]} argv */
async function serve([kind, bundle, size]) {
  const port = kind === "bare" ? await serveBare() : await serveSandbox(bundle, Number(size));
  process.on("disconnect", () => process.exit());
  process.on("message", () => {
    process.send?.({ peak: process.resourceUsage().maxRSS * 1024, now: process.memoryUsage.rss() });
  });
  process.send?.({ port });
}

async function serveSandbox(bundle, size) {
  /** @type {typeof import("./sources/sandbox.js")} */
  const { startSandbox, generateTenant } = await import(pathToFileURL(bundle).href);
  const tenant = generateTenant(size);
  const appId = tenant.c1AppId;
  const sandbox = await startSandbox({
    tenant: {
      ...tenant,
      resourceTypes: [...tenant.resourceTypes, { appId, id: TYPE, displayName: "Team" }],
      templates: [...tenant.templates, { id: TEMPLATE, displayName: "Q4" }],
    },
    keep: 10_000,
  });
  return Number(new URL(sandbox.url).port);
}

/** Answers with as much as the sandbox does, and does nothing for it. */
async function serveBare() {
  const reply = Buffer.from(JSON.stringify({ body: "x".repeat(1500) }));
  const headers = { "content-type": "application/json", "content-length": reply.length };
  const server = createServer((request, response) => {
    request.resume();
    request.on("end", () => response.writeHead(200, headers).end(reply));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return /** @type {import("node:net").AddressInfo} */ (server.address()).port;
}

function megabytes(bytes) {
  return Math.round(bytes / 1024 ** 2);
}

if (process.argv[1] === here) {
  if (process.argv[2] === "serve") await serve(process.argv.slice(3));
  else console.table(await figures({ quick: process.argv.includes("--quick") }));
}
