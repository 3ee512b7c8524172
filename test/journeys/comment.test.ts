import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import type { ForgeName } from "../../src/forge/forge.js";
import { makeProjectCheckout, type ProjectCheckout } from "../fakes/projectCheckout.js";
import { json } from "../fakes/server.js";
import {
  BOT,
  OTHER,
  PULL,
  REPOSITORY,
  type StandIn,
  type StandInUser,
  startStandIn,
} from "../forge/standIn.js";

let checkout: ProjectCheckout;
let head = "";

beforeAll(async () => {
  checkout = makeProjectCheckout("examples/quickstart");
  checkout.git("checkout", "-q", "-b", "topic");
  checkout.write("notes.txt");
  head = checkout.commit();
  const planned = await remit("plan", "--out", "../plan.json");
  expect(planned.code).toBe(0);
  return () => checkout.close();
});

/** Plans with the settings of the base. */
const remit = (...argv: readonly string[]) =>
  checkout.remitIn({ env: { REMIT_SETTINGS_FROM: "main" } }, ...argv);

/** A forge with the pull request of the checkout. */
async function startForge(name: ForgeName, users?: readonly StandInUser[]): Promise<StandIn> {
  const standIn = await startStandIn(name, users);
  standIn.pulls.splice(0, 1, { ...PULL, head: { ...PULL.head, sha: head } });
  return standIn;
}

const eventOf = () => ({
  pull_request: {
    number: 41,
    head: { sha: head, ref: "topic", repo: { full_name: REPOSITORY } },
    base: { sha: "b2".repeat(20), ref: "main", repo: { full_name: REPOSITORY } },
  },
});

/** The variables of a job that runs for the pull request. */
function jobOf(
  forge: ForgeName,
  { url }: StandIn,
  event: object = eventOf(),
): Readonly<Record<string, string>> {
  if (forge === "gitlab")
    return {
      GITLAB_CI: "true",
      CI_API_V4_URL: url,
      CI_SERVER_URL: "https://gitlab.example",
      CI_PROJECT_ID: "5",
      CI_PROJECT_PATH: REPOSITORY,
      CI_COMMIT_SHA: head,
      CI_PIPELINE_ID: "1010",
      CI_JOB_URL: "https://gitlab.example/jobs/7",
      CI_MERGE_REQUEST_IID: "41",
      CI_MERGE_REQUEST_PROJECT_ID: "5",
      CI_MERGE_REQUEST_SOURCE_PROJECT_ID: "5",
      CI_JOB_TOKEN: "token-of-the-job",
    };
  checkout.write("../event.json", JSON.stringify(event));
  return {
    GITHUB_ACTIONS: "true",
    ...(forge === "gitea" ? { GITEA_ACTIONS: "true" } : {}),
    GITHUB_API_URL: url,
    GITHUB_SERVER_URL: "https://forge.example",
    GITHUB_REPOSITORY: REPOSITORY,
    GITHUB_SHA: "c3".repeat(20),
    GITHUB_RUN_ID: "7",
    GITHUB_EVENT_PATH: join(checkout.home, "event.json"),
    GITHUB_STEP_SUMMARY: join(checkout.home, "summary.md"),
  };
}

const OWN = { REMIT_FORGE_TOKEN: BOT.token };
const run = (env: Readonly<Record<string, string>>, ...argv: readonly string[]) =>
  checkout.remitIn({ env }, "comment", ...argv);
const summary = () => readFileSync(join(checkout.home, "summary.md"), "utf8");

