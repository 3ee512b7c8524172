// Applying beside its bounds: waiting beside what latency demands, throughput beside a bare got loop on the same
// bodies,
// memory, and the pace under a token bucket. node bench/apply.mjs [--quick]
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { bareCreates, bareLoop } from "./bare.mjs";
import { median, row } from "./figure.mjs";
import { startFront } from "./front.mjs";
import { automation, newType, onStage, resourceType, templateScope } from "./stage.mjs";

const WAIT_BOUND = 1.08;
const THROUGHPUT_BOUND = 0.8;
/** Applies in a row leave nothing behind once everything was used; a twentieth is for what is used late. */
const FLAT = 1.05;
/** A first apply beside a bare got loop that makes the same creates. */
const CREATES_BOUND = 1.1;
const BUCKET = 100;
const BUCKET_BOUND = 0.95;
const REFUSED_BOUND = 0.03;
/** Megabytes of an apply of 20,000 steps. */
const PEAK_BOUND = 350;
/** Megabytes that one entry of the state may take. */
const STATE_BOUND = 0.002;

/** Measures and gives one row per figure; `quick` takes fewer rounds and smaller worlds. */
export async function figures({ quick = false } = {}) {
  return onStage(async (stage) => [
    ...(await waiting(stage, quick)),
    ...(await throughput(stage, quick)),
    await creates(stage, quick),
    ...(await memory(stage, quick)),
    ...(await inARow(stage, quick)),
    ...(await bucket(stage, quick)),
  ]);
}

const LATENCY = 50;
const WIDTH = 50;

async function waiting({ act, folder, manifests, sandbox }, quick) {
  const count = quick ? 2_000 : 10_000;
  const where = manifests("waiting", count, templateScope);
  const server = await sandbox({ faults: `latency=${LATENCY}`, asked: "core" });
  const bound = (count * LATENCY) / WIDTH;
  const pairs = [];
  for (let pair = 0; pair < (quick ? 1 : 3); pair += 1) {
    const got = (await bareLoop({ server, count, width: WIDTH })) / bound;
    const state = join(folder, `waiting-${pair}`, "state.json");
    const { took } = await act("apply", { manifests: where, state, server, width: WIDTH });
    pairs.push({ got, remit: took / bound });
  }
  const ratio = median(pairs.map(({ remit }) => remit));
  const got = median(pairs.map((pair) => pair.got)).toFixed(2);
  return [
    waitRow(`${count.toLocaleString("en")} writes`, ratio * bound, bound, `; a bare got loop takes ${got}`),
    await waitingChecked({ act, folder, manifests, sandbox }, count),
  ];
}

async function waitingChecked({ act, folder, manifests, sandbox }, count) {
  const where = manifests("checked", count, renamed);
  const server = await sandbox({ faults: `latency=${LATENCY}`, asked: "full", types: count });
  const state = join(folder, "checked", "state.json");
  const options = { manifests: where, state, server, width: WIDTH, asked: "auto" };
  const { took, sent } = await act("apply", options);
  const figure = `${count.toLocaleString("en")} writes, each checked by a list before`;
  return waitRow(figure, took, (sent * LATENCY) / WIDTH, "");
}

function waitRow(figure, took, bound, beside) {
  const ratio = took / bound;
  return row(
    `${figure}, at ${LATENCY} ms, ${WIDTH} at a time`,
    Math.round(took),
    "ms",
    `at most ${WAIT_BOUND} of calls × latency ÷ width (${Math.round(bound)} ms)${beside}`,
    ratio,
    ratio <= WAIT_BOUND,
  );
}

// Another name than the tenant has, so that each type is one write.
function renamed(number) {
  return resourceType(number).replace("displayName: Team", "displayName: Guild");
}

async function throughput({ act, folder, manifests, sandbox }, quick) {
  const count = quick ? 1_000 : 5_000;
  const width = 50;
  const where = manifests("throughput", count, templateScope);
  const server = await sandbox({ asked: "core" });
  const pairs = [];
  for (let pair = 0; pair < (quick ? 2 : 5); pair += 1) {
    const state = join(folder, `throughput-${pair}`, "state.json");
    const apply = async () =>
      count / ((await act("apply", { manifests: where, state, server, width })).took / 1000);
    const bare = async () => count / ((await bareLoop({ server, count, width })) / 1000);
    const sides = pair % 2 === 0 ? [await apply(), await bare()] : [await bare(), await apply()].reverse();
    pairs.push({ remit: sides[0], got: sides[1] });
  }
  const ratio = median(pairs.map(({ remit, got }) => remit / got));
  const bound = Math.round(median(pairs.map(({ got }) => got)));
  return [
    row(
      `writes a second without latency, journal on, ${width} at a time`,
      Math.round(median(pairs.map(({ remit }) => remit))),
      "writes/s",
      `at least ${THROUGHPUT_BOUND} of a bare got loop (${bound})`,
      ratio,
      ratio >= THROUGHPUT_BOUND,
    ),
  ];
}

