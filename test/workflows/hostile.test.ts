import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test, vi } from "vitest";
import { parse } from "yaml";
import { pipelineFiles } from "../../src/commands/init/pipelines.js";
import { cases } from "../fakes/cases.js";
import { runInside } from "../fakes/inside.js";
import { beginGithub, programsInside } from "./githubTeam.js";
import { beginGitlab } from "./gitlabTeam.js";
import { type Named, PLAIN } from "./team.js";

// Real processes, one after the other: on a busy machine they take their time.
vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 });

/** What a shell, an expression, a log, an option or a path could read as its own. `CANARY` is a file that nothing may make. */
const PARTS = [
  ...[
    "$(touch CANARY)",
    "`touch CANARY`",
    "; touch CANARY #",
    "'; touch CANARY; '",
    '"; touch CANARY; "',
    "| touch CANARY",
    "& touch CANARY &",
  ],
  ...[
    "$HOME",
    `\${IFS}`,
    "$((1))",
    "$'\\n'",
    "!!",
    "*",
    "?",
    "[a]",
    "{a,b}",
    "~",
    ">CANARY",
    "<x",
    "\\",
    "a b",
    "\ta",
  ],
  ...[`\${{ secrets.client-secret }}`, "}}", "{0}", "%0A", "%X%"],
  ...[
    "::error::x",
    "::add-mask::a",
    "::stop-commands::a",
    "::set-output name=a::b",
    "##[error]x",
    "##vso[task.x]",
    "\n::error::x",
    "\r::error::x",
  ],
  ...["--help", "-C", "-x", "..", "a=b", "#", "é", "\u202e", "\u2028", "\u0085", "\u001b[31m", "a"],
];
const ANY = fc
  .array(fc.constantFrom(...PARTS), { minLength: 1, maxLength: 3 })
  .map((parts) => parts.join(""));
