// Starting up, beside node itself doing nothing. node bench/start.mjs [--quick]
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { median, row } from "./figure.mjs";

const BOUND = 1.3;
const command = fileURLToPath(new URL("../dist/remit.js", import.meta.url));

/** Measures and gives one row per figure; needs `npm run build`. */
export async function figures({ quick = false } = {}) {
  if (!existsSync(command)) throw new Error("dist/remit.js is not there: npm run build");
  const pairs = [];
  for (let pair = 0; pair < (quick ? 11 : 31); pair += 1) {
    const sides = { remit: [command, "version"], node: ["-e", "0"] };
    const order = pair % 2 === 0 ? ["remit", "node"] : ["node", "remit"];
    const times = {};
    for (const side of order) times[side] = timed(sides[side]);
    pairs.push(times);
  }
  const ratio = median(pairs.map(({ remit, node }) => remit / node));
  const node = median(pairs.map((times) => times.node));
  return [
    row(
      "remit version, start to end",
      Math.round(median(pairs.map(({ remit }) => remit))),
      "ms",
      `at most ${BOUND} of node -e 0 (${Math.round(node)} ms)`,
      ratio,
      ratio <= BOUND,
    ),
  ];
}

function timed(argv) {
  const started = performance.now();
  execFileSync(process.execPath, argv);
  return performance.now() - started;
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  console.table(await figures({ quick: process.argv.includes("--quick") }));
