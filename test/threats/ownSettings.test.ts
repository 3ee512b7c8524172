import { mkdirSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { stringify } from "yaml";
import { rowOf, SETTING_NAMES, type SettingName } from "../../src/cli/settings/table.js";
import { cases } from "../fakes/cases.js";
import { makeProjectCheckout, type ProjectCheckout } from "../fakes/projectCheckout.js";
import { BOT, PULL, startStandIn } from "../forge/standIn.js";

const SOON = new Date(Date.now() + 20 * 24 * 60 * 60 * 1000).toISOString().slice(0, 10);

/** What a change writes to decide about itself: for each setting that is not intent, each key that permits more. */
const WISHES: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  server: { server: "https://evil.example" },
  interface: { interface: "core" },
  state: { state: ".remit/other.json" },
  project: { project: "another" },
  history: { history: { values: 0 } },
  concurrency: { concurrency: 500 },
  rate: { rate: 9_000 },
  requestTimeout: { requestTimeout: "90s" },
  createLag: { createLag: "1s" },
  ownersLag: { ownersLag: "1s" },
  retries: { retries: 20 },
  reads: { reads: { rows: 4_000_000 } },
  impact: { impact: { calls: 0 } },
  sandbox: { sandbox: { seed: "other.yaml" } },
  limits: { guards: { maxDeletes: 900 } },
  expansion: { limits: { values: 4_000_000 } },
  acknowledgements: {
    acknowledge: [{ guard: "max-deletes", address: "*", until: SOON, reason: "mine" }],
  },
};
const BASE = {
  server: "sandbox",
  rate: 250,
  sandbox: { seed: "seed.yaml" },
  manifests: ["manifests"],
  guards: { maxDeletes: 0 },
  impact: { calls: 100 },
};
/** Contexts are settled by another law: the base has none. */
const TRUST = SETTING_NAMES.filter((name) => rowOf(name).decides.is !== "intent" && name !== "contexts");

const FORGES = ["github", "gitea", "gitlab"] as const;
const CHECKOUTS = ["branch with the base's ref", "merge with the base's ref", "merge"] as const;

let checkout: ProjectCheckout;
beforeAll(() => {
  checkout = makeProjectCheckout("examples/quickstart");
  checkout.write("remit.yaml", stringify(BASE));
  checkout.commit();
  mkdirSync(join(checkout.home, "out"));
  return () => checkout.close();
});

/** Makes the checkout of a job whose pull request writes these settings; gives the head of the pull request. */
function propose(settings: object, as: (typeof CHECKOUTS)[number]): string {
  checkout.git("checkout", "-q", "-f", "-B", "change", "main");
  checkout.write("remit.yaml", stringify({ ...BASE, ...settings }));
  const head = checkout.commit();
  // The settings of the merge base are others than those of the tip.
  checkout.git("checkout", "-q", "-B", "tip", "main");
  checkout.write("remit.yaml", stringify({ ...BASE, retries: 3 }));
  const tip = checkout.commit();
  checkout.git("checkout", "-q", "-f", "--detach", "change");
  if (as !== "branch with the base's ref") {
    const tree = checkout.git("rev-parse", "change^{tree}");
    const merge = checkout.git("commit-tree", "-p", tip, "-p", head, "-m", "merge", tree);
    checkout.git("checkout", "-q", "-f", "--detach", merge);
  }
  if (as === "merge") checkout.git("update-ref", "-d", "refs/remotes/origin/main");
  else checkout.git("update-ref", "refs/remotes/origin/main", tip);
  return head;
}

