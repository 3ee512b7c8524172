// Validating 10,000 manifests, beside the bare YAML parser on the same bytes.
// node bench/validate.mjs [--quick] [--json]
import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { bundleModule } from "../scripts/bundleModule.mjs";
import { compiledSchemas } from "../scripts/compiledSchemas.mjs";
import { median } from "./figure.mjs";

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL("..", import.meta.url));
const MANIFESTS = 10_000;
const TIME_BOUND = 1.3;
const MEMORY_BOUND = 2;

/** As the build bundles the command, with its packages. @type {import("esbuild").BuildOptions} */
const BUNDLED = { packages: "bundle", target: "node20.19", minifySyntax: true };

/** Every figure of this benchmark, beside its bound: `{ figure, value, unit, bound, ratio, ok }`. */
export async function figures({ quick = false } = {}) {
  const folder = mkdtempSync(join(tmpdir(), "remit-bench-"));
  try {
    const sides = await bundle(folder);
    const rows = [];
    for (const [name, perFile] of [
      ["10,000 files", 1],
      ["100 files of 100", 100],
    ]) {
      const manifests = join(folder, `manifests-${perFile}`);
      write(manifests, perFile);
      rows.push(...(await compare(name, sides, manifests, quick ? 3 : 7)));
    }
    return rows;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Runs both sides in turn, so that what else the machine does falls on both, and takes medians. */
async function compare(name, { validate, parse }, manifests, pairs) {
  const validated = [];
  const parsed = [];
  for (let pair = 0; pair < pairs; pair += 1) {
    const sides = [
      [validate, validated],
      [parse, parsed],
    ];
    for (const [side, results] of pair % 2 === 0 ? sides : sides.reverse())
      results.push(await measure(side, manifests));
  }
  const of = (results, key) => median(results.map((result) => result[key]));
  const ratios = (key) => median(validated.map((result, pair) => result[key] / parsed[pair][key]));
  const row = (figure, key, unit, bound) => {
    const ratio = ratios(key);
    return {
      figure: `validate ${name}: ${figure}`,
      value: Math.round(of(validated, key)),
      unit,
      beside: Math.round(of(parsed, key)),
      bound,
      ratio: Math.round(ratio * 100) / 100,
      ok: ratio <= bound,
    };
  };
  return [row("time", "milliseconds", "ms", TIME_BOUND), row("peak memory", "megabytes", "MB", MEMORY_BOUND)];
}

async function measure(script, manifests) {
  const { stdout } = await run(process.execPath, [script, manifests], { env: { PATH: process.env.PATH } });
  const result = JSON.parse(stdout);
  if (result.manifests !== MANIFESTS) throw new Error(`${script} read ${result.manifests} manifests`);
  return result;
}

/** Each side as one script: reading everything below a folder, once by remit, once by the parser alone. */
async function bundle(folder) {
  // The command may be bundled with the parser's browser build, which reads no debugging switches; then the parser is
  // bundled so here, too.
  const shipped = readFileSync(join(ROOT, "scripts/bundle.json"), "utf8").includes("yaml/browser");
  /** @type {Record<string, string>} */
  const alias = shipped ? { yaml: join(ROOT, "node_modules/yaml/browser/index.js") } : {};
  return {
    validate: await bundleModule("bench/sources/validate.ts", folder, {
      ...BUNDLED,
      alias,
      plugins: [await compiledSchemas(ROOT)],
    }),
    parse: await bundleModule("bench/sources/parse.ts", folder, BUNDLED),
  };
}

function write(folder, perFile) {
  mkdirSync(folder, { recursive: true });
  for (let file = 0; file * perFile < MANIFESTS; file += 1) {
    const documents = Array.from({ length: perFile }, (_, at) => manifest(file * perFile + at));
    writeFileSync(join(folder, `${String(file).padStart(5, "0")}.yaml`), documents.join("---\n"));
  }
}

/** About 18 lines of each kind in turn: lists, references by name, comments, quotes, a block and an expression. */
function manifest(number) {
  const id = (letter) => `2fsgTvxP0DVTsNXEUBI7${letter}${String(number).padStart(6, "0")}`;
  const head = (kind) => `apiVersion: remit/v1
kind: ${kind}
metadata:
  name: ${kind.toLowerCase()}-${number}
  labels: { team: security, wave: w${number % 7} }
spec:
`;
  if (number % 3 === 0)
    return `# Who has been in too long
${head("TemplateScope")}  templateId: ${id("T")}
  scope:
    appSelectionCriteria:
      riskLevelAttributeValueIds: [${id("R")}, ${id("S")}]
    userCriteria:
      userStatus: [ENABLED]
    grantsByCriteria:
      daysSinceLastUsed: 90d
      typeFilter: GRANT_FILTER_TYPE_PERMANENT
  entitlements:
    - { appId: ${id("A")}, appEntitlementId: ${id("E")} }
    - { appId: { name: GitHub }, appEntitlementId: { alias: github-admin } }
`;
  if (number % 3 === 1)
    return `${head("EntitlementAutomation")}  appId: ${id("A")}
  appEntitlementId: ${id("E")}
  displayName: "Engineering: team ${number}"
  description: >
    Everyone in engineering,
    for as long as they stay.
  cel:
    # The departments come from the directory.
    expression: |
      subject.department == "Engineering" &&
        subject.profile.team in ["team-${number}", "leads"] &&
        !has(subject.profile.leaving)
`;
  return `${head("ResourceType")}  appId: ${id("A")}
  id: ${id("E")}
  # As people know it
  displayName: 'Team ${number}'
  traitIds:
    - ${id("T")}
    - ${id("U")}
    - ${id("V")}
    - ${id("W")}
    - ${id("X")}
    - ${id("Y")}
    - ${id("Z")}
`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const rows = await figures({ quick: process.argv.includes("--quick") });
  if (process.argv.includes("--json")) console.log(JSON.stringify(rows, null, 2));
  else console.table(rows);
  process.exitCode = rows.every(({ ok }) => ok) ? 0 : 1;
}
