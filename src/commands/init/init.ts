import { existsSync, realpathSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join, relative, resolve } from "node:path";
import packageFile from "../../../package.json" with { type: "json" };
import { codeOf } from "../../cli/exitCode.js";
import { rememberServer } from "../../cli/open/confirmedServers.js";
import { endWith, printDiagnostics } from "../../cli/print/diagnostics.js";
import type { Context } from "../../cli/run/context.js";
import { openProject } from "../../cli/settings/project.js";
import type { World } from "../../cli/world/world.js";
import { tryToWrite } from "../../cli/world/write.js";
import { findCheckout, openGit } from "../../manifest/git/git.js";
import { defaultBranch } from "../../manifest/git/remotes.js";
import { type Diagnostic, hasErrors } from "../../model/diagnostic.js";
import { gitEnvironment } from "../../model/variables.js";
import { tameLine } from "../../report/text/visible.js";
import { checkServer, completeServer } from "../../tenant/client/server.js";
import { say } from "../../words/say.js";
import { SCHEMAS, schemaText } from "../schema/schemas.js";
import { exampleFiles, type StartingFile } from "./exampleFiles.js";
import { type ClusterFile, kubernetesFiles } from "./kubernetes.js";
import {
  type PipelineFile,
  type PipelineForge,
  type PlacedProject,
  PUBLISHED,
  pipelineFiles,
} from "./pipelines.js";
import type { ExampleName, InitFlags } from "./usage.js";

/** Where editors find the schemas: inside the project, so that they need no network and every author has the same. */
const SCHEMA_FOLDER = ".remit/schemas";

const IGNORED = [".remit/*", `!${SCHEMA_FOLDER}/`];

const PROJECT = "remit.yaml";

/** Where VS Code finds which schema belongs to which files of the folder. */
const EDITOR_SETTINGS = ".vscode/settings.json";

/** The files that each schema is for, as `remit init` and the examples place them. */
const FILES: readonly (readonly [schema: string, globs: readonly string[]])[] = [
  ["config", ["remit.yaml"]],
  ["manifest", inside("manifests", "values")],
  ["test", inside("tests")],
  ["guard", inside("guards")],
  ["seed", ["seed.yaml"]],
  ["faults", ["faults.yaml"]],
];

/** The project file; of a tenant that exists, it names the address. */
function projectFile(server: string | undefined): StartingFile {
  const named =
    server === undefined
      ? SANDBOX
      : `server: ${/^[a-z][\w.:/-]*$/i.test(server) ? server : JSON.stringify(server)}`;
  const head = `# yaml-language-server: $schema=${SCHEMA_FOLDER}/config.json`;
  return { path: PROJECT, text: `${head}\n${named}\nmanifests: [manifests]\n` };
}

const SANDBOX = `# A stand-in for the service, inside remit. For your tenant, write its address: https://example.conductor.one
server: sandbox`;

const MANIFEST: StartingFile = {
  path: "manifests/first-review.yaml",
  text: `# yaml-language-server: $schema=../${SCHEMA_FOLDER}/template-scope.json
apiVersion: remit/v1
kind: TemplateScope
metadata:
  name: first-review
spec:
  # The id of the access review template, as its address in the tenant shows it.
  templateId: 2fsgTvxP0DVTsNXEUBI7hOe0l5B
  scope:
    userCriteria: { userStatus: [ENABLED] }
    grantsByCriteria: { daysSinceLastUsed: 90d }
`,
};

/**
 * Starts a project in a folder, and says what was written and what to do next. With `--ci`, a project that exists already only gets
 * its pipelines.
 */
