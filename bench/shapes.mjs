// Reads 10,000 resources from 100 shapes. The time is beside the bare YAML parser on their rendering; the heap after a
// collection is beside what the rendering's resources keep.
// node bench/shapes.mjs [--quick] [--json]
import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { bundleModule } from "../scripts/bundleModule.mjs";
import { compiledSchemas } from "../scripts/compiledSchemas.mjs";
import { median, row } from "./figure.mjs";

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL("..", import.meta.url));
const SHAPES = 100;
const ROWS = 100;
const TIME_BOUND = 1.3;
const HEAP_BOUND = 1.2;

/** As the build bundles the command, with its packages. @type {import("esbuild").BuildOptions} */
const BUNDLED = { packages: "bundle", target: "node20.19", minifySyntax: true };

/** Every figure of this benchmark, beside its bound: `{ figure, value, unit, bound, ratio, ok }`. */
export async function figures({ quick = false } = {}) {
  const folder = mkdtempSync(join(tmpdir(), "remit-bench-"));
  try {
    const read = await bundleModule("bench/sources/shapes.ts", folder, {
      ...BUNDLED,
      plugins: [await compiledSchemas(ROOT)],
    });
    const parse = await bundleModule("bench/sources/parse.ts", folder, BUNDLED);
    const rows = [];
    for (const [what, lists] of [
      ["100 lists", SHAPES],
      ["one list", 1],
    ]) {
      const [shapes, rendering] = [join(folder, `shapes-${lists}`), join(folder, `rendering-${lists}`)];
      write(shapes, lists);
      await run(process.execPath, [read, shapes, rendering], ENVIRONMENT);
      rows.push(...(await compare(what, { read, parse }, { shapes, rendering }, quick ? 3 : 7)));
    }
    return rows;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const ENVIRONMENT = { env: { PATH: process.env.PATH } };

/** Runs all sides in turn, so that what else the machine does falls on each, and takes medians of the ratios. */
async function compare(what, { read, parse }, { shapes, rendering }, turns) {
  const results = [];
  for (let turn = 0; turn < turns; turn += 1) {
    const expanded = await measure(read, shapes);
    const bare = await measure(parse, join(rendering, "manifests"));
    const plain = await measure(read, rendering);
    results.push({ expanded, bare, plain });
  }
  const time = median(results.map(({ expanded, bare }) => expanded.milliseconds / bare.milliseconds));
  const heap = median(results.map(({ expanded, plain }) => expanded.heap / plain.heap));
  const of = (key) => median(results.map(({ expanded }) => expanded[key]));
  const figure = `10,000 resources from 100 shapes and ${what}`;
  return [
    row(
      `${figure}: text to resources`,
      Math.round(of("milliseconds")),
      "ms",
      `at most ${TIME_BOUND} × the bare parse of their rendering`,
      time,
      time <= TIME_BOUND,
    ),
    row(
      `${figure}: heap after a collection`,
      Math.round(of("heap") * 10) / 10,
      "MB",
      `at most ${HEAP_BOUND} × that of their rendering`,
      heap,
      heap <= HEAP_BOUND,
    ),
  ];
}

async function measure(script, folder) {
  const { stdout } = await run(process.execPath, ["--expose-gc", script, folder], ENVIRONMENT);
  const result = JSON.parse(stdout);
  if (result.manifests !== SHAPES * ROWS) throw new Error(`${script} read ${result.manifests} manifests`);
  return result;
}

/** The shapes of three kinds in turn, each with so many rows of one of the lists. */
function write(folder, lists) {
  mkdirSync(join(folder, "manifests"), { recursive: true });
  mkdirSync(join(folder, "values"), { recursive: true });
  const named = Array.from({ length: lists }, (_, list) => `  list-${list}:\n${rowsOf(list).join("")}`);
  writeFileSync(
    join(folder, "values", "common.yaml"),
    `apiVersion: remit/v1\nkind: Values\nspec:\n  privileged: [{ appId: ${id("A", 1)}, appEntitlementId: ${id("E", 1)} }, { appId: { name: GitHub }, appEntitlementId: { alias: github-admin } }]\n  traits: [${id("T", 1)}, ${id("T", 2)}, ${id("T", 3)}]\n${named.join("")}`,
  );
  for (let shape = 0; shape < SHAPES; shape += 1)
    writeFileSync(join(folder, "manifests", `shape-${shape}.yaml`), shapeOf(shape, `list-${shape % lists}`));
}

function rowsOf(list) {
  return Array.from({ length: ROWS }, (_, at) => {
    const number = list * ROWS + at;
    return `    - { id: r-${number}, name: "Team ${number}", entitlement: ${id("E", number)}, template: ${id("R", number)} }\n`;
  });
}

function shapeOf(number, list) {
  const head = (kind) => `apiVersion: remit/v1
kind: ${kind}
metadata:
  name: shape-${number}
  labels: { team: security, wave: w${number % 7} }
forEach: { in: ${list}, as: d }
spec:
`;
  // Each template has one scope, so a list that all shapes share names none.
  if (number % 3 === 0 && list !== "list-0")
    return `${head("TemplateScope")}  templateId: { $value: d.template }
  scope:
    appSelectionCriteria:
      riskLevelAttributeValueIds: [${id("S", number)}]
    userCriteria:
      userStatus: [ENABLED]
  entitlements:
    - { $values: privileged }
    - { appId: ${id("A", number)}, appEntitlementId: { $value: d.entitlement } }
`;
  if (number % 3 < 2)
    return `${head("EntitlementAutomation")}  appId: ${id("A", number)}
  appEntitlementId: { $value: d.entitlement }
  displayName: { $text: "Members of {d.name}" }
  cel:
    expression: subject.department == department && !has(subject.profile.leaving)
    with: { department: { $value: d.name } }
`;
  return `${head("ResourceType")}  appId: ${id("A", number)}
  id: { $value: d.entitlement }
  displayName: { $value: d.name }
  traitIds: [{ $values: traits }]
`;
}

function id(letter, number) {
  return `2fsgTvxP0DVTsNXEUBI7${letter}${String(number).padStart(6, "0")}`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const rows = await figures({ quick: process.argv.includes("--quick") });
  if (process.argv.includes("--json")) console.log(JSON.stringify(rows, null, 2));
  else console.table(rows);
  process.exitCode = rows.every(({ ok }) => ok) ? 0 : 1;
}
