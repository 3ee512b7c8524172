/**
 * The client beside bare got and bare node:http: throughput and CPU per POST of 2 KB against the same
 * server in its own process. `node bench/client.mjs` prints the table; `figures` gives its rows.
 */
import { fork } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { Agent, createServer, request } from "node:http";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import got from "got";
import { loadModule } from "../scripts/bundleModule.mjs";
import { median } from "./figure.mjs";

const here = fileURLToPath(import.meta.url);
const root = fileURLToPath(new URL("..", import.meta.url));
const WIDTHS = [1, 10, 50];
const BOUND = 0.85;
const BODY = { automation: { displayName: "Engineering", description: "x".repeat(1960) } };

/** Measures and gives one row per figure; `quick` makes fewer calls. */
export async function figures({ quick = false } = {}) {
  const folder = await mkdtemp(join(root, "node_modules", ".bench-"));
  const server = await startServer();
  try {
    const makeClient = await bundleClient(folder);
    const rows = [];
    for (const width of WIDTHS) {
      rows.push(...(await measure(width, senders(server.url, makeClient, width), quick)));
    }
    return rows;
  } finally {
    server.stop();
    await rm(folder, { recursive: true });
  }
}

async function measure(width, ways, quick) {
  const calls = width === 1 ? 150 : 400;
  const rounds = quick ? 9 : 31;
  const names = Object.keys(ways);
  const samples = [];
  for (const name of names) await load(ways[name].send, 4 * calls, width);
  // The ways take turns, each round from another start, so that a slow moment of the machine falls on all of them.
  for (let round = 0; round < rounds; round += 1) {
    const sample = {};
    for (let turn = 0; turn < names.length; turn += 1) {
      const name = names[(round + turn) % names.length];
      sample[name] = await load(ways[name].send, calls, width);
    }
    samples.push(sample);
  }
  for (const way of Object.values(ways)) way.close();
  const rate = (name) => median(samples.map((sample) => sample[name].rate));
  const cpu = (name) => median(samples.map((sample) => sample[name].cpu));
  const ratio = median(samples.map((sample) => sample.remit.rate / sample.got.rate));
  const plain = (figure, value, unit) => ({ figure, value, unit, bound: null, ratio: null, ok: true });
  return [
    {
      figure: `client throughput, width ${width}`,
      value: Math.round(rate("remit")),
      unit: "calls/s",
      bound: `${BOUND} of bare got (${Math.round(rate("got"))})`,
      ratio: round2(ratio),
      ok: ratio >= BOUND,
    },
    plain(`bare got throughput, width ${width}`, Math.round(rate("got")), "calls/s"),
    plain(`bare node:http throughput, width ${width}`, Math.round(rate("http")), "calls/s"),
    plain(`client CPU per POST, width ${width}`, Math.round(cpu("remit")), "µs"),
    plain(`bare got CPU per POST, width ${width}`, Math.round(cpu("got")), "µs"),
    plain(`bare node:http CPU per POST, width ${width}`, Math.round(cpu("http")), "µs"),
  ];
}

async function load(send, calls, width) {
  let left = calls;
  const before = process.cpuUsage();
  const started = performance.now();
  const work = async () => {
    while (left > 0) {
      left -= 1;
      await send();
    }
  };
  await Promise.all(Array.from({ length: width }, work));
  const seconds = (performance.now() - started) / 1000;
  const { user, system } = process.cpuUsage(before);
  return { rate: calls / seconds, cpu: (user + system) / calls };
}

function senders(server, makeClient, width) {
  const pool = () => new Agent({ keepAlive: true, maxFreeSockets: width });
  const agents = { got: pool(), http: pool() };
  const path =
    "/api/v1/apps/2fsgTvxP0DVTsNXEUBI7hOe0l5C/entitlements/2fsgTvxP0DVTsNXEUBI7hOe0l5D/automation/create";
  const bare = got.extend({ agent: { http: agents.got }, retry: { limit: 0 } });
  const client = makeClient(server, width);
  const call = {
    method: "POST",
    path: path.slice(1).split("/"),
    body: BODY,
    effect: "once",
    expects: ["automation"],
  };
  return {
    remit: { send: () => client.pace.limit(() => client.send(call)), close: client.close },
    got: {
      send: () => bare.post(server + path, { json: BODY, headers: { authorization: "Bearer token" } }).json(),
      close: () => agents.got.destroy(),
    },
    http: { send: () => post(server + path, agents.http), close: () => agents.http.destroy() },
  };
}

function post(url, agent) {
  return new Promise((resolve, reject) => {
    const body = JSON.stringify(BODY);
    const headers = {
      authorization: "Bearer token",
      "content-type": "application/json",
      "content-length": Buffer.byteLength(body),
    };
    const sent = request(url, { method: "POST", agent, headers }, (response) => {
      const chunks = [];
      response.on("data", (chunk) => chunks.push(chunk));
      response.on("end", () => resolve(JSON.parse(Buffer.concat(chunks).toString("utf8"))));
    });
    sent.on("error", reject);
    sent.end(body);
  });
}

async function bundleClient(folder) {
  /** @type {typeof import("./sources/client.js")} */
  const { makeClient, Secret } = await loadModule("bench/sources/client.ts", folder);
  const clock = {
    now: () => Date.now(),
    elapsed: () => performance.now(),
    sleep: (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)),
  };
  return (server, width) =>
    makeClient({
      server,
      credentials: { as: "bearer", token: new Secret("token"), from: ["REMIT_TOKEN"] },
      clock,
      random: Math.random,
      width,
      retries: 4,
      requestTimeout: 60_000,
      userAgent: "remit/bench",
      proxies: { https: null, http: null, all: null, exempt: "" },
    });
}

async function startServer() {
  const child = fork(here, ["serve"]);
  const port = await new Promise((resolve) => child.once("message", resolve));
  return { url: `http://127.0.0.1:${port}`, stop: () => child.kill() };
}

function serve() {
  const reply = JSON.stringify(BODY);
  const headers = { "content-type": "application/json", "content-length": Buffer.byteLength(reply) };
  const server = createServer((request, response) => {
    request.resume();
    request.on("end", () => response.writeHead(200, headers).end(reply));
  });
  server.listen(0, "127.0.0.1", () =>
    process.send?.(/** @type {import("node:net").AddressInfo} */ (server.address()).port),
  );
  process.on("disconnect", () => process.exit());
}

function round2(number) {
  return Math.round(number * 100) / 100;
}

if (process.argv[1] === here) {
  if (process.argv[2] === "serve") serve();
  else console.table(await figures({ quick: process.argv.includes("--quick") }));
}
