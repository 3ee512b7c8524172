// What grows with the contexts of a project, beside few of them. node bench/contexts.mjs [--quick]; needs `npm run build`.
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { median, row } from "./figure.mjs";
import { automation } from "./stage.mjs";

const LISTED = { few: 10, many: 300, bound: 2 };
/** Twice as many contexts take twice the time, and what the start takes is in both. */
const VALIDATED = { few: 300, many: 600, bound: 2.1 };
const PLANNED = { few: 1, many: 3000, bound: 1.3 };
const OBJECTS = 20;
const command = fileURLToPath(new URL("../dist/remit.js", import.meta.url));

/** Measures and gives one row per figure. */
export async function figures({ quick = false } = {}) {
  if (!existsSync(command)) throw new Error("dist/remit.js is not there: npm run build");
  const rounds = quick ? 5 : 15;
  return [
    compare("contexts", ["contexts"], LISTED, rounds),
    compare("validate", ["validate"], VALIDATED, rounds),
    compare("a plan", ["plan", "--context", "t1"], PLANNED, rounds),
  ];
}

/** Runs a line beside few and beside many contexts in turn, and takes the median of the ratios. */
function compare(figure, line, { few, many, bound }, rounds) {
  const folders = [few, many].map(projectOf);
  try {
    for (const folder of folders) timed(folder, line);
    const pairs = Array.from({ length: rounds }, () => folders.map((folder) => timed(folder, line)));
    const ratio = median(pairs.map(([one, other]) => other / one));
    const took = Math.round(median(pairs.map(([, other]) => other)));
    const beside = `at most ${bound} of beside ${few}`;
    return row(`${figure} of a project of ${many} contexts`, took, "ms", beside, ratio, ratio <= bound);
  } finally {
    for (const folder of folders) rmSync(folder, { recursive: true });
  }
}

function projectOf(count) {
  const folder = mkdtempSync(join(tmpdir(), "remit-contexts-"));
  const manifests = Array.from({ length: OBJECTS }, (_, at) => automation(at)).join("---\n");
  const contexts = Array.from({ length: count }, (_, at) => context(`t${at + 1}`, at === 0));
  writeFileSync(join(folder, "manifests.yaml"), manifests);
  writeFileSync(join(folder, "remit.yaml"), `manifests: [manifests.yaml]\ncontexts:\n${contexts.join("")}`);
  return folder;
}

/** The first one is a sandbox of its own, so that it can be planned. */
function context(name, isFirst) {
  const server = isFirst ? "sandbox" : `https://${name}.conductor.example`;
  return `  ${name}:\n    server: ${server}\n    state: .remit/${name}/state.json\n`;
}

function timed(cwd, line) {
  const started = performance.now();
  execFileSync(process.execPath, [command, ...line], { cwd, stdio: "ignore" });
  return performance.now() - started;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const rows = await figures({ quick: process.argv.includes("--quick") });
  console.table(rows);
  process.exitCode = rows.every(({ ok }) => ok) ? 0 : 1;
}
