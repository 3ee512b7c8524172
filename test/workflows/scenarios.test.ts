import { readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import { beginGithub, programsInside } from "./githubTeam.js";
import { beginGitlab } from "./gitlabTeam.js";
import type { StepRun } from "./runner.js";
import { PLAIN } from "./team.js";

// Real processes, one after the other: on a busy machine they take their time.
vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 });

const programs = programsInside();

const NAMED = { ...PLAIN, project: "access" };

/** What a job came to: the first exit code that is not zero, and what its steps printed. */
type Ran = Pick<StepRun, "code" | "output">;

/** The jobs of a forge with the workflows of Actions. */
async function withActions(forge: "github" | "gitea") {
  const team = await beginGithub(programs(), NAMED, forge);
  const ran = async (running: ReturnType<typeof team.drift>): Promise<Ran> => {
    const steps = Object.values((await running).jobs).flat();
    const output = steps.map((step) => step.output).join("");
    return { code: steps.find(({ code }) => code !== 0)?.code ?? 0, output };
  };
  const inputs = (folder = NAMED.project) => ({ folder });
  return {
    ...team,
    fork: (head: string) => ran(team.plan({ head, repository: "mallory/infra" })),
    plan: (head: string, folder?: string) => ran(team.plan({ head }, inputs(folder))),
    apply: (folder?: string, more: Readonly<Record<string, string>> = {}) =>
      ran(team.apply({ ...inputs(folder), ...more })),
    manual: (base: string, commit: string) => ran(team.manual(base, commit, inputs())),
    drift: (folder?: string) => ran(team.drift(inputs(folder))),
  };
}

/** The jobs of GitLab's pipeline; of a fork, it runs the one that validates. */
async function withPipeline() {
  const team = await beginGitlab(programs(), NAMED);
  const variables = (folder = NAMED.project) => ({ REMIT_FOLDER: folder });
  return {
    ...team,
    fork: (_head: string): Promise<Ran> => team.validate(),
    plan: (_head: string, folder?: string): Promise<Ran> => team.plan(variables(folder)),
    apply: (folder?: string, more: Readonly<Record<string, string>> = {}): Promise<Ran> =>
      team.apply({ ...variables(folder), ...more }),
    async manual(base: string, commit: string): Promise<Ran> {
      const { shown, applied } = await team.manual(base, commit);
      return { code: applied?.code ?? shown.code, output: `${shown.output}${applied?.output ?? ""}` };
    },
    drift: (folder?: string): Promise<Ran> => team.drift(variables(folder)),
  };
}

