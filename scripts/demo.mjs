// Runs the quickstart with the real command, in a copy of its folder: npm run demo
import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const command = join(root, "dist", "remit.js");

/**
 * The steps: a sentence, the command that shows it, and what happens to the data of the tenant before.
 * @type {[sentence: string, argv: string[], prepare?: (data: string) => void][]}
 */
const STEPS = [
  ["Three manifests: a review's scope, a group's automation, a resource type.", ["validate"]],
  ["What would change in the tenant, and why.", ["plan"]],
  ["Apply it.", ["apply", "--yes", "-q"]],
  ["Plan again: there is nothing to do.", ["plan"]],
  [
    "Someone changes the group in the tenant. The plan shows the drift, and the line of the manifest.",
    ["plan"],
    changeByHand,
  ],
  ["Apply reverts the drift.", ["apply", "--yes", "-q"]],
  ["Plan again: there is nothing to do.", ["plan"]],
];

if (!existsSync(command)) execFileSync("npm", ["run", "--silent", "build"], { cwd: root, stdio: "inherit" });
const folder = mkdtempSync(join(tmpdir(), "remit-demo-"));
try {
  cpSync(join(root, "examples", "quickstart"), folder, { recursive: true });
  for (const [sentence, argv, prepare] of STEPS) {
    prepare?.(join(folder, ".remit", "sandbox.json"));
    console.log(`\n# ${sentence}\n$ remit ${argv.join(" ")}`);
    const { status } = spawnSync(process.execPath, [command, ...argv], { cwd: folder, stdio: "inherit" });
    if (status !== 0) process.exit(status ?? 1);
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** Lets contractors into the engineering group, in the data of the tenant itself. */
function changeByHand(data) {
  const text = readFileSync(data, "utf8");
  writeFileSync(data, text.replace(/ && subject\.employmentType == ..Employee../, ""));
}
