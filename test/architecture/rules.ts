import { builtinModules } from "node:module";
import { kinds } from "../../src/kinds/index.js";
import type { Source } from "./imports.js";

/** The floors of the house, the lowest first: a file imports from its own floor and those before it. */
export const FLOORS = [
  "model",
  "words",
  "schema",
  "kinds",
  "manifest",
  "diff",
  "state",
  "tenant/client",
  "tenant",
  "impact",
  "plan",
  "people",
  "reconcile.ts",
  "apply",
  "report",
  "author",
  "forge",
  "index.ts",
  "sandbox",
  "telemetry",
  "cli",
  "commands",
  "bin",
] as const;

type Floor = (typeof FLOORS)[number];

/** Which package may be imported from where: a folder, or a file of one. */
const DEPENDENCIES: Readonly<Record<string, readonly string[]>> = {
  yaml: ["manifest", "sandbox"],
  ajv: ["schema"],
  got: ["tenant/client"],
  hpagent: ["tenant/client"],
  "p-limit": ["tenant/client/pace/pace.ts"],
  aws4fetch: ["state/s3/bucket.ts"],
  pg: ["state/postgres/connection.ts"],
  diff: ["report"],
  "string-width": ["report"],
  "slice-ansi": ["report"],
  "wrap-ansi": ["report"],
  "@marcbachmann/cel-js": [
    "manifest/cel.ts",
    "manifest/expressions.ts",
    "manifest/typeFaults.ts",
    "manifest/typedLanguage.ts",
    "manifest/unknownNames.ts",
    "impact",
  ],
  ignore: ["manifest"],
  "fastest-levenshtein": ["schema"],
  "@stricli/core": ["cli", "bin"],
  "log-update": ["cli"],
};

/** Where node's own modules may be used: where the outside is touched. */
const OUTSIDE_FOLDERS: readonly string[] = ["tenant/client", "state", "cli", "sandbox", "commands", "bin"];
const OUTSIDE_FILES: Readonly<Record<string, readonly string[]>> = {
  "manifest/disk.ts": ["node:fs"],
  "manifest/files.ts": ["node:path"],
  "manifest/git/commitTree.ts": ["node:path"],
  "manifest/git/decidingFiles.ts": ["node:path"],
  "manifest/git/earlierProject.ts": ["node:path"],
  "manifest/git/fileAt.ts": ["node:path"],
  "manifest/git/git.ts": ["node:child_process", "node:fs", "node:path"],
  "plan/saved/spelling.ts": ["node:crypto"],
  "report/forms/html/page.ts": ["node:crypto"],
  "tenant/pageChain.ts": ["node:zlib"],
};

/** `process`, `console`, the clock, randomness and the net belong to these alone. */
const WORLDLY = ["cli", "sandbox", "bin"];
/** The embedded service, and the command that serves it. */
const STARTS_SANDBOX = ["cli", "commands"];
const TIMELY =
  /^(process|console|setTimeout|setInterval|setImmediate|performance|crypto|fetch|globalThis)(\.|$)|^Date(\.now)?$|^new Date\(\)$|^Math\.random$/;

/** What reaches a server gets its credentials and settings as arguments, and reads no variable. */
const NO_VARIABLES: readonly string[] = ["state", "tenant/client", "forge", "telemetry"];
/** The one file that turns a variable into a secret. */
const GIVER = "cli/credentials/give.ts";
/** Where the environment of the process is handed on. */
const READS_PROCESS: readonly string[] = ["cli/world/process.ts"];

const JUNK = /(^|\/)(utils?|helpers?|common|lib|core|misc|shared|types)(\.ts)?(\/|$)/;
const WALL = 400;
const LONGEST_FUNCTION = 150;

/** The engine treats all kinds alike: only these folders know one by its name. */
const KNOW_KINDS = ["kinds", "schema", "sandbox", "cli"];
const KIND_NAMES = kinds.map(({ name }) => name);

/** A form prints a view, and reads nothing of a plan itself. These print a report as data, choose a form, or name a finding. */
const OF_A_PLAN: readonly string[] = ["plan", "kinds", "impact", "people", "report/plan"];
const FORMS_OF_DATA = ["json", "summary", "terraform", "table", "codequality"].map(
  (name) => `report/forms/${name}.ts`,
);

/** A broken rule, in words that name the file and what to do. */
export type Fault = string;

/** Every rule over every file. */
export function faultsOf(sources: readonly Source[]): readonly Fault[] {
  return [
    ...sources.flatMap((source) => [...faultsIn(source)]),
    ...cyclesIn(sources),
    ...unusedIn(sources),
    ...besideFolders(sources),
  ];
}

/** A file beside a folder of its name: a reader cannot tell which of the two has the answer. */
function* besideFolders(sources: readonly Source[]): Generator<Fault> {
  for (const { path } of sources) {
    const folder = path.replace(/\.ts$/, "/");
    if (sources.some((other) => other.path.startsWith(folder)))
      yield `${path}: stands beside ${folder}; move it inside`;
  }
}