describe.each(["github", "gitlab", "gitea"] as const)("remit comment on %s", (forge) => {
  it("posts a plan as one comment and one status, and keeps both up to date", async () => {
    const standIn = await startForge(forge);
    standIn.comment("Another tool: 3 to add", BOT);
    const env = { ...jobOf(forge, standIn), ...OWN };
    const first = await run(env, "../plan.json");
    expect(first).toMatchObject({ code: 0, stderr: "Wrote the comment on #41\n" });
    expect(await run(env, "../plan.json")).toMatchObject({ stderr: "The comment is up to date on #41\n" });
    const [other, own] = standIn.comments;
    expect(standIn.comments).toHaveLength(2);
    expect(other?.body).toBe("Another tool: 3 to add");
    expect(own?.body).toMatch(/^<!-- remit:plan infra%40sandbox -->\n/);
    expect(own?.body).toContain("/acme/infra/");
    const [status] = standIn.statuses;
    expect(status).toMatchObject({ sha: head, context: "remit/plan infra@sandbox" });
    expect(status?.description).toMatch(/^sha256:[0-9a-f]{64} Plan: \d+ to create/);
    expect(status?.description.length).toBeLessThanOrEqual(140);
  });

  it("replaces the plan by a run that failed, with a link to it, and by the next plan again", async () => {
    const standIn = await startForge(forge);
    const env = { ...jobOf(forge, standIn), ...OWN };
    const plan = async (...more: readonly string[]) => {
      const to = ["--out", "../now.json", "--report", "json=../now-run.json"];
      const { code } = await remit("plan", ...to, ...more);
      return { code, posted: await run(env, "../now.json", "--run", "../now-run.json") };
    };
    expect((await plan()).posted.stderr).toBe("Wrote the comment on #41\n");
    const failed = await plan("--since", "nowhere");
    expect(failed).toMatchObject({ code: 5, posted: { code: 0, stderr: "Edited the comment on #41\n" } });
    expect(existsSync(join(checkout.home, "now.json"))).toBe(false);
    expect(standIn.comments).toHaveLength(1);
    const body = standIn.comments.at(-1)?.body ?? "";
    expect(body).toContain(
      "**The plan failed: the manifests or the settings are invalid. The tenant was not changed (exit code 5).**",
    );
    expect(body).toMatch(/the run: https:\/\/\S+\/7$/m);
    expect(body).not.toContain("remit:steps");
    expect(standIn.statuses.at(-1)).toMatchObject({
      sha: head,
      state: forge === "gitlab" ? "failed" : "failure",
      description: expect.stringMatching(/^The plan failed: .*exit code 5/),
    });
    expect((await plan()).posted.stderr).toBe("Edited the comment on #41\n");
    expect(standIn.comments.at(-1)?.body).toContain("to create");
    expect(standIn.statuses.at(-1)).toMatchObject({ state: "success" });
  });

  it("leaves the comment of a newer head alone, and of a pull request that is merged", async () => {
    const standIn = await startForge(forge);
    const env = { ...jobOf(forge, standIn), ...OWN };
    const [pull = PULL] = standIn.pulls;
    standIn.pulls.splice(0, 1, { ...pull, head: { ...pull.head, sha: "f6".repeat(20) } });
    const old = await run(env, "../plan.json");
    expect([old.code, old.stderr]).toEqual([
      0,
      expect.stringContaining("the head of #41 is f6f6f6f6f6f6 now"),
    ]);
    standIn.pulls.splice(0, 1, { ...pull, state: "merged" });
    const late = await run(env, "../plan.json");
    expect([late.code, late.stderr]).toEqual([0, expect.stringContaining("#41 is merged or closed")]);
    expect([standIn.comments, standIn.statuses]).toEqual([[], []]);
  });

  it("leaves a comment of another author alone, whatever its marker", async () => {
    const standIn = await startForge(forge);
    const forged = standIn.comment("<!-- remit:plan infra%40sandbox -->\nNothing to do.", OTHER);
    expect((await run({ ...jobOf(forge, standIn), ...OWN }, "../plan.json")).code).toBe(0);
    expect(forged.body).toContain("Nothing to do.");
    expect(standIn.comments).toHaveLength(2);
  });
});