/** A name of a file or a folder. */
const FILES = ANY.filter((name) => !name.includes("/") && name !== "." && name !== "..");
/** What git permits for a branch (git-check-ref-format), without blanks at its end; `${IFS}` is the blank that it does not permit. */
const BRANCHES = ANY.map((name) => name.replaceAll(" ", `\${IFS}`)).filter(
  (name) => name === name.trim() && !/[\p{Cc} ~^:?*[\\]|\.\.|@\{|^@$|^-|[./]$|^\.|\/\//u.test(name),
);
/** What one line of a commit says. */
const LINES = ANY.filter((text) => !/[\p{Cc}<>]|^\s*#|^\s*$/u.test(text));

const HOSTILE = fc.record({
  project: FILES,
  main: BRANCHES.map((name) => `m${name}`),
  topic: BRANCHES.map((name) => `t/${name}`),
  person: LINES.map((text) => `a${text}`),
  subject: LINES,
  file: FILES,
  text: ANY,
});
type Hostile = Named & { readonly file: string; readonly text: string };

/** The commands of remit's own in a log of GitHub, whose texts are escaped. */
const OWN = /^::(?:notice|warning|error)(?: (?:file|line|col|endLine|endColumn|title)=[^\n\r:]*)?::[^\r]*$/;

/** The lines of a log that the runner of GitHub reads as commands, without those of remit. */
function commandsIn(output: string): readonly string[] {
  return output
    .split(/[\n\r]/)
    .filter((line) => /##\w*\[/.test(line) || (line.trimStart().startsWith("::") && !OWN.test(line)));
}

const programs = programsInside();

/** Lets the pull request have a manifest of that file with that text, and the tenant an object with it. */
async function hostileChange(
  team: Pick<Awaited<ReturnType<typeof beginGithub>>, "git" | "work" | "pushAll" | "sandbox">,
  { project, topic, file, text }: Hostile,
): Promise<string> {
  const { git, work, pushAll, sandbox } = team;
  git("checkout", "-q", topic);
  const path = join(work, project, "manifests", "engineering-group.yaml");
  const manifest = readFileSync(path, "utf8").replace(
    /displayName: .*/,
    () => `displayName: ${JSON.stringify(`Engineers ${text}`)}`,
  );
  git(
    "mv",
    "--",
    join(project, "manifests", "engineering-group.yaml"),
    join(project, "manifests", `${file}.yaml`),
  );
  writeFileSync(join(work, project, "manifests", `${file}.yaml`), manifest);
  const [rule] = sandbox.store.toTenant().automations;
  if (rule !== undefined)
    sandbox.store.automations.put(rule.appId, rule.appEntitlementId, {
      ...rule,
      displayName: text,
      description: text,
    });
  await runInside(["fmt"], { cwd: join(work, project), env: {} });
  return pushAll();
}

/** What the jobs came to, and what of the world they changed that they should not. */
interface Seen {
  readonly codes: Readonly<Record<string, unknown>>;
  readonly commands: readonly string[];
  readonly canaries: readonly string[];
}

const canariesIn = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((path) => /(^|\/)CANARY$/.test(path));

async function onGithub(hostile: Hostile): Promise<Seen> {
  const team = await beginGithub(programs(), hostile);
  const head = await hostileChange(team, hostile);
  const jobs = {
    fork: () => team.plan({ head, repository: "mallory/infra" }),
    plan: () => team.plan({ head }),
    apply: () => team.apply(),
    drift: () => team.drift(),
    contexts: () => team.contexts(),
  };
  const codes: Record<string, unknown> = {};
  const commands: string[] = [];
  for (const [name, job] of Object.entries(jobs)) {
    if (name === "apply") team.merge();
    const steps = Object.values((await job()).jobs).flat();
    codes[name] = steps.map((step) => [step.name, step.code, ...(step.code === 0 ? [] : [step.output])]);
    commands.push(...steps.flatMap(({ output }) => commandsIn(output)));
  }
  return { codes, commands, canaries: canariesIn(team.folder) };
}

async function onGitlab(hostile: Hostile): Promise<Seen> {
  const team = await beginGitlab(programs(), hostile);
  await hostileChange(team, hostile);
  const codes: Record<string, unknown> = {};
  const commands: string[] = [];
  for (const [name, job] of Object.entries({
    validate: team.validate,
    plan: team.plan,
    apply: team.apply,
    drift: team.drift,
  })) {
    if (name === "apply") team.merge();
    const { code, output } = await job();
    codes[name] = [code, ...(code === 0 ? [] : [output])];
    commands.push(...commandsIn(output));
  }
  return { codes, commands, canaries: canariesIn(team.folder) };
}

describe.each([
  ["GitHub", onGithub],
  ["GitLab", onGitlab],
])("the jobs on %s", (_forge, run) => {
  test("come to the same and run nothing, whatever is the text of a name, a commit, a manifest or the tenant", async () => {
    const expected = await run({ ...PLAIN, project: "access", file: "team", text: "Team" });
    expect(JSON.stringify(expected.codes)).not.toMatch(/[1-9]/);
    await fc.assert(
      fc.asyncProperty(HOSTILE, async (hostile) => {
        expect(await run(hostile)).toEqual(expected);
      }),
      { numRuns: cases(2), endOnFailure: true },
    );
  });
});

/** What an expression of a workflow may name: nothing that the author of a pull request writes. */
const NAMED = new RegExp(
  `^(${[
    "inputs\\.[a-z-]+",
    "(secrets|vars|matrix)[.[].*",
    "(steps|needs|jobs)\\.[a-z]+\\.(outcome|outputs\\.[a-z]+)",
    "runner\\.temp",
    "github\\.(token|repository|repository_owner|actor|ref|ref_name|ref_type|event_name|run_attempt)",
    "github\\.event\\.pull_request\\.(number|head\\.sha|head\\.repo\\.full_name)",
    "github\\.event\\.merge_group\\.(head|base)_sha",
    "github\\.event\\.repository\\.default_branch",
  ].join("|")})$`,
);

test("no expression of a workflow names a text of a pull request, and none is in a script", () => {
  const folder = join(".github", "workflows");
  const shipped = readdirSync(folder).map((name) => readFileSync(join(folder, name), "utf8"));
  const written = [true, false].flatMap((hasContexts) =>
    pipelineFiles("github", { folder: "access", hasContexts, branch: "main" }).map(({ text }) => text),
  );
  for (const text of [...shipped, ...written]) {
    for (const [, expression = ""] of text.matchAll(/\$\{\{(.*?)\}\}/g))
      for (const name of expression
        .replaceAll(/'[^']*'/g, "")
        .match(/[a-z_]+(?:\.[\w-]+)+(?:\[[^\]]*\])?/g) ?? [])
        expect(name).toMatch(NAMED);
    const jobs: Readonly<Record<string, { readonly steps?: readonly { readonly run?: string }[] }>> =
      parse(text).jobs;
    for (const { steps = [] } of Object.values(jobs))
      for (const { run = "" } of steps) expect(run).not.toContain("${{");
  }
});
