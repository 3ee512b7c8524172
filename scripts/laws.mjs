// Plays random scenarios against the laws and prints what broke them; `--count N --seed N`, and `--shrink` for the
// smallest scenario of each cause. `--mutate` plants defects instead, and says which of them no law sees.
import { mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { loadModule } from "./bundleModule.mjs";
import { MUTATIONS } from "./mutations.mjs";
import { planting } from "./planting.mjs";

const { values } = parseArgs({
  options: {
    count: { type: "string", default: "5000" },
    seed: { type: "string", default: "1" },
    cause: { type: "string", default: "" },
    shrink: { type: "boolean", default: false },
    mutate: { type: "boolean", default: false },
    verbose: { type: "boolean", default: false },
  },
});

const root = fileURLToPath(new URL("..", import.meta.url));
const folder = await mkdtemp(join(root, "node_modules", ".laws-"));
const from = Number(values.seed);
const seeds = Array.from({ length: Number(values.count) }, (_, place) => from + place);
try {
  if (values.mutate) process.exitCode = await plantAll();
  else await playAll();
} finally {
  await rm(folder, { recursive: true });
}

async function playAll() {
  const { campaign, shrink, play, scenarioOf } = await load();
  const findings = await campaign(seeds, (played, causes) => {
    if (played % 50 === 0) process.stderr.write(`\r${played} played, ${causes} causes `);
  });
  process.stderr.write("\r");
  print(findings);
  const wanted = findings.causes.filter(({ cause }) => cause.includes(values.cause));
  if (values.shrink)
    for (const { cause, seeds } of wanted) {
      const { scenario, violations } = await shrink(seeds[0], cause);
      console.log(`\n${cause}\n${JSON.stringify(scenario)}`);
      for (const { law, cause, detail } of violations) console.log(`  (${law}) ${cause}\n    ${detail}`);
    }
  if (values.verbose) {
    console.log(JSON.stringify(scenarioOf(from), null, 1));
    console.log(JSON.stringify(await play(scenarioOf(from)), null, 1));
  }
  process.exitCode = findings.causes.length === 0 ? 0 : 1;
}

/** Plants one defect after the other and plays until a law that should see it does; 1 where one is not seen. */
async function plantAll() {
  let unseen = 0;
  for (const mutation of MUTATIONS.filter(({ name }) => name.includes(values.cause))) {
    const { campaign } = await load(mutation);
    const seen = await firstSeen(campaign, mutation.laws);
    if (seen === null) unseen += 1;
    const found = seen === null ? `NOT SEEN in ${seeds.length} scenarios` : `(${seen.law}) ${seen.cause}`;
    console.log(`${mutation.name}\n  ${found}${seen === null ? "" : `; seed ${seen.seed}`}`);
  }
  return unseen === 0 ? 0 : 1;
}

async function firstSeen(campaign, laws) {
  for (const seed of seeds) {
    const { causes } = await campaign([seed]);
    const cause = causes.find(({ law }) => laws.includes(law));
    if (cause !== undefined) return { ...cause, seed };
  }
  return null;
}

/**
 * @param {(typeof MUTATIONS)[number] | null} mutation
 * @returns {Promise<typeof import("./sources/laws.js")>}
 */
async function load(mutation = null) {
  return loadModule("scripts/sources/laws.ts", folder, { plugins: planting(mutation) });
}

function print({ played, codes, plans, interfaces, causes }) {
  const list = (counts) =>
    [...counts]
      .sort(([one], [other]) => one - other)
      .map(([code, count]) => `${code}: ${count}`)
      .join(", ");
  console.log(`played    ${played} scenarios`);
  console.log(`runs      by exit code ${list(codes)}`);
  console.log(`plans     by exit code ${list(plans)}`);
  for (const law of "abcde") {
    const broken = causes.filter((one) => one.law === law);
    const seeds = new Set(broken.flatMap(({ seeds }) => seeds));
    const judged = [...interfaces.values()].reduce((sum, one) => sum + one.judged[law], 0);
    console.log(
      `law (${law})   judged ${judged} times, broken by ${seeds.size} scenarios in ${broken.length} ways`,
    );
  }
  console.log(`interface     scenarios ${[..."abcde"].map((law) => `(${law})`.padStart(7)).join("")}`);
  for (const [name, { played, judged }] of [...interfaces].sort())
    console.log(
      `${name.padEnd(13)} ${String(played).padStart(9)} ${[..."abcde"].map((law) => String(judged[law]).padStart(7)).join("")}`,
    );
  for (const { law, cause, seeds } of causes)
    console.log(
      `  ${String(seeds.length).padStart(4)} (${law}) ${cause}; seeds ${seeds.slice(0, 4).join(" ")}`,
    );
}
