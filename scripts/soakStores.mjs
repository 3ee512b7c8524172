// Kills applies whose disk is wiped each time, over every store, and prints each trial and the results by store. `--kills N` in all, over one `--store`, `--on core`. Worlds of `--groups`, of `--profiles`, or with governed `--apps`; `--commands` for commands that change the state, with the law of the history.
import { mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { loadModule } from "./bundleModule.mjs";

const { values } = parseArgs({
  options: {
    kills: { type: "string", default: "1000" },
    from: { type: "string", default: "1" },
    store: { type: "string" },
    on: { type: "string" },
    groups: { type: "boolean", default: false },
    profiles: { type: "boolean", default: false },
    apps: { type: "boolean", default: false },
    commands: { type: "boolean", default: false },
  },
});
/** Kills of one trial. */
const EACH = 8;
const SIZES = [20, 40, 60];
/** So many groups, of three objects each. */
const GROUPS = [8, 12, 16];
/** So many access profiles, of six calls each. */
const PROFILES = [4, 6, 8];
/** A place that keeps no history. */
const WITHOUT_HISTORY = /GitLab/;
/** Whether an object of the world takes more than one call, or one that another call has made. */
const isChained = values.groups || values.profiles || values.apps;
/** So many governed apps. */
const APPS = 3;

const root = fileURLToPath(new URL("..", import.meta.url));
const folder = await mkdtemp(join(root, "node_modules", ".soak-"));
let command;
try {
  /** @type {typeof import("./sources/soakStores.js")} */
  const stores = await loadModule("scripts/sources/soakStores.ts", folder);
  const { bundleCommand, wipedTrial, commandTrial, FILE, PLACES } = stores;
  command = await bundleCommand(join(root, "test/fakes/hastyRemit.ts"));
  const places = [...(isChained || values.commands ? [FILE] : []), ...PLACES].filter(
    ({ name }) =>
      (values.store === undefined || name.includes(values.store)) &&
      !(values.commands && WITHOUT_HISTORY.test(name)),
  );
  const wanted = Math.ceil(Number(values.kills) / places.length);
  for (const { name, missing, open } of places) {
    if (missing !== null) console.log(`${name}: ${missing}`);
    else if (values.commands) await soakCommands(name, open, wanted, { commandTrial, command });
    else await soak(name, open, wanted, { wipedTrial, command });
  }
} finally {
  command?.close();
  await rm(folder, { recursive: true });
}

async function soak(name, open, wanted, { wipedTrial, command }) {
  const place = await open();
  const began = performance.now();
  const sum = { kills: 0, recoveries: 0, refused: 0, violations: /** @type {string[]} */ ([]) };
  try {
    for (let seed = Number(values.from); sum.kills < wanted; seed += 1) {
      // Every fourth trial is on an interface that cannot read.
      const on = values.on ?? (seed % 4 === 0 && !isChained ? "core" : "full");
      const sizes = values.profiles ? PROFILES : values.groups ? GROUPS : SIZES;
      const size = sizes[seed % SIZES.length];
      const world = {
        interface: on,
        size,
        isOfGroups: values.groups,
        isOfProfiles: values.profiles,
        ...(values.apps && { apps: APPS }),
      };
      const made = await wipedTrial({ command, place, seed, ...world, kills: EACH });
      for (const figure of ["kills", "recoveries", "refused"]) sum[figure] += made[figure];
      sum.violations.push(...made.violations);
      for (const text of made.violations) console.log(`  seed ${seed} on ${on}: ${text}`);
      console.log(`${name}: ${sum.kills} of ${wanted} killed, ${sum.violations.length} violations`);
    }
  } finally {
    await place.close();
  }
  const { kills, recoveries, refused, violations } = sum;
  const seconds = Math.round((performance.now() - began) / 1000);
  console.log(
    `${name}: ${kills} killed in ${seconds} s, ${recoveries} runs recovered, ${refused} refused, ${violations.length} violations`,
  );
  if (violations.length > 0) process.exitCode = 1;
}

async function soakCommands(name, open, wanted, { commandTrial, command }) {
  const place = await open();
  const began = performance.now();
  const dealings = new Map();
  const kills = {};
  let [killed, struck, records, violations] = [0, 0, 0, 0];
  try {
    for (let seed = Number(values.from); killed < wanted; seed += 1) {
      // Every second trial has a state with a key.
      const isEncrypted = /encrypted/.test(name) || seed % 2 === 0;
      const made = await commandTrial({ command, place, seed, kills: EACH, isEncrypted, dealings });
      for (const [what, count] of Object.entries(made.kills)) kills[what] = (kills[what] ?? 0) + count;
      killed = Object.values(kills).reduce((sum, count) => sum + count, 0);
      records += made.records;
      struck += made.struck;
      violations += made.violations.length;
      for (const text of made.violations) console.log(`  ${text}`);
      console.log(`${name}: ${killed} of ${wanted} killed, ${records} records, ${violations} violations`);
    }
  } finally {
    await place.close();
  }
  const seconds = Math.round((performance.now() - began) / 1000);
  const each = Object.entries(kills).map(([what, count]) => `${count} ${what}`);
  console.log(
    `${name}: ${killed} killed in ${seconds} s (${each.join(", ")}), ${struck} of them with traces, ${records} records, ${violations} violations`,
  );
  if (violations > 0) process.exitCode = 1;
}