/** The variables of a job of a pull request, of one branch into another. */
function jobOf(
  forge: (typeof FORGES)[number],
  head: string,
  base = "main",
): Readonly<Record<string, string>> {
  if (forge === "gitlab")
    return {
      CI: "true",
      GITLAB_CI: "true",
      CI_API_V4_URL: "https://gitlab.example/api/v4",
      CI_SERVER_URL: "https://gitlab.example",
      CI_PROJECT_ID: "5",
      CI_DEFAULT_BRANCH: "main",
      CI_COMMIT_SHA: head,
      CI_MERGE_REQUEST_IID: "41",
      CI_MERGE_REQUEST_PROJECT_ID: "5",
      CI_MERGE_REQUEST_TARGET_BRANCH_NAME: base,
      CI_MERGE_REQUEST_SOURCE_BRANCH_SHA: head,
    };
  const repo = { full_name: "acme/infra" };
  const event = {
    pull_request: { number: 41, head: { sha: head, ref: "change", repo }, base: { ref: base, repo } },
    repository: { ...repo, default_branch: "main" },
  };
  checkout.write("../event.json", JSON.stringify(event));
  return {
    CI: "true",
    GITHUB_ACTIONS: "true",
    ...(forge === "gitea" ? { GITEA_ACTIONS: "true" } : {}),
    GITHUB_API_URL: "https://forge.example/api",
    GITHUB_SERVER_URL: "https://forge.example",
    GITHUB_REPOSITORY: "acme/infra",
    GITHUB_REF: "refs/pull/41/merge",
    GITHUB_EVENT_PATH: join(checkout.home, "event.json"),
  };
}

interface Config {
  readonly [name: string]: { readonly value: unknown; readonly from: string };
}

async function configIn(env: Readonly<Record<string, string>>) {
  const { code, stdout, stderr } = await checkout.remitIn({ env }, "config", "--format", "json");
  expect([code, stderr]).toEqual([0, ""]);
  const { differences, settingsFrom, variables, ...settings } = JSON.parse(stdout);
  return {
    settings: settings as Config,
    settingsFrom,
    differences: differences as readonly { setting: string }[],
  };
}

describe("the settings of a change, in the pipeline of its pull request", () => {
  it("has a wish for each setting that decides about trust", () => {
    expect(Object.keys(WISHES).sort()).toEqual([...TRUST].sort());
  });

  it("are not in force, and each of them is listed", async () => {
    const wishes = fc.subarray(TRUST as SettingName[], { minLength: 1 });
    const given = fc.subarray(["REMIT_SERVER", "REMIT_STATE", "REMIT_CONCURRENCY"]);
    await fc.assert(
      fc.asyncProperty(
        wishes,
        fc.constantFrom(...FORGES),
        fc.constantFrom(...CHECKOUTS),
        given,
        async (names, forge, as, variables) => {
          const head = propose(Object.assign({}, ...names.map((name) => WISHES[name])), as);
          const values = {
            REMIT_SERVER: "sandbox",
            REMIT_STATE: ".remit/state.json",
            REMIT_CONCURRENCY: "7",
          };
          const of = Object.fromEntries(variables.map((name) => [name, values[name as keyof typeof values]]));
          const { settings, differences, settingsFrom } = await configIn({ ...jobOf(forge, head), ...of });
          expect(settingsFrom.commit).toBe(checkout.git("rev-parse", "tip"));
          const value = (name: string) => settings[name]?.value;
          expect(value("server")).toBe("sandbox");
          expect(value("state")).toBe(".remit/state.json");
          expect(value("interface")).toBe("auto");
          expect(value("retries")).toBe(3);
          expect(value("concurrency")).toBe(variables.includes("REMIT_CONCURRENCY") ? 7 : 10);
          expect(value("rate")).toBe(250);
          expect(value("impact")).toMatchObject({ calls: 100 });
          expect(value("guards")).toMatchObject({ maxDeletes: 0 });
          expect(value("acknowledge")).toEqual([]);
          expect(JSON.stringify(settings)).not.toMatch(/evil|other\.|another|9000?|4000000|"90s"|mine/);
          const listed = differences.map(({ setting }) => setting.split(".")[0]);
          for (const name of names) expect(listed).toContain(rowOf(name).name ?? name);
        },
      ),
      { numRuns: cases(40) },
    );
  });
});

