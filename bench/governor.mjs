/**
 * The pace in its scenarios, on a simulated clock: how much of a service's limit is used, and how many calls are
 * refused after the first five seconds. `node bench/governor.mjs [PART OF A NAME]` prints the table.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { loadModule } from "../scripts/bundleModule.mjs";

/**
 * @typedef {import("../test/fakes/scenarios.js").Scenario & import("../test/fakes/scenarios.js").Measured} Row
 */

const root = fileURLToPath(new URL("..", import.meta.url));

/** One row for each scenario; `quick` leaves out all widths but 10. */
export async function figures({ quick = false } = {}) {
  /** @type {Row[]} */
  const seen = [];
  await run((row) => seen.push(row), quick ? ", 10 wide" : "");
  return seen.map(({ name, used, refused, share, least }) => ({
    figure: `share of the limit: ${name}`,
    value: Math.round(used * 1000) / 1000,
    unit: "",
    bound:
      share === null
        ? `at least ${least}`
        : `at least ${least}, and at most ${share * 100} % refused after 5 s`,
    ratio: Math.round((refused / (share ?? 1)) * 100) / 100,
    ok: used >= least && (share === null || refused <= share),
  }));
}

/**
 * Runs each scenario with this in its name, and tells of it.
 * @param {(scenario: Row) => void} tell
 * @param {string} part
 */
async function run(tell, part) {
  const folder = await mkdtemp(join(root, "node_modules", ".governor-"));
  try {
    /** @type {typeof import("../test/fakes/scenarios.js")} */
    const { measure, scenarios } = await loadModule("test/fakes/scenarios.ts", folder);
    for (const scenario of scenarios())
      if (scenario.name.includes(part)) tell({ ...scenario, ...(await measure(scenario)) });
  } finally {
    await rm(folder, { recursive: true });
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  console.log("| scenario | used | refused after 5 s | width | held back |\n|---|---|---|---|---|");
  await run(
    ({ name, used, refused, narrowest, width, throttled }) =>
      console.log(
        `| ${name} | ${used.toFixed(3)} | ${(refused * 100).toFixed(1)} % | ${narrowest}–${width} | ${(throttled / 1000).toFixed(1)} s |`,
      ),
    process.argv[2] ?? "",
  );
}