export default async function init(this: Context, flags: InitFlags, folder = "."): Promise<number> {
  const { world } = this;
  const { ci, example } = flags;
  const server = flags.server === undefined ? undefined : completeServer(flags.server);
  const root = resolve(world.cwd, folder);
  const shown = relative(world.cwd, root);
  const show = (path: string) => (relative(world.cwd, join(root, path)) || ".").replaceAll("\\", "/");
  const isStarted = ci !== undefined && example === undefined && existsSync(join(root, PROJECT));
  const begun = beginningOf(flags, server);
  const hasContexts = isStarted ? await hasOwnContexts(world, root) : begun.some(namesContexts);
  const { pipelines, advice } =
    ci === undefined
      ? NO_PIPELINES
      : ci === "kubernetes"
        ? { pipelines: kubernetesFiles(world, root), advice: IN_CLUSTER }
        : await pipelinesFor(world, root, ci, hasContexts);
  const fresh = [...(isStarted ? [] : begun), ...pipelines];
  const taken = fresh.filter(({ path }) => existsSync(join(root, path)));
  const hintOf = (path: string) => pipelines.find((one) => one.path === path)?.ifTaken;
  const diagnostics: Diagnostic[] = [
    ...(example === undefined || flags.server === undefined ? [] : [say("command/usage#twoServers")]),
    ...unusable(server),
    ...taken.map(({ path }) => isTaken(show(path), hintOf(path))),
  ];
  const files = [...(isStarted ? [] : await besides(root)), ...fresh];
  for (const { path, text: given } of diagnostics.length === 0 ? files : []) {
    const text = typeof given === "string" ? { value: given, diagnostics: [] } : await given();
    diagnostics.push(...text.diagnostics);
    if (hasErrors(diagnostics)) break;
    const writing = { path: join(root, path), shown: show(path), text: text.value, access: "open" } as const;
    diagnostics.push(...(await tryToWrite(world, writing)));
    if (hasErrors(diagnostics)) break;
  }
  if (hasErrors(diagnostics)) return endWith(world, "file not written", diagnostics);
  printDiagnostics(world, diagnostics);
  if (!isStarted && server !== undefined) await remember(world, root, server);
  const named = pipelines.map(({ path }) => `wrote ${show(path)}`);
  world.stdout.write([...named, ""].map(tameLine).join("\n"));
  const next = example !== undefined ? COPIED : server === undefined ? NEW : EXISTING;
  if (!isStarted) world.stdout.write(describe(begun, show, shown, next));
  world.stdout.write(advice);
  return codeOf("done");
}

/** The operator named the server by a flag, so the runs of this machine need no other word for it. */
async function remember(world: World, root: string, server: string): Promise<void> {
  const checked = checkServer(server);
  if ("server" in checked) await rememberServer(world, realpathSync(root), checked.server);
}

function unusable(server: string | undefined): readonly Diagnostic[] {
  const checked = server === undefined || server === "sandbox" ? null : checkServer(server);
  if (checked === null || !("problem" in checked)) return [];
  return [say("config/server#unusable", { problem: checked.problem })];
}

/** Whether a project that exists has contexts; each of them gets a job. */
async function hasOwnContexts(world: World, root: string): Promise<boolean> {
  const { value } = await openProject({ ...world, cwd: root }, {}, "all", "none");
  return value.tenants.length > 0;
}

/** The same of a project that is written now. */
function namesContexts({ path, text }: StartingFile): boolean {
  return path === PROJECT && /^contexts:/m.test(text);
}

/** The pipelines of a project, and what its people do for them. */
interface Pipelines {
  readonly pipelines: readonly (PipelineFile | ClusterFile)[];
  readonly advice: string;
}

const NO_PIPELINES: Pipelines = { pipelines: [], advice: "" };

/** The pipelines of the project; those of a forge are where the forge looks for them, at the root of the checkout. */
async function pipelinesFor(
  { env }: World,
  root: string,
  ci: PipelineForge,
  hasContexts: boolean,
): Promise<Pipelines> {
  const real = existsSync(root) ? realpathSync(root) : root;
  const checkout = findCheckout(real);
  const top = checkout?.root ?? real;
  const shown = checkout === null ? null : await defaultBranch(openGit(checkout, gitEnvironment(env)));
  const folder = relative(top, real).replaceAll("\\", "/");
  const project = { folder, hasContexts, branch: shown ?? "main" };
  const pipelines = pipelineFiles(ci, project).map((file) => ({
    ...file,
    path: relative(real, join(top, file.path)),
  }));
  return { pipelines, advice: pipelinesNext(ci, project) };
}

function pipelinesNext(ci: PipelineForge, { hasContexts, branch }: PlacedProject): string {
  // GitLab knows the default branch itself.
  const [runs, they] =
    ci === "github"
      ? [`The pipelines run for the branch ${tameLine(branch)}.\n`, "They"]
      : ["", "The pipelines"];
  const list = ci === "gitlab" ? "Write their jobs: remit contexts --format gitlab > contexts.yml\n" : "";
  return hasContexts
    ? `\n${runs}${they} need variables and an environment for each context; docs/tenants.md says which.\n${list}`
    : `\n${runs}${they} need variables and an environment that protects the tenant; docs/${ci}.md says which.\n`;
}

