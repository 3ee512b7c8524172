// Writes docs/brownfield.md: what a new user with a tenant sees, from `remit init` to an empty plan, with the real command
// and the times it took. npm run build && npm run transcript
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const command = join(root, "dist", "remit.js");
const SEED = join(root, "examples", "brownfield", "seed.yaml");
const STATE = join(root, "test", "commands", "import", "terraform", "fixture", "state.json");
const SHOWN = "http://127.0.0.1:8700";

if (!existsSync(command)) execFileSync("npm", ["run", "--silent", "build"], { cwd: root, stdio: "inherit" });

const begin = await journey([
  ["init", "--server", SHOWN],
  ["import", "--quiet"],
  ["plan", "--detailed-exitcode"],
  ["apply", "--yes", "--quiet"],
  ["plan", "--detailed-exitcode"],
  ["import", "--quiet"],
]);
const handed = await journey(
  [
    ["init", "--server", SHOWN],
    ["import", "--from-terraform", "state.json"],
    ["plan", "--detailed-exitcode"],
  ],
  (folder) => cpSync(STATE, join(folder, "state.json")),
);
writeFileSync(join(root, "docs", "brownfield.md"), page(begin, handed));

/** Runs each command line in one new folder, against one new tenant. */
async function journey(lines, prepare = (_folder) => {}) {
  const folder = mkdtempSync(join(tmpdir(), "remit-transcript-"));
  const sandbox = spawn(process.execPath, [command, "sandbox", "--seed", SEED, "--port", "8700"]);
  try {
    await new Promise((resolve) => sandbox.stdout.once("data", resolve));
    prepare(folder);
    return lines.map((argv) => {
      const started = performance.now();
      const { status, stdout, stderr } = spawnSync(process.execPath, [command, ...argv], {
        cwd: folder,
        encoding: "utf8",
        env: { PATH: process.env.PATH, HOME: folder, REMIT_SERVER: SHOWN, REMIT_TOKEN: "sandbox" },
      });
      const seconds = (performance.now() - started) / 1000;
      return { argv, output: shortened(`${stdout}${stderr}`.trimEnd()), status, seconds };
    });
  } finally {
    sandbox.kill();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** An output with only the first of many lines that say the same of different objects. */
function shortened(text) {
  const lines = text.split("\n");
  const isOne = (line) => line?.startsWith("✓ ") === true;
  const kept = lines.filter((line, at) => !isOne(line) || !(isOne(lines[at - 1]) && isOne(lines[at - 2])));
  const left = lines.length - kept.length;
  const last = kept.findLastIndex(isOne);
  return left === 0 ? text : kept.toSpliced(last + 1, 0, `  [${left} more lines]`).join("\n");
}

function page(begin, handed) {
  return `<!-- Written by \`npm run transcript\`. -->

# From a tenant without manifests to an empty plan

The tenant is \`examples/brownfield\`: 30 review templates, 66 automations and 43 resource types, served by \`remit sandbox --seed seed.yaml\`. A service with a real distance
adds its latency: an import waits about (calls × latency ÷ width), here 110 calls.

${transcript(begin)}
All six commands took ${total(begin)} s on a machine that was busy with other work.

## The same from a Terraform state

\`state.json\` is the output of \`terraform show -json\` (Terraform 1.11.4). The vendor's provider could not be used to make it: a stand-in with the same three resource types did
(\`test/commands/import/terraform/fixture/\`).

${transcript(handed)}
All three commands took ${total(handed)} s.
`;
}

function transcript(runs) {
  const shown = runs.map(
    ({ argv, output, status, seconds }) =>
      `$ remit ${argv.join(" ")}\n${output}\n# exit ${status}, ${seconds.toFixed(1)} s\n`,
  );
  return `\`\`\`console\n$ export REMIT_SERVER=${SHOWN} REMIT_TOKEN=sandbox\n${shown.join("\n")}\`\`\`\n`;
}

function total(runs) {
  return runs.reduce((sum, { seconds }) => sum + seconds, 0).toFixed(1);
}
