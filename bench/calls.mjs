// What a run waits for, beside its bound: the longest chain of replies, and all calls at the width, each of one latency.
// Counts the calls of each run beside what they have to be. node bench/calls.mjs [--quick]
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { idealApply } from "./bare.mjs";
import { median, row } from "./figure.mjs";
import { automation, automationByName, id, newType, onStage } from "./stage.mjs";

const LATENCY = 50;

/** A token and the first read, which finds the interface: one after the other, before the pages of a list. */
const CHAIN = 2;

/** Measures and gives one row per figure; `quick` takes fewer rounds. */
export async function figures({ quick = false } = {}) {
  const rounds = quick ? 1 : 3;
  return onStage(async (stage) => {
    const rows = [];
    for (const [count, width, most] of [
      [20, 10, 1.3],
      [100, 10, 1.2],
      [1_000, 10, 1.15],
      [1_000, 50, 1.25],
    ])
      rows.push(...(await story(stage, { count, width, most, rounds })));
    for (const count of [20, 200, 300]) rows.push(await absent(stage, count));
    rows.push(await types(stage, []), await types(stage, [id("U", 1)]));
    rows.push(...(await lookUp(stage, quick)));
    rows.push(await core(stage));
    return rows;
  });
}

/** A first apply, a plan and an apply without a change, and a change of a tenth. */
async function story({ act, folder, manifests, sandbox }, { count, width, most, rounds }) {
  const name = `${count}-${width}`;
  const first = manifests(`first-${name}`, count, (at) => automation(at));
  const next = manifests(`next-${name}`, count, (at) => automation(at, at % 10 === 0 ? "after" : "before"));
  /** @type {Record<"ideal" | "first" | "plan" | "change", any[]>} */
  const seen = { ideal: [], first: [], plan: [], change: [] };
  for (let round = 0; round < rounds; round += 1) {
    const server = await sandbox({ faults: `latency=${LATENCY}`, groups: count });
    const options = {
      server,
      width,
      state: join(folder, `${name}-${round}`, "state.json"),
      asked: "auto",
      signsIn: true,
    };
    const empty = await sandbox({ faults: `latency=${LATENCY}`, groups: count });
    seen.ideal.push(await idealApply({ server: empty, count, width }));
    seen.first.push(await act("apply", { ...options, manifests: first }));
    seen.plan.push(await act("plan", { ...options, manifests: first }));
    seen.change.push(await act("apply", { ...options, manifests: next }));
  }
  const ideal = median(seen.ideal);
  const label = `${count.toLocaleString("en")} automations, ${width} at a time`;
  const lists = Math.ceil(count / 100);
  const whole = median(seen.first.map((run) => run.whole));
  return [
    row(
      `first apply of ${label}, beside a bare got loop`,
      Math.round(whole),
      "ms",
      `the same gets and creates take ${Math.round(ideal)} ms`,
      whole / ideal,
      true,
    ),
    ...rowsOf(`first apply of ${label}`, seen.first, {
      width,
      most,
      // A page names the next one, so the pages of a list are read one after the other.
      chain: CHAIN + lists,
      calls: 2 * count + lists + 10,
    }),
    ...rowsOf(`no-change plan of ${label}`, seen.plan, {
      width,
      most: 1.15,
      chain: 1,
      calls: count + lists + 1,
    }),
    ...rowsOf(`change of a tenth of ${label}`, seen.change, {
      width,
      most,
      chain: 1,
      calls: 1.1 * count + lists + 1,
    }),
  ];
}

/** The time beside its bound, the calls beside theirs, and the estimate beside the time of the apply. */
function rowsOf(figure, runs, { width, most, chain, calls }) {
  const bounds = runs.map(({ sent }) => (chain + Math.ceil(sent / width)) * LATENCY);
  const timeOf = ({ whole, planned }) => whole ?? planned;
  const ratio = median(runs.map((run, at) => timeOf(run) / bounds[at]));
  const sent = Math.max(...runs.map((run) => run.sent));
  const bound = `at most ${most} of (${chain} + calls ÷ width) × ${LATENCY} ms (${Math.round(median(bounds))} ms)`;
  const rows = [
    row(figure, Math.round(median(runs.map(timeOf))), "ms", bound, ratio, ratio <= most),
    row(`calls of the ${figure}`, sent, "calls", `at most ${Math.round(calls)}`, sent / calls, sent <= calls),
  ];
  return runs.some(({ took }) => took > 0) ? [...rows, estimated(figure, runs)] : rows;
}

