import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { startSandbox } from "../../src/sandbox/http/server.js";
import { automation } from "../apply/sessionScene.js";
import { makeCheckout } from "../fakes/checkout.js";
import { runInside } from "../fakes/inside.js";
import { BOT, OTHER, REPOSITORY, type StandIn, startStandIn } from "../forge/standIn.js";

const APP = "2fsgTvxP0DVTsNXEUBI7hOe0l5A";
const fileOf = (number: number) => `manifests/${number}.yaml`;
const manifest = (number: number, department: string) =>
  automation(`object-${number}`, `subject.department == "${department}"`, number);
type Edit = readonly [object: number, department: string];
type Way = "squash" | "rebase" | "merge";

/** Someone approves the head of the first pull request now. */
function approve({ reviews, pulls: [pull], now }: StandIn, login: string, id = OTHER.id): void {
  const by = { ...OTHER, id, login };
  reviews.push({ by, state: "APPROVED", at: now(), number: 41, commit: pull?.head.sha ?? "" });
}

/** A repository whose main branch is applied, on a forge where pull requests are planned, merged and applied. */
async function begin(settings = "guards: { changesFloor: 100 }", guards: string | null = null) {
  const sandbox = await startSandbox({ interface: "full" });
  onTestFinished(() => sandbox.close());
  const forge = await startStandIn("github");
  forge.pulls.length = 0;
  const checkout = makeCheckout({
    "remit.yaml": `manifests: [manifests]\n${settings}\n`,
    ...(guards !== null && { "guards/ours.yaml": guards }),
    ".gitignore": ".remit/\n*.json\n",
    ...Object.fromEntries([1, 2, 3].map((number) => [fileOf(number), manifest(number, "Red")])),
  });
  checkout.commit();
  const { git, root, write } = checkout;
  const tenant = { REMIT_TOKEN: sandbox.token, REMIT_SERVER: sandbox.url };
  const remit = async (argv: readonly string[], event: object = {}, more: object = {}) => {
    write("event.json", JSON.stringify(event));
    write(".git/refs/remotes/origin/main", readFileSync(join(root, ".git/refs/heads/main"), "utf8"));
    return runInside(argv, {
      cwd: root,
      env: {
        ...checkout.env,
        ...tenant,
        GITHUB_ACTIONS: "true",
        GITHUB_API_URL: forge.url,
        GITHUB_SERVER_URL: "https://forge.example",
        GITHUB_REPOSITORY: REPOSITORY,
        GITHUB_REF: "refs/heads/main",
        GITHUB_SHA: git("rev-parse", "main"),
        GITHUB_EVENT_PATH: join(root, "event.json"),
        GITHUB_TOKEN: BOT.token,
        REMIT_SETTINGS_FROM: argv[0] === "plan" ? "refs/heads/main" : "HEAD",
        ...more,
      },
    });
  };
  expect((await remit(["apply", "--yes"])).code).toBe(0);
  const context = `remit/apply infra@${new URL(sandbox.url).host}`;
  forge.status(git("rev-parse", "HEAD"), context, "Applied by hand.");
  const row = (number: number) => sandbox.store.automations.get(APP, `entitlement000000000000000${number}`);

  /** Commits changes on a branch, plans it, and comments on its pull request. */
  async function propose(number: number, ...edits: readonly Edit[]) {
    git("checkout", "-q", "-B", `pull-${number}`, "main");
    for (const [object, department] of edits) {
      write(fileOf(object), manifest(object, department));
      checkout.commit();
    }
    const sha = git("rev-parse", "HEAD");
    const head = { sha, ref: `pull-${number}`, repository: REPOSITORY };
    forge.pulls.push({ number, head, state: "open", mergeCommit: null, merged: [] });
    const { planned, posted } = await plan(number);
    expect(posted.code).toBe(0);
    return planned;
  }

  /** Plans what is checked out for a pull request, and comments on it. */
  async function plan(number: number) {
    const sha = git("rev-parse", "HEAD");
    const planned = await remit(["plan", "--since", "main", "--out", "../plan.json"]);
    const repo = { full_name: REPOSITORY };
    const event = { pull_request: { number, head: { sha, ref: `pull-${number}`, repo }, base: { repo } } };
    const posted = await remit(["comment", "../plan.json"], event);
    git("checkout", "-q", "main");
    return { planned, posted };
  }

  return {
    ...checkout,
    forge,
    remit,
    /** The same of a plan that may be applied. */
    async open(number: number, ...edits: readonly Edit[]) {
      const planned = await propose(number, ...edits);
      expect([planned.code, planned.stderr]).toEqual([0, ""]);
    },
    propose,
    /** The plan job of a pull request once more, on the head that its branch has now; gives what became of the comment. */
    async again(number: number) {
      git("checkout", "-q", `pull-${number}`);
      const at = forge.pulls.findIndex((pull) => pull.number === number);
      const known = forge.pulls[at];
      if (known !== undefined)
        forge.pulls[at] = { ...known, head: { ...known.head, sha: git("rev-parse", "HEAD") } };
      return (await plan(number)).posted;
    },
    /** Merges a pull request into main; gives the base and the commit of the merge. */
    merge(number: number, way: Way) {
      const base = git("rev-parse", "HEAD");
      const branch = `pull-${number}`;
      if (way === "squash") {
        git("merge", "-q", "--squash", branch);
        git("commit", "-q", "-m", `${branch} (#${number})`);
      } else if (way === "merge") git("merge", "-q", "--no-ff", "-m", `Merge #${number}`, branch);
      else git("cherry-pick", `main..${branch}`);
      const commit = git("rev-parse", "HEAD");
      const merged = git("rev-list", "--first-parent", `${base}..HEAD`).split("\n");
      const at = forge.pulls.findIndex((pull) => pull.number === number);
      const known = forge.pulls[at];
      if (known !== undefined)
        forge.pulls[at] = { ...known, state: "merged", mergeCommit: commit, merged, mergedAt: forge.now() };
      return { base, commit };
    },
    approved: async () => {
      const { code, stdout, stderr } = await remit(["approved", "--format", "json"]);
      const merges: readonly { number: number; base: string; commit: string; effect: string }[] =
        stdout === "" ? [] : JSON.parse(stdout);
      return { code, stderr, merges };
    },
    departments: () =>
      [1, 2, 3].map((number) => /department == \\+"(\w+)/.exec(JSON.stringify(row(number)))?.[1]),
    drift: (number: number) => {
      const known = row(number);
      if (known !== undefined)
        sandbox.store.automations.put(APP, `entitlement000000000000000${number}`, {
          ...known,
          displayName: "Drifted",
        });
    },
  };
}

/** Guards of a team: one denies a change of the first object, one asks about a change of the second. */
const GUARDS = [
  ["never", "object-1", "deny"],
  ["asks", "object-2", "acknowledge"],
]
  .map(
    ([name, object, level]) => `apiVersion: remit/v1
kind: Guard
metadata: { name: ${name} }
spec: { on: { actions: [update] }, trips: 'step.name == "${object}"', message: Ask us first., level: ${level} }
`,
  )
  .join("---\n");
const OWN = "guards: { changesFloor: 100, own: [guards] }";
const SOON = new Date(Date.now() + 30 * 24 * 60 * 60 * 1000).toISOString().slice(0, 10);
const answer = (guard: string, number: number) =>
  `  - { guard: own/${guard}, address: EntitlementAutomation/object-${number}, until: ${SOON}, reason: SEC-7 }`;

type Repository = Awaited<ReturnType<typeof begin>>;

/** The apply job: each approved merge at its own commit, until one is refused. */
async function applyAll({ remit, git, approved }: Repository, says = true) {
  const { merges } = await approved();
  const codes: number[] = [];
  for (const { base, effect, commit } of merges) {
    git("checkout", "-q", commit);
    const argv = [
      "apply",
      "--yes",
      "--since",
      base,
      "--expect",
      effect,
      "--out-unexpected",
      "../unexpected.json",
    ];
    argv.push("--report", "json=../run.json");
    codes.push((await remit(argv)).code);
    if (says) await remit(["comment", "../unexpected.json", "--run", "../run.json", "--reviewed", effect]);
    git("checkout", "-q", "main");
    if (codes.at(-1) !== 0) break;
  }
  return codes;
}

describe("outside of a pipeline", () => {
  it("the forge that the operator names says the same as in one, and decides whose settings are in force nowhere", async () => {
    const { open, merge, approved, remit, forge } = await begin();
    await open(41, [1, "Green"]);
    merge(41, "squash");
    const inside = await approved();
    expect(inside.merges).toHaveLength(1);
    const names = ["ACTIONS", "API_URL", "SERVER_URL", "REPOSITORY", "REF", "SHA", "EVENT_PATH", "TOKEN"];
    const none = Object.fromEntries(names.map((name) => [`GITHUB_${name}`, undefined]));
    const pod = {
      ...none,
      REMIT_FORGE: "github",
      REMIT_FORGE_REPOSITORY: REPOSITORY,
      REMIT_FORGE_URL: forge.url,
    };
    const asked = { ...pod, REMIT_FORGE_TOKEN: BOT.token };
    const outside = await remit(["approved", "--format", "json"], {}, asked);
    expect([outside.code, JSON.parse(outside.stdout)]).toEqual([0, inside.merges]);
    // A plan there is not one of a pipeline.
    expect((await remit(["plan"], {}, { ...asked, REMIT_SETTINGS_FROM: undefined })).stderr).not.toContain(
      "config/unreviewed",
    );
    for (const [wrong, said] of [
      [{ REMIT_FORGE: "bitbucket" }, "REMIT_FORGE is not one of github, gitlab, gitea, forgejo"],
      [{ REMIT_FORGE_REPOSITORY: undefined }, "REMIT_FORGE_REPOSITORY is not a repository"],
      [{ REMIT_FORGE: "gitea", REMIT_FORGE_URL: undefined }, "where the REST interface of gitea is"],
    ] as const) {
      const { code, stderr } = await remit(["approved"], {}, { ...asked, ...wrong });
      expect([code, stderr]).toEqual([1, expect.stringContaining(said)]);
    }
  });
});

describe("the merges after the last one that was applied", () => {
  it("are applied one by one as they were reviewed, however they were merged", async () => {
    const repository = await begin();
    const { open, merge, approved, drift, departments } = repository;
    await open(41, [1, "Green"]);
    await open(42, [2, "Blue"], [3, "Blue"]);
    const one = merge(41, "squash");
    const two = merge(42, "rebase");
    await open(43, [1, "White"]);
    const three = merge(43, "merge");
    const found = await approved();
    expect(found.merges.map(({ number, base, commit }) => [number, base, commit])).toEqual([
      [41, one.base, one.commit],
      [42, two.base, two.commit],
      [43, three.base, three.commit],
    ]);
    expect(found.code).toBe(0);
    // Drift elsewhere, after the review of the first two, refuses neither.
    expect(departments()).toEqual(["Red", "Red", "Red"]);
    expect(await applyAll(repository)).toEqual([0, 0, 4]);
    expect(departments()).toEqual(["Green", "Blue", "Blue"]);
    expect((await approved()).merges.map(({ number }) => number)).toEqual([43]);
    drift(2);
    await open(44, [3, "Pink"]);
    drift(1);
    expect((await approved()).merges).toHaveLength(1);
  });

  it("are none once all are applied, and --since alone begins at the last", async () => {
    const repository = await begin();
    const { open, merge, approved, remit } = repository;
    expect(await approved()).toMatchObject({ code: 0, merges: [] });
    await open(41, [1, "Green"]);
    merge(41, "squash");
    const planned = await remit(["plan", "--since"]);
    expect(planned.stdout).toContain("1 to change");
    expect(await applyAll(repository)).toEqual([0]);
    expect(await approved()).toMatchObject({ code: 0, merges: [] });
    expect((await remit(["plan", "--since"])).stdout).toContain("Nothing to do");
  });

  it("need no approval where they change nothing of the project, and the next merge begins before them", async () => {
    const repository = await begin();
    const { open, merge, approved, write, commit, git, departments } = repository;
    const applied = git("rev-parse", "HEAD");
    write("README.md", "Words.");
    commit();
    write("other/manifests/1.yaml", manifest(1, "Other"));
    commit();
    await open(41, [1, "Green"]);
    const merged = merge(41, "squash");
    write("README.md", "More words.");
    commit();
    const found = await approved();
    expect(found.merges.map(({ base, commit }) => [base, commit])).toEqual([[applied, merged.commit]]);
    expect([await applyAll(repository), departments()[0]]).toEqual([[0], "Green"]);
    expect(await approved()).toMatchObject({ code: 0, merges: [] });
  });

  it("are those of the branch that is applied, whatever is checked out and whatever tags there are", async () => {
    const { open, merge, approved, forge, git, remit } = await begin();
    await open(41, [1, "Green"]);
    git("checkout", "-q", "pull-41");
    git("tag", "origin/main");
    git("tag", "main");
    const refused = await approved();
    expect([refused.code, refused.merges]).toEqual([4, []]);
    expect(refused.stderr).toContain(
      "error[approved/other-branch]: main is the branch that is applied, and HEAD,",
    );
    git("checkout", "-q", "refs/heads/main");
    git("symbolic-ref", "HEAD", "refs/heads/main");
    merge(41, "merge");
    // The head is merged now, and yet never was the tip of the branch.
    git("checkout", "-q", "pull-41");
    expect((await approved()).code).toBe(4);
    git("symbolic-ref", "HEAD", "refs/heads/main");
    git("reset", "-q", "--hard");
    expect((await approved()).merges).toHaveLength(1);
    forge.branches = { default: "trunk", ofTenant: "each" };
    const other = await approved();
    expect([other.code, other.stderr]).toEqual([
      4,
      expect.stringContaining("this checkout does not have refs/remotes/origin/trunk"),
    ]);
    const named = await remit(["approved", "--format", "json"], {}, { REMIT_BRANCH: "main" });
    expect([named.code, JSON.parse(named.stdout)]).toEqual([0, [expect.objectContaining({ number: 41 })]]);
  });

  it("end at the first that no pull request brought, and name those that wait", async () => {
    const { open, merge, approved, write, commit } = await begin();
    await open(41, [1, "Green"]);
    merge(41, "squash");
    write(fileOf(2), manifest(2, "Pushed"));
    const pushed = commit();
    await open(42, [3, "Blue"]);
    const last = merge(42, "squash");
    const found = await approved();
    expect([found.code, found.merges.map(({ number }) => number)]).toEqual([4, [41]]);
    expect(found.stderr).toContain(`${pushed.slice(0, 12)} was not merged by one pull request`);
    expect(found.stderr).toContain(`Waiting behind it: ${last.commit.slice(0, 12)} (#42)`);
  });

  const WEAK = GUARDS.replaceAll("deny", "note");
  it.each([
    ["weakens a guard of the team", "guards/ours.yaml", WEAK],
    ["changes a test", "tests/people.yaml", "apiVersion: remit/v1\n"],
    ["leaves out manifests", "manifests/.remitignore", "1.yaml\n"],
    ["takes a guard out of the settings", "remit.yaml", "manifests: [manifests]\n"],
  ])("end at a direct push that %s", async (_, file, text) => {
    const { approved, write, commit } = await begin(OWN, GUARDS);
    write(file, text);
    const pushed = commit();
    // A later commit that no longer names the file does not hide the push.
    write("remit.yaml", "manifests: [manifests]\ntests: []\n");
    commit();
    const found = await approved();
    expect([found.code, found.merges]).toEqual([4, []]);
    expect(found.stderr).toContain(`${pushed.slice(0, 12)} was not merged by one pull request`);
  });

  it("are held back by a head that was never planned, and each of their pull requests says so", async () => {
    const repository = await begin();
    const { open, merge, remit, git, forge, approved } = repository;
    await open(41, [1, "Green"]);
    // The forge rebases the branch, and merges it before a job plans the new head.
    git("checkout", "-q", "pull-41");
    git("commit", "-q", "--amend", "-m", "rebased");
    const [pull = { head: { sha: "", ref: "", repository: null } }] = forge.pulls;
    forge.pulls[0] = {
      ...(pull as (typeof forge.pulls)[0]),
      head: { ...pull.head, sha: git("rev-parse", "HEAD") },
    };
    git("checkout", "-q", "main");
    await open(42, [2, "Blue"]);
    await open(43, [3, "Blue"]);
    const one = merge(41, "squash");
    merge(42, "squash");
    merge(43, "squash");
    const of = (number: number) =>
      forge.comments
        .filter((one) => one.number === number && one.body.startsWith("<!-- remit:apply "))
        .map(({ body }) => body);
    const before = await approved();
    expect([before.code, of(41), of(42)]).toEqual([4, [], []]);
    for (let runs = 0; runs < 2; runs += 1) expect((await remit(["approved", "--comment"])).code).toBe(4);
    const [[refused = "", ...others], [waiting = ""], [last = ""]] = [of(41), of(42), of(43)];
    expect(others).toEqual([]);
    expect(refused).toContain("**Not applied.** <span>&#35;</span>41 has no status");
    expect(refused).toContain(
      `The manual job takes <code>base: ${one.base}</code> and <code>commit: ${one.commit}</code>.`,
    );
    expect(refused).toMatch(/Behind it: .*42, .*43\./);
    for (const text of [waiting, last]) expect(text).toMatch(/\*\*Waiting behind .*41\.\*\* .*has no status/);
    // Once it is applied by hand, the others follow, and their comment becomes their outcome.
    git("checkout", "-q", one.commit);
    const byHand = ["--since", one.base, "--report", "json=../run.json"];
    expect((await remit(["apply", "--yes", ...byHand])).code).toBe(0);
    expect((await remit(["comment", "../run.json"])).code).toBe(0);
    git("checkout", "-q", "main");
    expect((await approved()).merges.map(({ number }) => number)).toEqual([42, 43]);
  });

  it("do not count where the pull request was merged into another branch, and the commit pushed", async () => {
    const { open, merge, approved, forge } = await begin();
    await open(41, [1, "Green"]);
    const { commit } = merge(41, "squash");
    const [pull] = forge.pulls;
    if (pull !== undefined) forge.pulls.push({ ...pull, number: 42, base: "develop" });
    expect((await approved()).merges).toMatchObject([{ number: 41 }]);
    forge.pulls.shift();
    const found = await approved();
    expect([found.code, found.merges]).toEqual([4, []]);
    expect(found.stderr).toContain(`${commit.slice(0, 12)} was not merged by one pull request`);
  });

  it("count where the finding of a guard of the team is acknowledged, and not where one denies them", async () => {
    const answers = [OWN, "acknowledge:", answer("never", 1), answer("asks", 2)].join("\n");
    const { open, propose, merge, approved, forge } = await begin(answers, GUARDS);
    await open(41, [2, "Green"]);
    merge(41, "squash");
    expect(await approved()).toMatchObject({ code: 0, merges: [{ number: 41 }] });
    // An entry of remit.yaml does not answer a guard that denies.
    expect((await propose(42, [1, "Green"])).code).toBe(4);
    const [{ body } = { body: "" }] = forge.comments.filter(({ number }) => number === 42);
    expect(body).toContain("Blocked: 1 guard denies this plan");
    expect(body).not.toMatch(/to acknowledge|--acknowledge|Acknowledge/);
    merge(42, "squash");
    const denied = await approved();
    expect([denied.code, denied.merges.map(({ number }) => number)]).toEqual([4, [41]]);
    expect(denied.stderr).toContain("error[approved/not-applicable]");
  });

  it("do not count where no one acknowledged the finding of a guard of the team", async () => {
    const { propose, merge, approved, forge } = await begin(OWN, GUARDS);
    expect((await propose(41, [2, "Green"], [1, "Blue"])).code).toBe(4);
    expect(forge.comments[0]?.body).toContain("Blocked: 1 guard denies this plan, 1 guard to acknowledge");
    merge(41, "squash");
    const { code, merges, stderr } = await approved();
    expect([code, merges]).toEqual([4, []]);
    expect(stderr).toContain("error[approved/not-applicable]");
  });

  it("of a fork count once its head was planned in a pull request of the repository", async () => {
    const { open, merge, approved, forge } = await begin();
    await open(41, [1, "Green"]);
    const [own] = forge.pulls;
    if (own === undefined) throw new Error("there is no pull request");
    const planned = forge.statuses.splice(1);
    forge.pulls[0] = { ...own, head: { ...own.head, repository: "ada/infra" } };
    merge(41, "squash");
    const refused = await approved();
    expect([refused.code, refused.stderr]).toEqual([
      4,
      expect.stringContaining(
        `push ${own.head.sha} to a branch of this repository and open a pull request from there`,
      ),
    ]);
    forge.statuses.push(...planned);
    expect(await approved()).toMatchObject({ code: 0, merges: [{ number: 41 }] });
  });

  it("are not a first run without a state, and begin before the project where nothing was ever applied", async () => {
    const { open, merge, approved, remit, git, root, write, commit, forge } = await begin();
    await open(41, [1, "Green"]);
    const { base } = merge(41, "squash");
    rmSync(join(root, ".remit"), { recursive: true });
    const lost = await approved();
    expect([lost.code, lost.merges]).toEqual([4, []]);
    expect(lost.stderr).toContain("error[approved/no-state]");
    // The first commit has the project, so there is none before it.
    expect(lost.stderr).toContain("apply that commit once by hand");
    // What was applied is not applied again, whatever the operator names.
    expect(JSON.parse((await remit(["approved", "--since", base, "--format", "json"])).stdout)).toHaveLength(
      1,
    );
    git("mv", "remit.yaml", "old.yaml");
    const before = commit();
    git("mv", "old.yaml", "remit.yaml");
    commit();
    git("checkout", "-q", "--orphan", "other");
    git("rm", "-q", "-rf", ".");
    write("README.md", "Words.");
    const first = commit();
    expect(before).not.toBe(first);
    git("checkout", "-q", "pull-41", "--", ".");
    commit();
    git("branch", "-f", "main", "other");
    forge.pulls.length = 0;
    const told = await approved();
    expect([told.code, told.stderr]).toEqual([
      4,
      expect.stringContaining(`start the apply job with since: ${first}.`),
    ]);
    expect((await remit(["approved", "--since", first])).stderr).toContain("approved/no-pull-request");
  });

  it("are those without a successful apply, wherever the state says that the last one was", async () => {
    const repository = await begin();
    const { open, merge, approved, remit, git, root, departments } = repository;
    const file = join(root, ".remit", "state.json");
    const move = (from: string, to: string) => {
      const text = readFileSync(file, "utf8");
      expect(text).toContain(from);
      writeFileSync(file, text.replaceAll(from, to));
    };
    await open(41, [1, "Green"]);
    const one = merge(41, "squash");
    await open(42, [2, "Blue"]);
    const two = merge(42, "squash");
    // Someone moves the state on, so that nothing seems to be left.
    move(one.base, two.commit);
    expect((await approved()).merges.map(({ number, base }) => [number, base])).toEqual([
      [41, one.base],
      [42, one.commit],
    ]);
    move(two.commit, one.base);
    expect(await applyAll(repository)).toEqual([0, 0]);
    // The next pull request takes the first one back, so that its old effect is right again.
    await open(43, [1, "Red"]);
    merge(43, "squash");
    expect(await applyAll(repository)).toEqual([0]);
    const head = git("rev-parse", "HEAD");
    move(head, one.base);
    const moved = await approved();
    expect([moved.code, moved.merges]).toEqual([0, []]);
    expect(moved.stderr).toContain(
      `warning[approved/applied-before]: ${head.slice(0, 12)} and the commits before it`,
    );
    const asked = await remit(["approved", "--since", one.base, "--format", "json"]);
    expect([asked.code, JSON.parse(asked.stdout)]).toEqual([0, []]);
    expect([departments(), await applyAll(repository)]).toEqual([["Red", "Blue", "Red"], []]);
  });

  it("are marked as applied where the job that applied them could not say so, and runs again", async () => {
    const repository = await begin();
    const { open, merge, approved, forge } = repository;
    await open(41, [1, "Green"]);
    const { commit } = merge(41, "squash");
    expect(await applyAll(repository, false)).toEqual([0]);
    expect((await approved()).merges).toHaveLength(1);
    expect(await applyAll(repository)).toEqual([0]);
    expect(forge.statuses.at(-1)).toMatchObject({ sha: commit, state: "success" });
    expect(forge.statuses.at(-1)?.description).toMatch(/^sha256:\w{64} Nothing left to do\.$/);
    expect(await approved()).toMatchObject({ code: 0, merges: [] });
  });

  it("are not searched for without an end", async () => {
    const { approved, remit, forge, write, commit, git } = await begin();
    forge.statuses.length = 0;
    for (let count = 0; count < 101; count += 1) {
      write(fileOf(1), manifest(1, `Team${count}`));
      commit();
    }
    const found = await approved();
    expect([found.code, found.stderr]).toEqual([
      4,
      expect.stringContaining("error[approved/unknown-history]"),
    ]);
    expect(forge.seen.filter(({ url }) => url.includes("/statuses"))).toHaveLength(100);
    const near = await remit(["approved", "--since", "HEAD~3"]);
    expect(near.stderr).toContain(
      `${git("rev-parse", "HEAD~2").slice(0, 12)} was not merged by one pull request`,
    );
  });

  it("are not known where the branch was rewritten behind the applied commit", async () => {
    const { approved, git, commit } = await begin();
    git("checkout", "-q", "--orphan", "rewritten");
    commit();
    git("branch", "-f", "main", "rewritten");
    expect(await approved()).toMatchObject({
      code: 4,
      stderr: expect.stringContaining("approved/unknown-base"),
    });
  });

  it("count only with a status of the account that plans", async () => {
    const { open, merge, approved, forge } = await begin();
    await open(41, [1, "Green"]);
    const { sha, context, description } = forge.statuses[1] ?? { sha: "", context: "", description: "" };
    merge(41, "squash");
    forge.status(sha, context, description.replace(/^sha256:\w{4}/, "sha256:0000"), OTHER);
    expect(await approved()).toMatchObject({ code: 0, merges: [{ effect: description.slice(0, 71) }] });
    forge.statuses.splice(1, 1);
    expect(await approved()).toMatchObject({
      code: 4,
      merges: [],
      stderr: expect.stringContaining("written by mallory"),
    });
    forge.trouble = (_, response) => {
      response.writeHead(403, { "content-type": "application/json" }).end('{"message":"Forbidden"}');
      return true;
    };
    expect(await approved()).toMatchObject({ code: 1, stderr: expect.stringContaining("forge/refused") });
    forge.trouble = () => false;
    forge.statuses.length = 1;
    expect(await approved()).toMatchObject({
      code: 4,
      stderr: expect.stringContaining("approved/no-status"),
    });
  });

  it("do not count where their head was planned with another effect later, and the comment says what changed", async () => {
    const { open, again, merge, approved, forge, drift } = await begin();
    await open(41, [1, "Green"], [2, "Red"]);
    approve(forge, "ann");
    // Main changes under the open pull request, and its plan job runs again on the same head.
    drift(1);
    const planned = await again(41);
    expect([planned.code, forge.comments.length]).toEqual([0, 1]);
    expect(forge.comments[0]?.body).toContain("This commit can no longer be approved");
    expect(forge.comments[0]?.body).toMatch(/does something else now: <code>EntitlementAutomation\/object-1/);
    expect(forge.comments[0]?.body).not.toContain("**Apply**");
    const [, first, second] = forge.statuses;
    expect(second).toMatchObject({
      sha: first?.sha,
      state: "failure",
      description: expect.stringMatching(
        /^sha256:\w{64} not what was planned first: push a commit for a new review$/,
      ),
    });
    merge(41, "squash");
    expect(await approved()).toMatchObject({
      code: 4,
      merges: [],
      stderr: expect.stringMatching(/error\[approved\/second-effect\]: \w{12}, the head of #41, was planned/),
    });
  });

  it("do not count where each approval is of another effect, and the comment says so before the merge", async () => {
    const { open, again, merge, approved, forge, git, drift } = await begin();
    await open(41, [1, "Green"]);
    approve(forge, "ann");
    drift(1);
    // A push asks for a new review, and gets none.
    git("checkout", "-q", "pull-41");
    git("commit", "-q", "--allow-empty", "-m", "again");
    await again(41);
    expect(forge.statuses.at(-1)).toMatchObject({ state: "success" });
    expect(forge.comments[0]?.body).toContain(
      "**1 approval does not count for this plan:** ann (given for another effect).",
    );
    merge(41, "squash");
    const stale = await approved();
    expect([stale.code, stale.merges]).toEqual([4, []]);
    expect(stale.stderr).toContain(
      "error[approved/stale-approval]: no approval of #41 is of the effect that its merged head was planned with: ann (given for another effect)",
    );
    approve(forge, "ben", 13);
    expect(await approved()).toMatchObject({ code: 0, merges: [{ number: 41, approvals: ["ben"] }] });
  });

  it("are planned nowhere while two open pull requests have one head", async () => {
    const { open, again, merge, approved, forge } = await begin();
    await open(41, [1, "Green"]);
    const [pull] = forge.pulls;
    if (pull === undefined) throw new Error("there is no pull request");
    forge.pulls.push({ ...pull, number: 42 });
    const twice = await again(41);
    expect([twice.code, twice.stderr]).toEqual([
      4,
      expect.stringContaining("#41 and #42 have the same head"),
    ]);
    expect(forge.statuses.at(-1)).toMatchObject({
      state: "failure",
      description: "#41 and #42 have this head",
    });
    merge(41, "squash");
    expect(await approved()).toMatchObject({
      code: 4,
      stderr: expect.stringContaining("error[approved/one-head]: #41 and #42"),
    });
    forge.pulls.pop();
    expect(await approved()).toMatchObject({ code: 0, merges: [{ number: 41 }] });
  });

  it("are not applied where the plan does something else by now, and the comment says what changed", async () => {
    const repository = await begin();
    const { open, merge, approved, remit, git, forge, drift, departments } = repository;
    await open(41, [1, "Green"]);
    merge(41, "squash");
    drift(1);
    const [merged] = (await approved()).merges;
    expect(await applyAll(repository, false)).toEqual([4]);
    expect(departments()[0]).toBe("Red");
    const effect = merged?.effect ?? "";
    git("checkout", "-q", merged?.commit ?? "");
    const posted = await remit(["comment", "../unexpected.json", "--reviewed", effect]);
    expect([posted.code, posted.stderr]).toEqual([0, "Wrote the comment on #41\n"]);
    const [reviewed, refused] = forge.comments.map(({ body }) => body);
    expect(reviewed).toContain("**Apply**: merge this");
    expect(refused).toMatch(/^<!-- remit:apply /);
    expect(refused).toContain("the plan does something else than what was reviewed");
    expect(refused).toMatch(/does something else now: <code>EntitlementAutomation\/object-1/);
    expect(refused).toContain(
      `the manual job with <code>base: ${merged?.base}</code> and <code>commit: ${merged?.commit}</code>`,
    );
    const status = forge.statuses.at(-1);
    expect(status).toMatchObject({ sha: git("rev-parse", "HEAD"), state: "failure" });
    expect(status?.context).toMatch(/^remit\/apply infra@/);
    // The manual job continues with the new effect.
    const now = status?.description.slice(0, 71) ?? "";
    const manual = ["--since", merged?.base ?? "", "--expect", now, "--report", "json=../run.json"];
    const again = await remit(["apply", "--yes", ...manual]);
    expect([again.code, departments()[0]]).toEqual([0, "Green"]);
    expect((await remit(["comment", "../run.json"])).code).toBe(0);
    expect(await approved()).toMatchObject({ code: 0, merges: [] });
  });

  it("of one push are each shown on their own pull request, whatever the pipeline was started for", async () => {
    const { open, merge, approved, remit, git, forge, drift } = await begin();
    await open(41, [1, "Green"]);
    await open(42, [2, "Blue"]);
    const one = merge(41, "squash");
    merge(42, "squash");
    drift(1);
    const [first] = (await approved()).merges;
    const effect = first?.effect ?? "";
    git("checkout", "-q", one.commit);
    const pinned = ["--since", one.base, "--expect", effect, "--out-unexpected", "../unexpected.json"];
    expect((await remit(["apply", "--yes", ...pinned])).code).toBe(4);
    const posted = await remit(["comment", "../unexpected.json", "--reviewed", effect]);
    expect([posted.code, posted.stderr]).toEqual([0, "Wrote the comment on #41\n"]);
    expect(forge.comments.at(-1)?.body).toMatch(
      /does something else now: <code>EntitlementAutomation\/object-1/,
    );
    expect(forge.statuses.at(-1)).toMatchObject({ sha: one.commit, state: "failure" });
  });
});

it("pass a merge queue with a status that names no effect, and approves nothing", async () => {
  const { open, remit, git, forge } = await begin();
  await open(41, [1, "Green"]);
  git("checkout", "-q", "-B", "queue", "main");
  git("merge", "-q", "--no-ff", "-m", "Merge #41", "pull-41");
  const head = git("rev-parse", "HEAD");
  git("checkout", "-q", "main");
  const event = { merge_group: { head_sha: head, base_sha: git("rev-parse", "main") } };
  const [, reviewed] = forge.statuses;
  expect(await remit(["comment", "--queue"], event)).toMatchObject({
    code: 0,
    stderr: `Set the status of commit ${head.slice(0, 12)}\n`,
  });
  expect(forge.statuses.slice(2)).toMatchObject([
    {
      sha: head,
      context: reviewed?.context,
      state: "success",
      description: expect.not.stringContaining("sha256"),
    },
  ]);
  // A plan that a job of the queue makes is posted nowhere.
  expect((await remit(["plan", "--out", "../plan.json"])).code).toBe(0);
  git("checkout", "-q", head);
  expect((await remit(["plan", "--since", "main", "--out", "../plan.json"])).code).toBe(0);
  const posted = await remit(["comment", "../plan.json"], event);
  expect([posted.code, posted.stderr]).toEqual([
    0,
    expect.stringContaining("a merge queue made this commit"),
  ]);
  expect([forge.statuses.length, forge.comments.length]).toEqual([3, 1]);
  for (const [argv, of] of [
    [["comment", "--queue", "../plan.json"], event],
    [["comment", "--queue"], {}],
    [["comment"], {}],
  ] as const)
    expect(await remit(argv, of)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("command/usage"),
    });
});