describe.each([
  ["GitHub", () => withActions("github")],
  ["Gitea", () => withActions("gitea")],
  ["GitLab", withPipeline],
])("the jobs on %s", (forge, begin) => {
  const passes = async (running: Promise<Ran>) => {
    const { code, output } = await running;
    expect(code, output).toBe(0);
    return output;
  };

  test("only validate a fork's pull request, and change nothing when they run again", async () => {
    const { head, forge: standIn, sandbox, fork, plan, apply, drift, merge } = await begin();
    await passes(fork(head));
    expect([standIn.seen, sandbox.log.entries()]).toEqual([[], []]);
    await passes(plan(head));
    const said = () =>
      JSON.stringify([standIn.comments.map(({ body }) => body), standIn.statuses.at(-1)?.description]);
    const first = said();
    await passes(plan(head));
    expect(said()).toBe(first);
    merge();
    expect(await passes(apply())).toContain("Applying #41");
    const tenant = JSON.stringify(sandbox.store.toTenant());
    expect(tenant).toContain('"Engineers"');
    expect(await passes(apply())).not.toContain("Applying");
    expect(JSON.stringify(sandbox.store.toTenant())).toBe(tenant);
    await passes(drift());
  });

  // Gitea finds a pull request by its last commit alone.
  if (forge !== "Gitea")
    test("apply a pull request of two commits whose merge was a rebase", async () => {
      const { git, work, pushAll, plan, apply, rebase, sandbox } = await begin();
      git("branch", "-f", "topic", "main");
      git("checkout", "-q", "topic");
      const rule = join(work, "access", "manifests", "engineering-group.yaml");
      const edit = (from: string, to: string) =>
        writeFileSync(rule, readFileSync(rule, "utf8").replace(from, to));
      edit("Name: Engineering", "Name: Builders");
      git("commit", "-qam", "one");
      edit("for as long as they stay", "while they stay");
      await passes(plan(pushAll()));
      rebase();
      expect(await passes(apply())).toContain("Applying #41");
      expect(JSON.stringify(sandbox.store.toTenant().automations)).toMatch(/"Builders".*while they stay/);
    });

  test("apply what was pushed without a pull request by the manual job alone, once", async () => {
    const { git, work, begun, apply, manual, sandbox, forge: standIn } = await begin();
    const base = begun();
    const rule = join(work, "access", "manifests", "engineering-group.yaml");
    const edit = (to: string) => {
      writeFileSync(rule, readFileSync(rule, "utf8").replace(/Name: \w+/, `Name: ${to}`));
      git("commit", "-qam", to);
      git("push", "-q", "origin", "main");
      return git("rev-parse", "HEAD");
    };
    const commit = edit("Builders");
    const since = { since: base, SINCE: base };
    const refused = await apply(undefined, since);
    expect([refused.code, refused.output]).toEqual([4, expect.stringContaining("approved/no-pull-request")]);
    expect(refused.output).toContain(`For the manual job: base: ${base} and commit: ${commit}`);
    const elsewhere = await manual(base, git("rev-parse", "topic"));
    expect([elsewhere.code, elsewhere.output]).toEqual([1, expect.stringContaining("along first parents")]);
    const applied = await passes(manual(base, commit));
    expect(applied).toContain("Builders");
    const tenant = JSON.stringify(sandbox.store.toTenant());
    expect(tenant).toContain('"Builders"');
    expect(standIn.statuses.at(-1)).toMatchObject({ sha: commit, state: "success" });
    // Its status lets the next ones follow, and nothing is applied twice.
    expect(await passes(apply(undefined, since))).not.toContain("Applying");
    expect(JSON.stringify(sandbox.store.toTenant())).toBe(tenant);
  });

  // Gitea runs the workflows of GitHub; what follows asks no forge for more than its statuses.
  if (forge === "Gitea") return;

  test("plan and apply a project in a folder that the default branch does not have yet", async () => {
    const { git, pushAll, plan, apply, drift, merge, sandbox } = await begin();
    git("branch", "-f", "topic", "main");
    git("checkout", "-q", "topic");
    git("mv", "access", "new");
    expect(await passes(plan(pushAll(), "new"))).toContain("The project did not exist yet");
    merge();
    expect(await passes(apply("new"))).toContain("Applied: 1 created, 2 updated.");
    expect(sandbox.store.toTenant().automations).toHaveLength(1);
    await passes(drift("new"));
  });

  test("do not take a missing state for a first run, and say where to begin", async () => {
    const { head, plan, apply, merge, begun, sandbox } = await begin();
    await passes(plan(head));
    merge();
    const none = { since: "", SINCE: "" };
    const refused = await apply(undefined, none);
    expect([refused.code, refused.output]).toEqual([4, expect.stringContaining("approved/no-state")]);
    const since = begun();
    await passes(apply(undefined, { since, SINCE: since }));
    expect(JSON.stringify(sandbox.store.toTenant())).toContain('"Engineers"');
    expect(await passes(apply(undefined, none))).not.toContain("Applying");
  });

  // Every link that remit refuses is in test/threats/linkedFolders.test.ts; here it is that a job stops at one.
  const REPLACED: Readonly<Record<string, (folder: string) => void>> =
    forge === "GitHub"
      ? {
          "a link to another project": (folder) => symlinkSync("dev", folder),
          "a file": (folder) => writeFileSync(folder, "access"),
        }
      : {
          "a link to a folder outside": (folder) => symlinkSync("..", folder),
          "a link to nothing": (folder) => symlinkSync("nothing", folder),
        };
  test.each(Object.entries(REPLACED))(
    "apply nothing where a change makes the project's folder %s",
    async (_what, replace) => {
      const { git, work, pushAll, plan, apply, merge, sandbox, forge: standIn } = await begin();
      git("branch", "-f", "topic", "main");
      git("checkout", "-q", "topic");
      git("mv", "access", "dev");
      replace(join(work, "access"));
      const before = JSON.stringify(sandbox.store.toTenant());
      expect((await plan(pushAll())).code).not.toBe(0);
      expect(standIn.statuses.filter(({ state }) => state === "success")).toEqual([]);
      merge();
      expect((await apply()).code).not.toBe(0);
      expect(JSON.stringify(sandbox.store.toTenant())).toBe(before);
    },
  );
});