/** A first apply of types through TLS, and a loop over the same creates, in turn. */
async function creates({ act, engine, folder, manifests, sandbox }, quick) {
  const [count, width] = [quick ? 300 : 1_000, 10];
  const where = manifests("creates", count, newType);
  /** @type {import("./stage.mjs").Engine} */
  const { CERTIFICATE } = await import(pathToFileURL(engine).href);
  const trusted = join(folder, "front.pem");
  writeFileSync(trusted, CERTIFICATE.cert);
  process.env.NODE_EXTRA_CA_CERTS = trusted;
  const sides = {
    remit: async (server, pair) => {
      const state = join(folder, `creates-${pair}`, "state.json");
      return (await act("apply", { manifests: where, state, server, width, asked: "full" })).took;
    },
    got: (server) => bareCreates({ server, count, width }),
  };
  const pairs = [];
  for (let pair = 0; pair < (quick ? 1 : 5); pair += 1) {
    const took = {};
    for (const side of pair % 2 === 0 ? ["remit", "got"] : ["got", "remit"]) {
      const server = await sandbox({ faults: `latency=${LATENCY}`, apps: Math.ceil(count / 50) });
      const front = await startFront({ server, engine });
      took[side] = await sides[side](front.url, pair);
      front.close();
    }
    pairs.push(took);
  }
  const ratio = median(pairs.map(({ remit, got }) => remit / got));
  const got = Math.round(median(pairs.map((pair) => pair.got)));
  return row(
    `${count.toLocaleString("en")} creates through TLS, at ${LATENCY} ms, ${width} at a time`,
    Math.round(median(pairs.map(({ remit }) => remit))),
    "ms",
    `at most ${CREATES_BOUND} of a bare got loop (${got} ms)`,
    ratio,
    ratio <= CREATES_BOUND,
  );
}

// The heap after a collection shows what an apply holds; the process gets more than that, as much as the collector
// wants before it runs.
async function memory({ act, folder, manifests, sandbox }, quick) {
  const server = await sandbox({ asked: "core" });
  const sizes = quick ? [500, 2_000] : [1_000, 20_000];
  const held = [];
  for (const size of sizes) {
    const where = manifests(`memory-${size}`, size, templateScope);
    const options = { manifests: where, server, width: 50 };
    const state = (name) => join(folder, `memory-${size}-${name}`, "state.json");
    const collected = await act("apply", { ...options, state: state("held"), collect: true });
    const { megabytes } = await act("apply", { ...options, state: state("peak") });
    held.push({ size, grown: collected.held - collected.heldBefore, megabytes });
  }
  const [small, large] = held;
  const label = large.size.toLocaleString("en");
  return [
    row(
      `memory an apply holds at its end beyond its plan, ${label} steps beside ${small.size.toLocaleString("en")}`,
      Math.round(large.grown),
      "MB",
      `beside ${Math.round(small.grown)} MB: the new state, and nothing else`,
      large.grown / Math.max(1, small.grown),
      large.grown <= STATE_BOUND * large.size,
    ),
    row(
      `peak of the process, ${label} steps, its plan included`,
      Math.round(large.megabytes),
      "MB",
      `at most ${PEAK_BOUND} MB`,
      large.megabytes / PEAK_BOUND,
      large.megabytes <= PEAK_BOUND,
    ),
  ];
}

/** What a process holds after many applies, each of which changes everything. */
async function inARow({ act, folder, manifests, sandbox }, quick) {
  const [count, rounds] = [20, quick ? 40 : 200];
  const server = await sandbox({ groups: count });
  const turns = ["before", "after"].map((word) =>
    manifests(`row-${word}`, count, (at) => automation(at, word)),
  );
  const state = join(folder, "row", "state.json");
  const options = { manifests: turns, server, state, rounds, asked: "auto", collect: true };
  const { held } = await act("applies", options);
  const half = rounds / 2;
  const [early, last] = [median(held.slice(half - rounds / 10, half)), median(held.slice(-rounds / 10))];
  return [
    row(
      `memory held after ${rounds} applies in a row in one process`,
      Math.round(last * 10) / 10,
      "MB",
      `at most ${FLAT} of what it holds after ${half} (${Math.round(early * 10) / 10} MB)`,
      last / early,
      last <= FLAT * early,
    ),
  ];
}

async function bucket({ act, folder, manifests, sandbox }, quick) {
  const count = quick ? 600 : 3_000;
  const where = manifests("bucket", count, templateScope);
  const server = await sandbox({ asked: "core", faults: `bucket=${BUCKET}/${BUCKET}` });
  const state = join(folder, "bucket", "state.json");
  const { took, report } = await act("apply", { manifests: where, state, server, width: 50 });
  // The bucket is full at first: so many calls are free.
  const best = (count - BUCKET) / BUCKET;
  const used = best / (took / 1000);
  const refused = report.refusals / (count + report.refusals);
  return [
    row(
      `use of a bucket of ${BUCKET} calls a second, ${count.toLocaleString("en")} writes`,
      Math.round((count / took) * 1000),
      "writes/s",
      `at least ${BUCKET_BOUND} of the bucket`,
      used,
      used >= BUCKET_BOUND,
    ),
    row(
      "calls answered 429 under it",
      Math.round(refused * 1000) / 10,
      "%",
      `below ${REFUSED_BOUND * 100} %`,
      refused / REFUSED_BOUND,
      refused < REFUSED_BOUND,
    ),
  ];
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  console.table(await figures({ quick: process.argv.includes("--quick") }));
