// Applying beside its bounds: waiting beside what latency demands, throughput beside a bare got loop on the same bodies,
// memory, and the pace under a token bucket. node bench/apply.mjs [--quick]
import { Agent } from "node:http";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import got from "got";
import { id, median, onStage, resourceType, row, templateScope } from "./stage.mjs";

const WAIT_BOUND = 1.08;
const THROUGHPUT_BOUND = 0.7;
const BUCKET = 100;
const BUCKET_BOUND = 0.9;
const REFUSED_BOUND = 0.05;
const MEMORY_BOUND = 1.5;

/** Measures and gives one row per figure; `quick` takes fewer rounds and smaller worlds. */
export async function figures({ quick = false } = {}) {
  return onStage(async (stage) => [
    ...(await waiting(stage, quick)),
    ...(await throughput(stage, quick)),
    ...(await memory(stage, quick)),
    ...(await bucket(stage, quick)),
  ]);
}

async function waiting({ act, folder, manifests, sandbox }, quick) {
  const count = quick ? 2_000 : 10_000;
  const latency = 50;
  const width = 50;
  const rows = [];
  const label = count.toLocaleString("en");
  for (const asked of ["core", "auto"]) {
    const make = asked === "core" ? templateScope : renamed;
    const where = manifests(`waiting-${asked}`, count, make);
    const server = await sandbox({
      faults: `latency=${latency}`,
      asked: asked === "core" ? "core" : "full",
      types: asked === "core" ? 0 : count,
    });
    const state = join(folder, `waiting-${asked}`, "state.json");
    const { took, sent } = await act("apply", { manifests: where, state, server, width, asked });
    const bound = (sent * latency) / width;
    const ratio = took / bound;
    const what = asked === "core" ? "writes" : "writes, each checked by a list before";
    rows.push(
      row(
        `${label} ${what}, at ${latency} ms, ${width} at a time`,
        Math.round(took),
        "ms",
        `at most ${WAIT_BOUND} of ${sent} calls × latency ÷ width (${Math.round(bound)} ms)`,
        ratio,
        ratio <= WAIT_BOUND,
      ),
    );
  }
  return rows;
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
    const bare = async () => gotLoop(server, count, width);
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

async function gotLoop(server, count, width) {
  const agent = { http: new Agent({ keepAlive: true, maxFreeSockets: width }) };
  const bare = got.extend({ agent, retry: { limit: 0 }, headers: { authorization: "Bearer sandbox" } });
  let next = 0;
  const started = performance.now();
  const worker = async () => {
    while (next < count) {
      const number = next++;
      const url = `${server}/api/v1/access_review_template/${id("T", number)}/scope_and_entitlements`;
      await bare.post(url, { json: bodyOf(number) }).json();
    }
  };
  await Promise.all(Array.from({ length: width }, worker));
  agent.http.destroy();
  return count / ((performance.now() - started) / 1000);
}

function bodyOf(number) {
  const entitlements = ["E", "F"].map((letter) => ({
    appEntitlementId: id(letter, number),
    appId: id("A", number),
  }));
  const scope = {
    appSelectionCriteria: { riskLevelAttributeValueIds: [id("R", number), id("S", number)] },
    grantsByCriteria: { daysSinceLastUsed: "7776000s", typeFilter: "GRANT_FILTER_TYPE_PERMANENT" },
    userCriteria: { userStatus: ["ENABLED"] },
  };
  return { entitlements, scope };
}

async function memory({ act, folder, manifests, sandbox }, quick) {
  const server = await sandbox({ asked: "core" });
  const sizes = quick ? [500, 2_000] : [1_000, 20_000];
  const grown = [];
  for (const size of sizes) {
    const where = manifests(`memory-${size}`, size, templateScope);
    const state = join(folder, `memory-${size}`, "state.json");
    const { beforeApply, megabytes } = await act("apply", { manifests: where, state, server, width: 50 });
    grown.push({ size, grown: megabytes - beforeApply, megabytes });
  }
  const [small, large] = grown;
  const ratio = large.megabytes / small.megabytes;
  const label = `peak memory of an apply of ${large.size.toLocaleString("en")} steps, its plan included`;
  return [
    row(label, Math.round(large.megabytes), "MB", null, null, true),
    row(
      `memory an apply adds to its plan, ${large.size.toLocaleString("en")} steps beside ${small.size.toLocaleString("en")}`,
      Math.round(large.grown),
      "MB",
      `beside ${Math.round(small.grown)} MB`,
      large.grown / Math.max(1, small.grown),
      ratio > 0 && large.grown <= Math.max(small.grown * MEMORY_BOUND, small.grown + 100),
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