it("writes the job's summary for a fork, and exits 0", async () => {
  const standIn = await startForge("github");
  const { pull_request: pull } = eventOf();
  const fork = { pull_request: { ...pull, head: { ...pull.head, repo: { full_name: "ada/infra" } } } };
  const { code, stderr } = await run(
    { ...jobOf("github", standIn, fork), GITHUB_TOKEN: BOT.token },
    "../plan.json",
  );
  expect([code, stderr]).toEqual([0, expect.stringContaining("comes from a fork")]);
  expect(summary()).toContain("### infra<span>&#64;</span>");
  expect(standIn.seen).toEqual([]);
});

it("on GitLab without a token that may write, prints the text, says so and exits 0", async () => {
  const standIn = await startForge("gitlab");
  const { code, stdout, stderr } = await run(jobOf("gitlab", standIn), "../plan.json");
  expect([code, stderr]).toEqual([0, expect.stringContaining("no token that may write")]);
  expect(stdout).toContain("to create");
  expect(standIn.seen).toEqual([]);
});

it("posts a plan where its token may not read the reviews", async () => {
  const standIn = await startForge("github");
  standIn.trouble = ({ url }, response) => {
    if (!url.includes("/reviews")) return false;
    json(response, 403, { message: "Forbidden" });
    return true;
  };
  const posted = await run({ ...jobOf("github", standIn), ...OWN }, "../plan.json");
  expect(posted).toMatchObject({ code: 0, stderr: "Wrote the comment on #41\n" });
  expect(standIn.statuses).toHaveLength(1);
});

it("says which permission is missing, and keeps the text in the summary", async () => {
  const standIn = await startForge("github", [{ ...BOT, mayWrite: false }]);
  const { code, stderr } = await run(
    { ...jobOf("github", standIn), GITHUB_TOKEN: BOT.token },
    "../plan.json",
  );
  expect([code, stderr]).toEqual([1, expect.stringMatching(/forge\/refused[\s\S]*pull-requests: write/)]);
  expect(summary()).toContain("to create");
});

it("of a branch, posts only where exactly one open pull request has that commit and repository", async () => {
  const standIn = await startForge("github");
  const finished = { head_sha: head, head_branch: "topic", head_repository: { full_name: REPOSITORY } };
  const env = { ...jobOf("github", standIn, { workflow_run: finished }), ...OWN };
  standIn.pulls.push({ ...PULL, number: 42, head: { ...PULL.head, sha: head, repository: "ada/infra" } });
  expect((await run(env, "../plan.json")).stderr).toBe("Wrote the comment on #41\n");
  standIn.pulls.push({ ...PULL, number: 43, head: { ...PULL.head, sha: head } });
  const { code, stderr } = await run(env, "../plan.json");
  expect([code, stderr]).toEqual([0, expect.stringContaining("#41 and #43 have the commit")]);
  expect(standIn.comments).toHaveLength(1);
});

it("keeps a line of history for each run that said something else", async () => {
  const standIn = await startForge("github");
  const env = { ...jobOf("github", standIn), ...OWN };
  await run(env, "../plan.json");
  const planned = await remit("plan", "--out", "../less.json", "--target", "TemplateScope");
  expect(planned.code).toBe(0);
  await run(env, "infra=../less.json");
  const [own] = standIn.comments;
  expect(standIn.comments).toHaveLength(1);
  expect(own?.body).toContain("Earlier in this pull request");
  expect(own?.body.match(/remit:was/g)).toHaveLength(1);
});

it("refuses a plan that was altered, and any other file, before anything is sent", async () => {
  const standIn = await startForge("github");
  const env = { ...jobOf("github", standIn), ...OWN };
  checkout.write("../altered.json", checkout.read("../plan.json").replace('"create"', '"delete"'));
  for (const file of ["../altered.json", "../event.json", "../missing.json"]) {
    const { code, stderr } = await run(env, file);
    expect([code, stderr]).toEqual([4, expect.stringMatching(/plan\/(tampered|unreadable|malformed)/)]);
  }
  expect((await run(env, "../plan.json", "../plan.json")).stderr).toContain("forge/same-name");
  expect(standIn.seen).toEqual([]);
});