/** A permission without a use was never reviewed. */
function* unusedIn(sources: readonly Source[]): Generator<Fault> {
  for (const [name, places] of Object.entries(DEPENDENCIES))
    for (const place of places)
      if (!sources.some(({ path, imports }) => isIn(place, path) && imports.map(packageOf).includes(name)))
        yield `${place}: does not import ${name}; take the permission away`;
}

function isIn(place: string, path: string): boolean {
  return path === place || path.startsWith(`${place}/`);
}

function packageOf(name: string): string {
  return name
    .split("/")
    .slice(0, name.startsWith("@") ? 2 : 1)
    .join("/");
}

function* faultsIn(source: Source): Generator<Fault> {
  const { path } = source;
  const floor = floorOf(path);
  if (floor === undefined) {
    yield `${path}: stands on no floor; the floors are ${FLOORS.join(", ")}`;
    return;
  }
  if (source.lines > WALL) yield `${path}: ${source.lines} lines; the wall is ${WALL}: split it by noun`;
  for (const { at, lines } of source.functions)
    if (lines > LONGEST_FUNCTION)
      yield `${path}: the function at line ${at} has ${lines} lines; the most is ${LONGEST_FUNCTION}: split it by question`;
  if (JUNK.test(path)) yield `${path}: a junk-drawer name; name what it holds`;
  for (const name of source.imports) yield* importFaults(path, floor, name);
  if (source.names.has("readSecret") && path !== GIVER && path !== "model/variables.ts")
    yield `${path}: uses readSecret; ${GIVER} gives out secrets`;
  if (source.uses.includes("process.env") && !READS_PROCESS.includes(path))
    yield `${path}: uses process.env; take an Environment`;
  if (!KNOW_KINDS.includes(floor))
    for (const name of KIND_NAMES)
      if (source.texts.has(name))
        yield `${path}: names the kind ${name}; only kinds may: make it data of the kind`;
  if (!WORLDLY.includes(floor))
    for (const use of source.uses)
      if (TIMELY.test(use))
        yield `${path}: uses ${use}; only ${WORLDLY.join(", ")} may: take it as an argument`;
}

function* importFaults(path: string, floor: Floor, name: string): Generator<Fault> {
  if (name.endsWith(".json") || name.endsWith(".yaml")) return;
  if (name.startsWith("node:") || builtinModules.includes(name)) {
    if (!name.startsWith("node:")) yield `${path}: imports ${name}; write node:${name}`;
    const allowed = OUTSIDE_FOLDERS.includes(floor) || (OUTSIDE_FILES[path]?.includes(name) ?? false);
    if (!allowed) yield `${path}: imports ${name}; the outside is touched elsewhere`;
    return;
  }
  if (!name.endsWith(".ts")) {
    const packageName = packageOf(name);
    const places = DEPENDENCIES[packageName] ?? [];
    if (!places.some((place) => place === path || place === floor))
      yield `${path}: imports ${packageName}; ${places.length === 0 ? "it is not among the dependencies" : `only ${places.join(", ")} may`}`;
    return;
  }
  if (name === "model/variables.ts" && NO_VARIABLES.includes(floor))
    yield `${path}: imports ${name}; cli/credentials gives secrets, and cli reads variables`;
  if (isIn("report/forms", path) && !FORMS_OF_DATA.includes(path))
    if (OF_A_PLAN.some((folder) => isIn(folder, name)))
      yield `${path}: imports ${name}; a form prints what report/view gives it`;
  const target = floorOf(name);
  if (target === undefined) yield `${path}: imports ${name}, which is outside src`;
  else if (floor === "sandbox" && target !== "sandbox" && target !== "model")
    yield `${path}: imports ${name}; the sandbox knows model alone`;
  else if (target === "sandbox" && floor !== "sandbox" && !STARTS_SANDBOX.includes(floor))
    yield `${path}: imports ${name}; only ${STARTS_SANDBOX.join(", ")} may`;
  else if (FLOORS.indexOf(target) > FLOORS.indexOf(floor))
    yield `${path}: imports ${name}, which is a floor above`;
}

function floorOf(path: string): Floor | undefined {
  return FLOORS.find((floor) => path === floor || path.startsWith(`${floor}/`));
}

function* cyclesIn(sources: readonly Source[]): Generator<Fault> {
  const byPath = new Map(sources.map((source) => [source.path, source]));
  const done = new Set<string>();
  const way: string[] = [];
  function* visit(path: string): Generator<Fault> {
    const back = way.indexOf(path);
    if (back >= 0) yield `${[...way.slice(back), path].join(" → ")}: a cycle`;
    if (back >= 0 || done.has(path)) return;
    way.push(path);
    for (const name of byPath.get(path)?.imports ?? []) if (byPath.has(name)) yield* visit(name);
    way.pop();
    done.add(path);
  }
  for (const path of byPath.keys()) yield* visit(path);
}
