// An import beside its bounds: waiting beside what latency demands, files beside a validate, and memory.
// node bench/import.mjs [--quick]
import { execFile } from "node:child_process";
import { linkSync, mkdirSync, unlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { median, row } from "./figure.mjs";
import { onStage } from "./stage.mjs";

const run = promisify(execFile);
const REMIT = fileURLToPath(new URL("../dist/remit.js", import.meta.url));
const LATENCY = 100;
const WIDTH = 10;
const WAIT_BOUND = 1.15;
const WRITE_BOUND = 1.5;
/** Of a process that holds 10,000 manifests as texts and what they were made from. */
const MOST_MEMORY = 256;

/** Measures and gives one row per figure; `quick` takes a smaller tenant. */
export async function figures({ quick = false } = {}) {
  const count = quick ? 1_000 : 10_000;
  return onStage(async (stage) => [...(await waiting(stage, count)), ...(await writing(stage, count))]);
}

/** Everything of a tenant with so many automations, into memory. */
async function waiting({ act, folder, sandbox }, count) {
  const server = await sandbox({ groups: count, isAutomated: true, faults: `latency=${LATENCY}` });
  const options = {
    server,
    width: WIDTH,
    asked: "auto",
    state: join(folder, "import", "state.json"),
    signsIn: true,
  };
  const { took, sent, manifests, megabytes } = await act("import", { ...options, manifests: folder });
  if (manifests !== count) throw new Error(`${manifests} of ${count} automations have a manifest`);
  const bound = (sent * LATENCY) / WIDTH;
  const label = `${count.toLocaleString("en")} automations at ${LATENCY} ms, ${WIDTH} at a time`;
  const most = `at most ${WAIT_BOUND} of calls × latency ÷ width (${Math.round(bound)} ms)`;
  return [
    row(`import of ${label}`, Math.round(took), "ms", most, took / bound, took / bound <= WAIT_BOUND),
    row(
      `peak memory of the import of ${label}`,
      Math.round(megabytes),
      "MB",
      `below ${MOST_MEMORY}`,
      megabytes / MOST_MEMORY,
      megabytes < MOST_MEMORY,
    ),
  ];
}

/**
 * The same manifests as files: written and validated, beside validated alone. The command says how long it wrote. No
 * round deletes its files: for minutes, ext4 gives the inodes of deleted files to no new file (fs/ext4/ialloc.c,
 * recently_deleted). It searches past them for each file, which takes up to twenty times as long as the writing.
 */
async function writing({ act, folder, sandbox }, count) {
  const server = await sandbox({ groups: count, isAutomated: true });
  const options = {
    server,
    width: 50,
    asked: "auto",
    state: join(folder, "write", "state.json"),
    signsIn: true,
  };
  const place = join(folder, "written");
  mkdirSync(place);
  await spread(place);
  const ratios = [];
  const times = [];
  const bare = [];
  for (let round = 0; round < 3; round += 1) {
    const out = join(place, `files-${round}`);
    mkdirSync(out);
    writeFileSync(join(out, "remit.yaml"), "manifests: [manifests]\n");
    const { wrote } = await act("import", { ...options, manifests: folder, out: join(out, "manifests") });
    const started = performance.now();
    await run(process.execPath, [REMIT, "validate"], { cwd: out });
    const validated = performance.now() - started;
    bare.push(bareLoop(join(out, "bare"), count));
    ratios.push((wrote + validated) / validated);
    times.push(wrote + validated);
  }
  const ratio = median(ratios);
  const figure = `${count.toLocaleString("en")} files written and validated`;
  const most = `at most ${WRITE_BOUND} of remit validate alone; a bare loop writes as many in ${Math.round(median(bare))} ms`;
  return [row(figure, Math.round(median(times)), "ms", most, ratio, ratio <= WRITE_BOUND)];
}

/** Lets each folder of a place use inodes of its own, far from those of files that others deleted; ext4 only. */
async function spread(place) {
  await run("chattr", ["+T", place]).catch(() => undefined);
}

/** Milliseconds in which this disk writes as many files, each under a name of its own first. */
function bareLoop(folder, count) {
  const text = "x".repeat(700);
  const draft = join(folder, "new.draft");
  mkdirSync(folder);
  const started = performance.now();
  for (let at = 0; at < count; at += 1) {
    writeFileSync(draft, text, { flag: "wx" });
    linkSync(draft, join(folder, `${at}.yaml`));
    unlinkSync(draft);
  }
  return performance.now() - started;
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  console.table(await figures({ quick: process.argv.includes("--quick") }));