const IN_CLUSTER =
  "\nEach tenant needs a client that trusts its ServiceAccount, or a Secret; docs/fleet.md says which.\n" +
  "Apply it: kubectl apply -k deploy/kubernetes\n";

/** Pipelines of an example. */
const PIPELINE = /^\.github\/|^\.gitlab-ci\.yml$/;

/** What an author edits: the files of an example, or the project file and, for the sandbox, a first manifest. */
function beginningOf({ example, ci }: InitFlags, server: string | undefined): readonly StartingFile[] {
  if (example !== undefined)
    return projectLike(example).filter(({ path }) => ci === undefined || !PIPELINE.test(path));
  return [projectFile(server), ...(server === undefined ? [MANIFEST] : [])];
}

/** What every project has besides; an existing .gitignore keeps its lines, and settings of an editor stay as they are. */
async function besides(root: string): Promise<readonly StartingFile[]> {
  const schemas = [...SCHEMAS.values()].filter(({ isForEditors }) => isForEditors);
  const ignoring = join(root, ".gitignore");
  const before = existsSync(ignoring) ? await readFile(ignoring, "utf8") : "";
  const hasSettings = existsSync(join(root, EDITOR_SETTINGS));
  return [
    ...(hasSettings ? [] : [editorSettings(SCHEMA_FOLDER)]),
    ...schemas.map((each) => ({ path: `${SCHEMA_FOLDER}/${each.file}`, text: schemaText(each) })),
    { path: ".gitignore", text: withIgnored(before) },
  ];
}

function withIgnored(text: string): string {
  const there = text.split(/\r?\n/);
  const missing = IGNORED.filter((line) => !there.includes(line));
  const gap = text === "" || text.endsWith("\n") ? "" : "\n";
  return missing.length === 0 ? text : `${text}${gap}${missing.join("\n")}\n`;
}

function describe(
  written: readonly StartingFile[],
  show: (path: string) => string,
  folder: string,
  next: readonly string[],
): string {
  return [
    ...written.map(({ path }) => `wrote ${show(path)}`),
    `wrote ${show(SCHEMA_FOLDER)}/ and ${show(EDITOR_SETTINGS)}, by which your editor completes and checks your files`,
    `${show(".gitignore")} leaves out what else remit keeps in ${show(".remit")}/`,
    "",
    "Next:",
    ...(folder === "" ? [] : [`  cd ${folder}`]),
    ...next,
    "",
  ]
    .map(tameLine)
    .join("\n");
}

const NEW = [
  "  remit plan    shows what the manifest would change in the sandbox",
  "  remit apply   makes it so",
];

const EXISTING = [
  "  remit doctor  says what your credentials may read and write",
  "  remit import  writes a manifest for each object of the tenant",
  "  remit plan    shows that they change nothing",
];

const COPIED = ["  README.md     says what to run, what it shows, and what to try"];

function isTaken(path: string, hint = "Name another folder: remit init FOLDER."): Diagnostic {
  return say("command/already-there#isTaken", { path }, { hint });
}

/** An example as a project of its own: its files name the schemas in that folder, and its README the published documents. */
function projectLike(example: ExampleName): readonly StartingFile[] {
  const docs = `https://github.com/${PUBLISHED}/blob/v${packageFile.version}/docs/`;
  return exampleFiles(example)
    .filter(({ path }) => path !== ".gitignore")
    .map(({ path, text }) => ({
      path,
      text: path.endsWith(".md")
        ? text.replaceAll("](../../docs/", `](${docs}`)
        : text.replaceAll(
            /^(# yaml-language-server: \$schema=(?:\.\.\/)*)schemas\//gm,
            `$1${SCHEMA_FOLDER}/`,
          ),
    }));
}

/**
 * The settings of an editor for a project. A line `# yaml-language-server:` counts for one document of a file, and these for
 * all of them.
 */
export function editorSettings(schemas: string): StartingFile {
  const entries = FILES.map(([name, globs]) => [`./${schemas}/${SCHEMAS.get(name)?.file}`, globs] as const);
  const text = JSON.stringify({ "yaml.schemas": Object.fromEntries(entries) }, null, 2);
  return { path: EDITOR_SETTINGS, text: `${text}\n` };
}

function inside(...folders: readonly string[]): readonly string[] {
  return folders.flatMap((folder) => ["yaml", "yml"].map((ending) => `${folder}/**/*.${ending}`));
}
