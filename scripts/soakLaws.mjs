// Runs the laws of shapes and contexts with 20,000 hostile rows, 2,000 trees and 2,000 scenes. Runs those of imports with
// 1,000 tenants and those of applies with 1,000 scenarios. Runs every other law with twenty times the cases of a run of
// tests: the storm has 30,000 calls.
// `--rows N`, `--trees N`, `--contexts N`, `--tenants N`, `--scenarios N` and `--scale N` choose other counts.
import { spawnSync } from "node:child_process";
import { parseArgs } from "node:util";

const { values } = parseArgs({
  options: {
    rows: { type: "string", default: "20000" },
    trees: { type: "string", default: "2000" },
    contexts: { type: "string", default: "2000" },
    tenants: { type: "string", default: "1000" },
    scenarios: { type: "string", default: "1000" },
    scale: { type: "string", default: "20" },
  },
});
const LAWS = [
  "test/manifest/expand",
  "test/threats/contexts.test.ts",
  "test/commands/import/importLaws.test.ts",
  "test/journeys/laws.test.ts",
];
const OTHERS = [
  ..."apply author cli/settings commands/accept commands/evidence commands/import commands/review forge impact kinds manifest"
    .split(" ")
    .concat("model people plan report/forms sandbox schema tenant".split(" "))
    .map((folder) => `test/${folder}/`),
  "test/journeys/companies.test.ts",
  "test/journeys/faults.test.ts",
  "test/journeys/firstRunKilled.test.ts",
  "test/journeys/ownersLaw.test.ts",
  "test/journeys/renames.test.ts",
  "test/journeys/storm.test.ts",
  "test/report/hostile.test.ts",
  "test/report/longText.test.ts",
  "test/threats/ambiguousRefs.test.ts",
  "test/threats/givers.test.ts",
  "test/threats/labels.test.ts",
  "test/threats/tenantTexts.test.ts",
  "test/workflows/artifacts.test.ts",
  "test/workflows/hostile.test.ts",
];
run(LAWS, {
  REMIT_TEST_ROWS: values.rows,
  REMIT_TEST_TREES: values.trees,
  REMIT_TEST_CONTEXTS: values.contexts,
  REMIT_TEST_TENANTS: values.tenants,
  REMIT_TEST_SCENARIOS: values.scenarios,
});
run(OTHERS, { REMIT_TEST_SCALE: values.scale });

function run(tests, counts) {
  const argv = ["vitest", "run", "--reporter=verbose", "--testTimeout=3600000", ...tests];
  const { status } = spawnSync("npx", argv, { stdio: "inherit", env: { ...process.env, ...counts } });
  if (status !== 0) process.exitCode = status ?? 1;
}
