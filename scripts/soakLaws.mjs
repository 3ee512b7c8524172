// Runs the laws of shapes and contexts with 20,000 hostile rows, 2,000 trees and 2,000 scenes, those of imports with 1,000
// tenants, and those of applies with 1,000 scenarios. `--rows N`, `--trees N`, `--contexts N`, `--tenants N` and
// `--scenarios N` choose other counts.
import { spawnSync } from "node:child_process";
import { parseArgs } from "node:util";

const { values } = parseArgs({
  options: {
    rows: { type: "string", default: "20000" },
    trees: { type: "string", default: "2000" },
    contexts: { type: "string", default: "2000" },
    tenants: { type: "string", default: "1000" },
    scenarios: { type: "string", default: "1000" },
  },
});
const tests = [
  "test/manifest/expand",
  "test/threats/contexts.test.ts",
  "test/session/importLaws.test.ts",
  "test/journeys/laws.test.ts",
];
const { status } = spawnSync(
  "npx",
  ["vitest", "run", "--reporter=verbose", "--testTimeout=3600000", ...tests],
  {
    stdio: "inherit",
    env: {
      ...process.env,
      REMIT_TEST_ROWS: values.rows,
      REMIT_TEST_TREES: values.trees,
      REMIT_TEST_CONTEXTS: values.contexts,
      REMIT_TEST_TENANTS: values.tenants,
      REMIT_TEST_SCENARIOS: values.scenarios,
    },
  },
);
process.exitCode = status ?? 1;
