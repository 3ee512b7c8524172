// Runs the laws of shapes and contexts with 20,000 hostile rows, 2,000 trees and 2,000 scenes. `--rows N`, `--trees N` and
// `--contexts N` choose other counts.
import { spawnSync } from "node:child_process";
import { parseArgs } from "node:util";

const { values } = parseArgs({
  options: {
    rows: { type: "string", default: "20000" },
    trees: { type: "string", default: "2000" },
    contexts: { type: "string", default: "2000" },
  },
});
const tests = ["test/manifest/expand", "test/threats/contexts.test.ts"];
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
    },
  },
);
process.exitCode = status ?? 1;
