// Starting up, beside node itself doing nothing. node bench/start.mjs [--quick]
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { median, row } from "./figure.mjs";
import { automation } from "./stage.mjs";

const BOUND = 1.3;
/** A small plan with its code kept, and without. */
const PLAN_BOUNDS = { kept: 4.2, "not kept": 7 };
const OBJECTS = 20;
const command = fileURLToPath(new URL("../dist/remit.js", import.meta.url));

/** Measures and gives one row per figure; needs `npm run build`. */
export async function figures({ quick = false } = {}) {
  if (!existsSync(command)) throw new Error("dist/remit.js is not there: npm run build");
  const folder = mkdtempSync(join(tmpdir(), "remit-start-"));
  try {
    const manifests = Array.from({ length: OBJECTS }, (_, at) => automation(at)).join("---\n");
    writeFileSync(join(folder, "manifests.yaml"), manifests);
    writeFileSync(join(folder, "remit.yaml"), "server: sandbox\nmanifests: [manifests.yaml]\n");
    const plan = [command, "-C", folder, "plan", "--offline"];
    const sides = {
      node: { argv: ["-e", "0"] },
      version: { argv: [command, "version"] },
      kept: { argv: plan },
      "not kept": { argv: [withoutCompiled(folder), ...plan.slice(1)] },
    };
    const ratios = inTurn(sides, quick ? 11 : 31);
    return [
      rowOf("remit version, start to end", ratios("version"), BOUND),
      ...Object.entries(PLAN_BOUNDS).map(([side, bound]) =>
        rowOf(`an offline plan of ${OBJECTS} objects, compiled code ${side}`, ratios(side), bound),
      ),
    ];
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** A copy of the command that keeps nothing: a folder stands where the file would be. */
function withoutCompiled(folder) {
  const copy = join(folder, "dist");
  cpSync(join(command, ".."), copy, { recursive: true });
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
  const file = join(copy, "command", `compiled-${process.version}-${process.arch}`);
  rmSync(file, { force: true });
  mkdirSync(file);
  return join(copy, "remit.js");
}

/** Runs all sides in turn; gives, for one, its time, that of node, and the median of their ratios. */
function inTurn(sides, rounds) {
  const names = Object.keys(sides);
  // What is kept is there after one run.
  for (const name of names) timed(sides[name]);
  const times = Array.from({ length: rounds }, (_, round) => {
    const order = round % 2 === 0 ? names : names.toReversed();
    return Object.fromEntries(order.map((name) => [name, timed(sides[name])]));
  });
  return (name) => ({
    took: median(times.map((one) => one[name])),
    node: median(times.map((one) => one.node)),
    ratio: median(times.map((one) => one[name] / one.node)),
  });
}

function rowOf(figure, { took, node, ratio }, bound) {
  const beside = `at most ${bound} of node -e 0 (${Math.round(node)} ms)`;
  return row(figure, Math.round(took), "ms", beside, ratio, ratio <= bound);
}

function timed({ argv, env = {} }) {
  const started = performance.now();
  execFileSync(process.execPath, argv, { env: { ...process.env, ...env }, stdio: "ignore" });
  return performance.now() - started;
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  console.table(await figures({ quick: process.argv.includes("--quick") }));
