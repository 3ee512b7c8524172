// The quickstart, told by the real command in a copy of its folder: npm run demo
import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const command = join(root, "dist", "remit.js");

/** The story: what is said, and the command that shows it. */
const STORY = [
  ["Three manifests: a review's scope, a group's automation, a resource type.", ["validate"]],
  ["What would change in the tenant, and why.", ["plan"]],
  ["Make it so.", ["apply", "--yes", "-q"]],
  ["And again: there is nothing to do.", ["plan"]],
  [
    "Somebody changes the group by hand, past this repository.",
    ["apply", "by-hand", "--state", ".remit/elsewhere.json", "--yes", "-q"],
  ],
  ["The drift is found, on its line.", ["plan"]],
  ["It is put back.", ["apply", "--yes", "-q"]],
  ["Nothing to do.", ["plan"]],
];

if (!existsSync(command)) execFileSync("npm", ["run", "--silent", "build"], { cwd: root, stdio: "inherit" });
const folder = mkdtempSync(join(tmpdir(), "remit-demo-"));
try {
  cpSync(join(root, "examples", "quickstart"), folder, { recursive: true });
  for (const [said, argv] of STORY) {
    console.log(`\n# ${said}\n$ remit ${argv.join(" ")}`);
    const { status } = spawnSync(process.execPath, [command, ...argv], { cwd: folder, stdio: "inherit" });
    if (status !== 0) process.exit(status ?? 1);
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
