/**
 * The pace in its scenarios, on a simulated clock: how much of a service's limit is used, and how many calls are
 * refused after the first five seconds. `node bench/governor.mjs [PART OF A NAME]` prints the table.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { loadModule } from "../scripts/bundleModule.mjs";

/**
 * @typedef {{
 *   name: string, used: number, refused: number, most: number | null,
 *   narrowest: number, width: number, throttled: number,
 * }} Scenario
 */

const root = fileURLToPath(new URL("..", import.meta.url));

/** One row for each scenario; `quick` leaves out all widths but 10. */
export async function figures({ quick = false } = {}) {
  /** @type {Scenario[]} */
  const seen = [];
  await scenarios((scenario) => seen.push(scenario), quick ? ", 10 wide" : "");
  return seen.map(({ name, used, refused, most }) => ({
    figure: `share of the limit: ${name}`,
    value: Math.round(used * 1000) / 1000,
    unit: "",
    bound: most === null ? "at least 0.95" : `at least 0.95, and at most ${most * 100} % refused after 5 s`,
    ratio: Math.round((refused / (most ?? 1)) * 100) / 100,
    ok: used >= 0.95 && (most === null || refused <= most),
  }));
}

/**
 * Runs each scenario with this in its name, and tells of it.
 * @param {(scenario: Scenario) => void} tell
 * @param {string} part
 */
async function scenarios(tell, part) {
  const folder = await mkdtemp(join(root, "node_modules", ".governor-"));
  try {
    await runAll(await loadModule("test/fakes/governed.ts", folder), tell, part);
  } finally {
    await rm(folder, { recursive: true });
  }
}

/**
 * @param {typeof import("../test/fakes/governed.js")} engine
 * @param {(scenario: Scenario) => void} tell
 * @param {string} part
 */
async function runAll({ govern, chance, bucket, queueing }, tell, part) {
  async function row(name, load, limit, most = /** @type {number | null} */ (0.03)) {
    if (!name.includes(part)) return;
    const { attempts, width, narrowest, throttled } = await govern({ calls: "mixed", ...load });
    const ideal = Math.min(limit, (load.width * 1000) / 60) * load.seconds;
    const late = attempts.filter(({ at }) => at > 5_000);
    const used = attempts.filter(({ status }) => status < 429).length / ideal;
    const refused = late.filter(({ status }) => status >= 429).length / Math.max(1, late.length);
    tell({ name, used, refused, most, narrowest, width, throttled });
  }

  const widths = [1, 10, 50];
  for (const share of [0.005, 0.02, 0.05, 0.1])
    for (const width of widths)
      await row(
        `by chance ${share * 100} %, ${width} wide`,
        { service: chance(share), width, seconds: 60 },
        // Each refusal costs its own retry: an eighth of a second on average, and the way of the refusal.
        (width * 1000) / (60 + (share / (1 - 2 * share)) * 135),
        null,
      );
  for (const limit of [5, 20, 100, 1000])
    for (const burst of [1, 20, 200])
      for (const wait of [null, 1])
        for (const width of widths)
          await row(
            `${limit}/s, ${burst} stored, ${wait === null ? "no Retry-After" : "Retry-After 1"}, ${width} wide`,
            { service: bucket(limit, burst, wait), width, seconds: limit === 1000 ? 120 : 300 },
            limit,
          );
  for (const width of [10, 50]) {
    const halving = bucket((now) => (now < 60_000 ? 100 : 50), 20, null);
    await row(`100/s halves, ${width} wide`, { service: halving, width, seconds: 120 }, 75);
  }
  for (const [places, width] of [
    [5, 10],
    [10, 50],
    [20, 50],
    [50, 50],
  ])
    await row(
      `${places} places, ${width} wide`,
      { service: queueing(places, 50), width, seconds: 60 },
      (places * 1000) / 50,
    );
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  console.log("| scenario | used | refused after 5 s | width | held back |\n|---|---|---|---|---|");
  await scenarios(
    ({ name, used, refused, narrowest, width, throttled }) =>
      console.log(
        `| ${name} | ${used.toFixed(3)} | ${(refused * 100).toFixed(1)} % | ${narrowest}–${width} | ${(throttled / 1000).toFixed(1)} s |`,
      ),
    process.argv[2] ?? "",
  );
}
