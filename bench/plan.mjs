// Planning beside its bounds: time beside the bare YAML parser, calls, memory, and waiting beside what latency demands.
// node bench/plan.mjs [--quick]
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { median, row } from "./figure.mjs";
import { newType, onStage, resourceType, templateScope } from "./stage.mjs";

const TIME_BOUND = 1.6;
const MOST_CALLS = 200;
/** The read that finds out what the service offers. */
const PROBE = 1;
const MOST_MEMORY = 1024;
const WAIT_BOUND = 1.2;
const LIVE_BOUND = 3;
const LIVE_MEMORY = 250;
/** Planning five times as many objects takes five times as long; a tenth for what the machine does meanwhile. */
const LINEAR = 5.5;

/** Measures and gives one row per figure; `quick` takes fewer rounds and smaller worlds. */
export async function figures({ quick = false } = {}) {
  return onStage(async (stage) => [
    ...(await offline(stage, quick)),
    ...(await live(stage, quick)),
    ...(await creates(stage, quick)),
    ...(await memory(stage, quick)),
    ...(await waiting(stage, quick)),
  ]);
}

async function offline({ act, folder, manifests, sandbox }, quick) {
  const count = quick ? 2_000 : 10_000;
  const state = join(folder, "offline", "state.json");
  const where = manifests("offline-manifests", count, templateScope);
  await act("apply", { manifests: where, state, server: await sandbox({ asked: "core" }), width: 20 });
  const pairs = [];
  for (let pair = 0; pair < (quick ? 3 : 5); pair += 1) {
    const sides = ["plan", "parse"];
    const results = {};
    for (const side of pair % 2 === 0 ? sides : sides.reverse())
      results[side] = await act(side, { manifests: where, state });
    pairs.push(results);
  }
  if (pairs.some(({ plan }) => plan.changed > 0))
    throw new Error("a plan of what was applied has something to do");
  const ratio = median(pairs.map(({ plan, parse }) => plan.planned / parse.took));
  const of = (read) => Math.round(median(pairs.map(read)));
  const label = count.toLocaleString("en");
  return [
    row(
      `offline plan of ${label} resources against a state of as many`,
      of(({ plan }) => plan.planned),
      "ms",
      `at most ${TIME_BOUND} of the bare parse (${of(({ parse }) => parse.took)} ms)`,
      ratio,
      ratio <= TIME_BOUND,
    ),
  ];
}

async function live({ act, folder, manifests, sandbox }, quick) {
  const count = quick ? 1_000 : 10_000;
  const where = manifests("types", count, resourceType);
  const server = await sandbox({ types: count });
  const options = { manifests: where, state: join(folder, "live", "state.json"), asked: "auto" };
  const offline = await act("plan", options);
  const { calls, changed, cpu, megabytes } = await act("plan", { ...options, server });
  if (changed !== count) throw new Error(`${changed} of ${count} types would be adopted`);
  const most = (MOST_CALLS * count) / 10_000 + PROBE;
  const label = `calls of a live plan of ${count.toLocaleString("en")} types in ${count / 100} apps`;
  const bound = `at most ${LIVE_BOUND} of the offline plan (${Math.round(offline.cpu)} ms)`;
  return [
    row(label, calls, "calls", `at most ${most}`, calls / most, calls <= most),
    row("CPU of the same", Math.round(cpu), "ms", bound, cpu / offline.cpu, cpu <= LIVE_BOUND * offline.cpu),
    row(
      "peak memory of the same",
      Math.round(megabytes),
      "MB",
      `at most ${LIVE_MEMORY}`,
      megabytes / LIVE_MEMORY,
      megabytes <= LIVE_MEMORY,
    ),
  ];
}

/** A live plan of creates, and of five times as many. */
async function creates({ act, folder, manifests, sandbox }, quick) {
  const [few, many] = quick ? [1_000, 5_000] : [10_000, 50_000];
  const planned = async (count) => {
    const where = manifests(`creates-${count}`, count, (at) => newType(at));
    const server = await sandbox({ apps: count / 50 });
    const state = join(folder, `creates-${count}`, "state.json");
    const plan = await act("plan", { manifests: where, state, server, asked: "auto" });
    if (plan.changed !== count) throw new Error(`${plan.changed} of ${count} types would be created`);
    return plan;
  };
  const [short, long] = [await planned(few), await planned(many)];
  const ratio = long.cpu / short.cpu;
  const [fewer, more] = [few, many].map((count) => count.toLocaleString("en"));
  return [
    row(
      `CPU of a live plan of ${more} creates`,
      Math.round(long.cpu),
      "ms",
      `at most ${LINEAR} of that of ${fewer} (${Math.round(short.cpu)} ms)`,
      ratio,
      ratio <= LINEAR,
    ),
    row(
      `peak memory of a live plan of ${fewer} creates`,
      Math.round(short.megabytes),
      "MB",
      `at most ${LIVE_MEMORY}`,
      short.megabytes / LIVE_MEMORY,
      short.megabytes <= LIVE_MEMORY,
    ),
    row(`peak memory of a live plan of ${more} creates`, Math.round(long.megabytes), "MB", null, null, true),
  ];
}

async function memory({ act, folder, manifests }, quick) {
  const sizes = quick ? [2_000, 10_000] : [10_000, 25_000, 50_000];
  const rows = [];
  for (const size of sizes) {
    const where = manifests(`memory-${size}`, size, templateScope);
    const { megabytes } = await act("plan", {
      manifests: where,
      state: join(folder, `memory-${size}`, "state.json"),
    });
    const label = `peak memory, first plan of ${size.toLocaleString("en")} resources`;
    rows.push(
      row(
        label,
        Math.round(megabytes),
        "MB",
        `below ${MOST_MEMORY}`,
        megabytes / MOST_MEMORY,
        megabytes < MOST_MEMORY,
      ),
    );
  }
  return rows;
}

async function waiting({ act, folder, manifests, sandbox }, quick) {
  const count = quick ? 200 : 1_000;
  const latency = 50;
  const where = manifests("waiting-manifests", count, templateScope);
  const state = join(folder, "waiting", "state.json");
  const server = await sandbox({ faults: `latency=${latency}` });
  await act("apply", { manifests: where, state, server, width: 50, asked: "full" });
  const rows = [];
  for (const width of [10, 50]) {
    const times = [];
    let calls = 0;
    for (let round = 0; round < (quick ? 1 : 3); round += 1) {
      const plan = await act("plan", { manifests: where, state, server, width, asked: "auto" });
      if (plan.changed > 0) throw new Error("a plan of what was applied has something to do");
      times.push(plan.planned);
      calls = plan.calls;
    }
    const bound = (calls * latency) / width;
    const ratio = median(times) / bound;
    rows.push(
      row(
        `no-change plan of ${count.toLocaleString("en")} resources at ${latency} ms, ${width} at a time`,
        Math.round(median(times)),
        "ms",
        `at most ${WAIT_BOUND} of calls × latency ÷ width (${Math.round(bound)} ms)`,
        ratio,
        ratio <= WAIT_BOUND,
      ),
    );
  }
  return rows;
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  console.table(await figures({ quick: process.argv.includes("--quick") }));