function estimated(figure, runs) {
  const ratio = median(runs.map(({ took, estimate }) => estimate / took));
  const seconds = (milliseconds) => Math.round(milliseconds / 100) / 10;
  const beside = `within a factor 1.5 of the apply's ${seconds(median(runs.map(({ took }) => took)))} s`;
  const value = seconds(median(runs.map(({ estimate }) => estimate)));
  // The estimate is in whole seconds.
  const isNear = Math.abs(median(runs.map(({ took, estimate }) => estimate - took))) < 1_000;
  return row(
    `estimate for the ${figure}`,
    value,
    "s",
    beside,
    ratio,
    isNear || (ratio <= 1.5 && ratio >= 1 / 1.5),
  );
}

/** One name in a very long list: calls, time and memory. */
async function lookUp({ act, folder, manifests, sandbox }, quick) {
  const groups = quick ? 20_000 : 200_000;
  const server = await sandbox({ groups });
  const where = manifests("look-up", 1, () => automationByName("group-17"));
  const state = join(folder, "look-up", "state.json");
  const seen = await act("plan", { manifests: where, server, state, asked: "auto", signsIn: true });
  const figure = `one name in an app of ${groups.toLocaleString("en")} entitlements`;
  return [
    row(`calls for ${figure}`, seen.sent, "calls", "at most 5", seen.sent / 5, seen.sent <= 5),
    row(`time for ${figure}`, Math.round(seen.planned), "ms", null, null, true),
    row(`peak of the process for ${figure}`, Math.round(seen.megabytes), "MB", null, null, true),
  ];
}

/** Applies once, ten at a time. */
function firstApply(act, options) {
  return act("apply", { width: 10, asked: "auto", signsIn: true, ...options });
}

/** On core nothing is read, so the estimate is assumed. */
async function core({ act, folder, manifests, sandbox }) {
  const count = 200;
  const server = await sandbox({ faults: `latency=${LATENCY}`, asked: "core" });
  const where = manifests("core", count, (at) => automation(at));
  const state = join(folder, "core", "state.json");
  const run = await firstApply(act, { manifests: where, server, state, asked: "core" });
  return estimated(`first apply of ${count} automations on core, where nothing was measured`, [run]);
}

/** New automations: a search says which do not exist, and one get precedes each create. */
async function absent({ act, folder, manifests, sandbox }, count) {
  const server = await sandbox({ groups: count });
  const where = manifests(`absent-${count}`, count, (at) => automation(at));
  const state = join(folder, `absent-${count}`, "state.json");
  const { sent } = await firstApply(act, { manifests: where, server, state });
  const most = 2 * count + Math.ceil(count / 100) + 3;
  const figure = `calls of a first apply of ${count} automations`;
  return row(figure, sent, "calls", `at most ${most}`, sent / most, sent <= most);
}

async function types({ act, folder, manifests, sandbox }, traits) {
  const [count, apps] = [1_000, 20];
  const name = traits.length === 0 ? "without" : "with";
  const server = await sandbox({ apps });
  const where = manifests(`types-${name}`, count, (at) => newType(at, traits));
  const state = join(folder, `types-${name}`, "state.json");
  const { sent } = await firstApply(act, { manifests: where, server, state });
  const most = (1 + traits.length) * count + 40;
  const figure = `calls of a first apply of 1,000 resource types in ${apps} apps, ${name} traits`;
  return row(figure, sent, "calls", `at most ${most}`, sent / most, sent <= most);
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  console.table(await figures({ quick: process.argv.includes("--quick") }));
