// Kills a thousand applies (`--kills N` for another number) and prints the results; `--seed N --size N` repeats one trial.
import { mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { loadModule } from "./bundleModule.mjs";

const { values } = parseArgs({
  options: {
    kills: { type: "string", default: "1000" },
    from: { type: "string", default: "1" },
    width: { type: "string", default: "3" },
    seed: { type: "string" },
    size: { type: "string" },
    "slow-size": { type: "string", default: "40" },
  },
});

const SIZES = [60, 60, 80, 60, 60, 120, 60, 200];
/** Apps with a policy, rules and a conflict in each trial. */
const APPS = 3;
const slowSize = Number(values["slow-size"]);

const root = fileURLToPath(new URL("..", import.meta.url));
const folder = await mkdtemp(join(root, "node_modules", ".soak-"));
let command;
try {
  /** @type {typeof import("./sources/soak.js")} */
  const soak = await loadModule("scripts/sources/soak.ts", folder);
  const { bundleCommand, campaign, interfaceOf, paceOf, trial, killed } = soak;
  const sizeOf = (seed) => (paceOf(seed) === "slow" ? slowSize : SIZES[seed % SIZES.length]);
  command = await bundleCommand();
  const began = performance.now();
  const figures =
    values.seed === undefined
      ? await campaign({
          command,
          kills: Number(values.kills),
          from: Number(values.from),
          sizes: values.size === undefined ? SIZES : [Number(values.size)],
          slowSize,
          apps: APPS,
          width: Number(values.width),
          heard: (sum) =>
            process.stderr.write(`\r${killed(sum)} killed, ${sum.violations.length} violations `),
        })
      : await trial({
          command,
          seed: Number(values.seed),
          size: Number(values.size ?? sizeOf(Number(values.seed))),
          interface: interfaceOf(Number(values.seed)),
          pace: paceOf(Number(values.seed)),
          apps: APPS,
          mayKill: () => true,
          killed: () => undefined,
        });
  process.stderr.write("\r");
  print(figures, killed(figures), Math.round((performance.now() - began) / 1000));
  process.exitCode = figures.violations.length === 0 ? 0 : 1;
} finally {
  command?.close();
  await rm(folder, { recursive: true });
}

function print({ kills, codes, recoveries, creates, uncertain, violations }, sum, seconds) {
  const list = (counts) =>
    Object.entries(counts)
      .map(([name, count]) => `${name} ${count}`)
      .join(", ");
  console.log(`killed       ${sum} applies in ${seconds} s`);
  console.log(`while        ${list(kills)}`);
  console.log(`ended alone  by exit code: ${list(codes)}`);
  console.log(`recovered    ${recoveries} runs settled the calls of an earlier run`);
  console.log(
    `created      ${creates} objects, ${violations.filter((text) => text.includes("was made")).length} of them twice`,
  );
  console.log(`uncertain    ${uncertain} creates on core, none of them sent a second time`);
  console.log(`violations   ${violations.length}`);
  for (const text of violations) console.log(`  ${text}`);
}