it("outside of a pipeline, says so", async () => {
  expect(await run({}, "../plan.json")).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("forge/none"),
  });
});

it("makes the comment shorter where the forge takes less than it says", async () => {
  const standIn = await startForge("github");
  let isFirst = true;
  standIn.trouble = ({ method }, response) => {
    if (method !== "POST" || !isFirst) return false;
    isFirst = false;
    json(response, 422, { message: "Validation Failed" });
    return true;
  };
  onTestFinished(() => expect(standIn.comments.map(({ number }) => number)).toEqual([41, 12]));
  const env = { ...jobOf("github", standIn), ...OWN };
  expect((await run(env, "../plan.json")).code).toBe(0);
  isFirst = true;
  const night = ["--refresh-only", "--unmanaged", "--report", "json=../short.json"];
  expect((await checkout.remit("plan", ...night)).code).toBe(0);
  expect((await run(env, "--issue", "12", "../short.json")).code).toBe(0);
  expect(isFirst).toBe(false);
});

describe.each(["github", "gitlab", "gitea"] as const)("remit comment --issue on %s", (forge) => {
  it("keeps one comment up to date with drift, unmanaged objects and what ends soon, and says when nothing is left", async () => {
    const standIn = await startForge(forge);
    const forged = standIn.comment("<!-- remit:night infra%40sandbox -->\nNothing.", OTHER, { number: 12 });
    const env = { ...jobOf(forge, standIn), ...OWN };
    const day = (ahead: number) => new Date(Date.now() + ahead * 86_400_000).toISOString().slice(0, 10);
    const project = checkout.read("remit.yaml");
    const entry = (guard: string, until: string) =>
      `  - { guard: ${guard}, address: "*", until: ${until}, reason: "Reviewed in AR-7." }\n`;
    checkout.write(
      "remit.yaml",
      `${project}\nacknowledge:\n${entry("max-deletes", day(3))}${entry("everyone", day(25))}`,
    );
    onTestFinished(() => checkout.write("remit.yaml", project));
    const night = () =>
      checkout.remit("plan", "--refresh-only", "--unmanaged", "--report", "json=../night.json");
    expect((await night()).code).toBe(0);
    const first = await run(env, "--issue", "12", "../night.json");
    expect(first).toMatchObject({ code: 0, stderr: "Wrote the comment on #12\n" });
    const own = standIn.comments.find((one) => one !== forged);
    expect(own?.number).toBe(12);
    expect(own?.body).toMatch(/^<!-- remit:night infra%40sandbox -->\n/);
    expect(own?.body).toContain(`- ${day(3)}: <code>acknowledge.max-deletes.`);
    expect(own?.body).not.toContain(day(25));
    expect(own?.body).toContain("1 entry of remit.yaml ends soon");
    checkout.write("remit.yaml", project);
    expect((await night()).code).toBe(0);
    expect((await run(env, "--issue", "12", "../night.json")).stderr).toBe("Edited the comment on #12\n");
    expect((await run(env, "--issue", "12", "../night.json")).stderr).toBe(
      "The comment is up to date on #12\n",
    );
    expect(own?.body).toContain("Earlier nights");
    expect(own?.body).not.toContain("max-deletes");
    expect(standIn.comments).toHaveLength(2);
    expect(standIn.statuses).toEqual([]);
    expect(forged.body).toContain("Nothing.");
  });
});

it("posts no saved plan and no failure on an issue", async () => {
  const standIn = await startForge("github");
  const env = { ...jobOf("github", standIn), ...OWN };
  const { code, stderr } = await run(env, "--issue", "12", "../plan.json");
  expect([code, stderr]).toEqual([4, expect.stringContaining("report/malformed")]);
  expect(standIn.seen).toEqual([]);
});
