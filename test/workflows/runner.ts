import { execFile } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parse } from "yaml";
import { cloneAt } from "../fakes/checkout.js";

/** What the expressions of a workflow can name. */
export interface Contexts {
  readonly inputs: Readonly<Record<string, string>>;
  readonly secrets: Readonly<Record<string, string>>;
  readonly vars: Readonly<Record<string, string>>;
  readonly github: Readonly<Record<string, unknown>>;
  /** How the steps of the job ended that have an id, and what they gave. */
  readonly steps?: Readonly<Record<string, StepOutcome>>;
  /** What the jobs before gave. */
  readonly needs?: Readonly<Record<string, { readonly outputs: Readonly<Record<string, string>> }>>;
}

interface StepOutcome {
  readonly outcome: "success" | "failure" | "skipped";
  readonly outputs: Readonly<Record<string, string>>;
}

/** A step that was run: its name, its exit code and what it printed. */
export interface StepRun {
  readonly name: string;
  readonly code: number;
  readonly output: string;
}

/** A runner of one job: its folders, and the repository that a checkout fetches from. */
export interface Machine {
  readonly folder: string;
  readonly origin: string;
  readonly env: Readonly<Record<string, string>>;
}

interface Step {
  readonly name?: string;
  readonly id?: string;
  readonly if?: string;
  readonly uses?: string;
  readonly with?: Readonly<Record<string, string | number | boolean>>;
  readonly run?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly "working-directory"?: string;
}

interface Job {
  readonly if?: string;
  /** The one job before it. */
  readonly needs?: string;
  readonly outputs?: Readonly<Record<string, string>>;
  readonly permissions: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string>>;
  readonly steps: readonly Step[];
}

export interface Workflow {
  readonly on: {
    readonly workflow_call: { readonly inputs: Readonly<Record<string, { readonly default?: string }>> };
  };
  readonly permissions: object;
  readonly jobs: Readonly<Record<string, Job>>;
}

/** Reads a workflow of this repository. */
export function workflowNamed(name: string): Workflow {
  return parse(readFileSync(join(".github", "workflows", `${name}.yml`), "utf8"));
}