const FILE = () => join(checkout.home, "out", "run.json");
const run = async (env: Readonly<Record<string, string>>, ...argv: readonly string[]) => {
  const report = ["--report", `json=${FILE()}`];
  const seen = await checkout.remitIn(
    { env },
    ...argv,
    ...(argv[0] === "plan" || argv[0] === "apply" ? report : []),
  );
  return { ...seen, stderr: seen.stderr.replaceAll(/\s+/g, " ") };
};

describe.each(FORGES)("a pipeline of a pull request on %s", (forge) => {
  it("plans with the tip of the base, and the comment accepts it", async () => {
    const head = propose({ retries: 20 }, "merge with the base's ref");
    const planned = await run(jobOf(forge, head), "plan", "--out", join(checkout.home, "out", "plan.json"));
    expect(planned.stdout).toContain("Settings in force: refs/remotes/origin/main");
    expect(planned.stdout).toMatch(/retries: +3 → 20/);
  });

  it("has the defaults where the base has no remit.yaml, and a server from the operator alone", async () => {
    const head = propose({ server: "https://evil.example" }, "branch with the base's ref");
    const bare = checkout.git("commit-tree", "-m", "bare", checkout.git("mktree", "--missing"));
    checkout.git("update-ref", "refs/remotes/origin/main", bare);
    const without = await run(jobOf(forge, head), "plan");
    expect([without.code, without.stderr]).toEqual([5, expect.stringContaining("error[config/no-server]")]);
    const named = await run({ ...jobOf(forge, head), REMIT_SERVER: "sandbox" }, "plan");
    expect(named.stderr).toContain("so the defaults are in force");
  });

  it("is refused where the checkout lacks the base, with the depth to fetch", async () => {
    const head = propose({ retries: 20 }, "branch with the base's ref");
    checkout.git("update-ref", "-d", "refs/remotes/origin/main");
    checkout.git("tag", "-f", "refs/remotes/origin/main", head);
    checkout.git("tag", "-f", "origin/main", head);
    for (const command of ["plan", "apply", "doctor", "history", "get"]) {
      const { code, stderr } = await run(
        jobOf(forge, head),
        ...[command, ...(command === "get" ? ["apps"] : [])],
      );
      expect([command, code, stderr]).toEqual([command, 5, expect.stringContaining("error[config/no-base]")]);
      expect(stderr).toContain("git fetch --depth=1 origin +refs/heads/main:refs/remotes/origin/main");
      expect(stderr).toMatch(/fetch-depth: 0|GIT_DEPTH/);
    }
    expect((await run(jobOf(forge, head), "validate")).code).toBe(0);
    checkout.git("tag", "-d", "refs/remotes/origin/main", "origin/main");
  });

  it("into a branch that is not applied is validated, not planned, and gets no comment", async () => {
    const head = propose({ retries: 20 }, "branch with the base's ref");
    const env = { ...jobOf(forge, head, "release"), REMIT_FORGE_TOKEN: "t" };
    const unfetched = await run(env, "plan");
    expect([unfetched.code, unfetched.stderr]).toEqual([0, expect.stringContaining("plan/after-merge")]);
    checkout.git("update-ref", "refs/remotes/origin/release", "tip");
    const plan = join(checkout.home, "out", "plan.json");
    const planned = await run(env, "plan", "--out", plan);
    expect([planned.code, planned.stderr]).toEqual([0, expect.stringContaining("note[plan/after-merge]")]);
    expect(planned.stderr).toContain("#41 goes into release, and main is the branch that is applied");
    expect(await run(env, "comment", plan, "--run", FILE())).toMatchObject({ code: 0 });
    for (const command of ["apply", "history", "doctor"])
      expect(await run(env, command)).toMatchObject({ code: 5 });
    expect((await run(env, "validate")).code).toBe(0);
    const other = await run({ ...env, REMIT_BRANCH: "release" }, "plan");
    expect(other.stdout).toContain("Settings in force: refs/remotes/origin/release");
    checkout.git("update-ref", "-d", "refs/remotes/origin/release");
  });

  it("with a context that the base lacks is planned after the merge", async () => {
    const contexts = { contexts: { eu: { server: "sandbox" }, us: { server: "https://evil.example" } } };
    const head = propose(contexts, "branch with the base's ref");
    const { code, stderr } = await run(jobOf(forge, head), "plan", "--context", "us");
    expect([code, stderr]).toEqual([0, expect.stringContaining("note[plan/after-merge]")]);
    expect(await run(jobOf(forge, head), "apply", "--context", "us")).toMatchObject({ code: 5 });
  });
});

