// Runs the fuzzing tests with 200,000 mutations of plans, states, journals, replies, remit.yaml and manifests.
// `node scripts/fuzz.mjs COUNT SEED` chooses both.
import { spawnSync } from "node:child_process";

const [count = "200000", seed = "1"] = process.argv.slice(2);
const { status } = spawnSync("npx", ["vitest", "run", "test/fuzz"], {
  stdio: "inherit",
  env: { ...process.env, FUZZ: count, FUZZ_SEED: seed },
});
process.exitCode = status ?? 1;