/** A new runner: an empty folder, with a place for tools that npm installs. */
export function newMachine(
  origin: string,
  env: Readonly<Record<string, string>>,
): Machine & { close(): void } {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "remit-runner-")));
  for (const name of ["temp", "work", "tools", "home"]) mkdirSync(join(folder, name));
  const own = {
    PATH: `${join(folder, "tools", "bin")}:${process.env.PATH}`,
    HOME: join(folder, "home"),
    npm_config_prefix: join(folder, "tools"),
    npm_config_update_notifier: "false",
    CI: "true",
    GITHUB_ACTIONS: "true",
    GITHUB_WORKSPACE: join(folder, "work"),
    GITHUB_OUTPUT: join(folder, "temp", "output"),
    GITHUB_STEP_SUMMARY: join(folder, "temp", "summary.md"),
    RUNNER_TEMP: join(folder, "temp"),
  };
  return {
    folder,
    origin,
    env: { ...own, ...env },
    close: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/**
 * Runs the steps of each job whose condition holds, as GitHub does. Each `run:` gets a shell that stops at the first error.
 * After a failed step, only a step with a condition of its own is run.
 */
export async function runWorkflow(
  workflow: Workflow,
  contexts: Contexts,
  machine: Machine,
): Promise<Readonly<Record<string, readonly StepRun[]>>> {
  const defaults = Object.fromEntries(
    Object.entries(workflow.on.workflow_call.inputs).map(([name, one]) => [name, String(one.default ?? "")]),
  );
  const known = { ...contexts, inputs: { ...defaults, ...contexts.inputs } };
  const ran: Record<string, readonly StepRun[]> = {};
  const needs: Record<string, { readonly outputs: Readonly<Record<string, string>> }> = {};
  for (const [name, job] of Object.entries(workflow.jobs)) {
    const own = { ...known, needs };
    if (job.if !== undefined && evaluate(job.if, own, machine) !== true) continue;
    if (job.needs !== undefined && !(ran[job.needs] ?? []).every(({ code }) => code === 0)) continue;
    newRunner(machine);
    const { steps, contexts } = await runJob(job, own, machine);
    ran[name] = steps;
    const outputs = Object.entries(job.outputs ?? {}).map(([one, text]) => [
      one,
      filled(text, contexts, machine),
    ]);
    needs[name] = { outputs: Object.fromEntries(outputs) };
  }
  return ran;
}

/** Each job has a runner of its own: nothing but its outputs reaches the next. */
function newRunner({ folder }: Machine): void {
  for (const name of ["work", "temp"]) {
    rmSync(join(folder, name), { recursive: true, force: true });
    mkdirSync(join(folder, name));
  }
}

/** What the steps of a job wrote as its outputs: lines of `name=value`. */
function outputsIn(file: string): Readonly<Record<string, string>> {
  const lines = existsSync(file) ? readFileSync(file, "utf8").trim().split("\n") : [];
  return Object.fromEntries(lines.map((line) => [line.split("=")[0], line.slice(line.indexOf("=") + 1)]));
}

async function runJob(job: Job, known: Contexts, machine: Machine) {
  const ran: StepRun[] = [];
  const [paths, output] = ["paths", "output"].map((name) => join(machine.folder, "temp", name)) as [
    string,
    string,
  ];
  let contexts = known;
  for (const step of job.steps) {
    const hasFailed = ran.some(({ code }) => code !== 0);
    const end = (outcome: "success" | "failure" | "skipped") => {
      if (step.id !== undefined)
        contexts = {
          ...contexts,
          steps: { ...contexts.steps, [step.id]: { outcome, outputs: outputsIn(output) } },
        };
    };
    end("skipped");
    if (hasFailed && step.if === undefined) continue;
    const fill = (text: string) => filled(text, contexts, machine);
    if (step.if !== undefined && evaluate(step.if, contexts, machine) !== true) continue;
    if (step.uses !== undefined) use(step, fill, machine);
    if (step.run === undefined) continue;
    if (step.run.includes("${{")) throw new Error(`a script contains an expression: ${step.run}`);
    const env = Object.fromEntries(
      Object.entries({ ...job.env, ...step.env }).map(([name, value]) => [name, fill(String(value))]),
    );
    const cwd = join(machine.folder, "work", fill(step["working-directory"] ?? "."));
    const folder = step["working-directory"]?.includes("runner.temp") ? join(machine.folder, "temp") : cwd;
    const name = step.name ?? step.run;
    const added = existsSync(paths) ? readFileSync(paths, "utf8").trim().split("\n").reverse() : [];
    const PATH = [...added, machine.env.PATH].join(":");
    const ended = await shell(step.run, folder, { ...machine.env, PATH, GITHUB_PATH: paths, ...env });
    ran.push({ name, ...ended });
    end(ended.code === 0 ? "success" : "failure");
  }
  return { steps: ran, contexts };
}

/** Runs a script in a shell that stops at the first error. */
export function shell(script: string, cwd: string, env: NodeJS.ProcessEnv): Promise<Omit<StepRun, "name">> {
  return new Promise((resolve) => {
    execFile("bash", ["-e", "-c", script], { cwd, env, maxBuffer: 1 << 26 }, (error, stdout, stderr) => {
      const code = error === null ? 0 : Number(error.code ?? 1);
      resolve({ code, output: `${stdout}${stderr}` });
    });
  });
}

/** The actions: node is there already, and a checkout fetches a commit of the repository. */
function use(step: Step, fill: (text: string) => string, { folder, origin, env }: Machine): void {
  if (/^actions\/(setup-node|upload-artifact)@/.test(step.uses ?? "")) return;
  if (!step.uses?.startsWith("actions/checkout@")) throw new Error(`an unknown action: ${step.uses}`);
  const ref = fill(String(step.with?.ref ?? "")) || (env.GITHUB_REF ?? "");
  cloneAt(join(folder, "work"), origin, ref);
}

function filled(text: string, contexts: Contexts, machine: Machine): string {
  return text.replace(/\$\{\{(.*?)\}\}/g, (_all, expression) =>
    String(evaluate(expression, contexts, machine) ?? ""),
  );
}

/** Evaluates the few forms that these workflows use: names, texts, `format`, `!cancelled()`, `||`, `&&`, `==` and `!=`. */
function evaluate(expression: string, contexts: Contexts, machine: Machine): unknown {
  const text = expression.replace(/^\s*\$\{\{|\}\}\s*$/g, "").trim();
  const all = { ...contexts, runner: { temp: join(machine.folder, "temp") } };
  for (const [sign, join_] of [
    ["||", (one: unknown, other: unknown) => one || other],
    ["&&", (one: unknown, other: unknown) => one && other],
    ["!=", (one: unknown, other: unknown) => one !== other],
    ["==", (one: unknown, other: unknown) => one === other],
  ] as const) {
    const at = text.indexOf(` ${sign} `);
    if (at < 0) continue;
    const side = (part: string) => evaluate(part, contexts, machine);
    return join_(side(text.slice(0, at)), side(text.slice(at + sign.length + 2)));
  }
  if (text === "!cancelled()" || text === "always()") return true;
  const format = /^format\('([^']*)', (.*)\)$/.exec(text);
  if (format !== null)
    return String(format[1]).replace("{0}", String(evaluate(String(format[2]), contexts, machine)));
  if (/^'[^']*'$/.test(text)) return text.slice(1, -1);
  if (!/^[a-z_.-]+$/i.test(text)) throw new Error(`an expression that the runner does not know: ${text}`);
  return text
    .split(".")
    .reduce<unknown>((value, name) => (value as Record<string, unknown> | undefined)?.[name], all);
}