describe.each(FORGES)("remit comment in a pipeline of a pull request on %s", (forge) => {
  it.each([
    ["the base's tip", () => ["origin/main"], "success"],
    ["an older commit of the base", () => ["main"], "success"],
    ["a file of the operator", () => ["../out/settings.yaml"], "success"],
    ["the head of the change", () => ["change"], "failure"],
    ["the merge that was tried", () => ["HEAD"], "failure"],
    ["a file of the change", () => ["./remit.yaml"], "failure"],
    ["the working tree", () => [], "failure"],
  ])("judges a plan whose settings came from %s", async (_, from, state) => {
    const head = propose({ retries: 20 }, "merge with the base's ref");
    checkout.write("../out/settings.yaml", checkout.git("show", "main:remit.yaml"));
    const standIn = await startStandIn(forge);
    standIn.pulls.splice(0, 1, { ...PULL, head: { ...PULL.head, sha: head } });
    const plan = join(checkout.home, "out", "plan.json");
    const named = from().flatMap((name) => ["--settings-from", name]);
    // A job that the change itself wrote leaves out what names its pipeline.
    expect((await run({}, "plan", ...named, "--out", plan)).code).toBe(0);
    const at = forge === "gitlab" ? { CI_API_V4_URL: standIn.url } : { GITHUB_API_URL: standIn.url };
    const env = { ...jobOf(forge, head), ...at, REMIT_FORGE_TOKEN: BOT.token };
    const { stderr } = await run(env, "comment", plan);
    const last = standIn.statuses.at(-1);
    expect([last?.state, stderr.includes("error[comment/own-settings]")]).toEqual([
      forge === "gitlab" && state === "failure" ? "failed" : state,
      state === "failure",
    ]);
    if (state === "failure") expect(last?.description).toBe("Refused: the settings came from the change");
  });
});

describe("CI that names no base", () => {
  it.each([
    ["of no forge", () => ({ CI: "true" })],
    ["of an event that cannot be read", () => ({ ...jobOf("github", "a1"), GITHUB_EVENT_PATH: "/gone" })],
    ["of a fork on GitLab", () => ({ ...jobOf("gitlab", "a1"), CI_MERGE_REQUEST_PROJECT_ID: "9" })],
    [
      "of the branch that is applied, with another commit checked out",
      () => ({ ...jobOf("gitlab", "a1"), CI_MERGE_REQUEST_IID: "", CI_COMMIT_BRANCH: "main" }),
    ],
  ])("plans and applies only with --settings-from: %s", async (_, env) => {
    propose({ retries: 20 }, "branch with the base's ref");
    for (const command of ["plan", "apply"]) {
      const { code, stderr } = await run(env(), command);
      expect([command, code, stderr]).toEqual([
        command,
        5,
        expect.stringContaining("error[config/unreviewed]"),
      ]);
    }
    const named = await run(env(), "plan", "--settings-from", "origin/main");
    expect(named.stdout).toContain("Settings in force: origin/main");
  });

  it("plans what is merged with the working tree's settings, on the branch that is applied", async () => {
    checkout.git("checkout", "-q", "-f", "main");
    const head = checkout.git("rev-parse", "HEAD");
    const env = { ...jobOf("gitlab", head), CI_MERGE_REQUEST_IID: "", CI_COMMIT_BRANCH: "main" };
    expect((await run(env, "plan")).stdout).not.toContain("Settings in force");
  });
});
