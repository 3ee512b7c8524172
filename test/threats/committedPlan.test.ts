import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { makeProjectCheckout, type ProjectCheckout } from "../fakes/projectCheckout.js";
import { BOT, PULL, REPOSITORY, startStandIn } from "../forge/standIn.js";

// A branch may contain any file: one that is called plan.json, too. Only what this job made of its own commit is believed.
let checkout: ProjectCheckout;
beforeAll(async () => {
  checkout = makeProjectCheckout("examples/quickstart");
  expect((await checkout.remit("plan", "--out", "../honest.json")).code).toBe(0);
  return () => checkout.close();
});

/** A job of the forge for the pull request, whose head is checked out. */
async function begin(head = checkout.git("rev-parse", "HEAD"), cwd = checkout.root) {
  const forge = await startStandIn("github");
  forge.pulls.splice(0, 1, { ...PULL, head: { ...PULL.head, sha: head } });
  const repo = { full_name: REPOSITORY };
  const event = { pull_request: { number: 41, head: { sha: head, ref: "topic", repo }, base: { repo } } };
  writeFileSync(join(checkout.home, "event.json"), JSON.stringify(event));
  const env = {
    GITHUB_ACTIONS: "true",
    GITHUB_API_URL: forge.url,
    GITHUB_SERVER_URL: "https://forge.example",
    GITHUB_REPOSITORY: REPOSITORY,
    GITHUB_EVENT_PATH: join(checkout.home, "event.json"),
    GITHUB_TOKEN: BOT.token,
  };
  const comment = (argv: readonly string[], more: Readonly<Record<string, string>> = {}) =>
    checkout.remitIn({ cwd, env: { ...env, ...more } }, "comment", ...argv);
  return { forge, comment };
}

describe("remit comment takes no file that a commit can have brought:", () => {
  it.each<[string, readonly string[]]>([
    ["a plan", ["plan.json"]],
    ["a plan in a folder", ["sub/plan.json"]],
    ["a plan by its whole path", ["WHOLE/plan.json"]],
    ["a link outside that leads to one", ["../link.json"]],
    ["a folder outside that leads into the checkout", ["../linked/plan.json"]],
    ["standard input", ["-"]],
    ["a plan beside an honest one", ["one=../honest.json", "two=plan.json"]],
    ["the report of the run", ["../honest.json", "--run", "run.json"]],
    ["the report of a night", ["--issue", "12", "run.json"]],
    ["the report of a failed run", ["failed.json"]],
  ])("%s", async (_, argv) => {
    const { home, root, write } = checkout;
    cpSync(join(home, "honest.json"), join(root, "plan.json"));
    mkdirSync(join(root, "sub"), { recursive: true });
    cpSync(join(home, "honest.json"), join(root, "sub", "plan.json"));
    write("run.json", "{}");
    write("failed.json", "{}");
    symlinkSync(join(root, "plan.json"), join(home, "link.json"));
    symlinkSync(root, join(home, "linked"));
    onTestFinished(() => {
      for (const name of ["link.json", "linked"]) rmSync(join(home, name));
    });
    const { forge, comment } = await begin();
    const { code, stderr } = await comment(argv.map((one) => one.replace("WHOLE", root)));
    expect([code, stderr]).toEqual([4, expect.stringContaining("error[comment/in-checkout]")]);
    expect(forge.seen).toEqual([]);
  });

  it("also where the job runs elsewhere, and the pipeline names the checkout", async () => {
    cpSync(join(checkout.home, "honest.json"), join(checkout.root, "plan.json"));
    const { forge, comment } = await begin(undefined, checkout.home);
    const { code, stderr } = await comment(["checkout/plan.json"], { GITHUB_WORKSPACE: checkout.root });
    expect([code, stderr]).toEqual([4, expect.stringContaining("comment/in-checkout")]);
    expect(forge.seen).toEqual([]);
  });
});

describe("remit comment takes only what is about the commit of the job:", () => {
  /** A branch with one more commit; gives its head. Ends at the commit before. */
  function branch(): string {
    const before = checkout.git("rev-parse", "HEAD");
    onTestFinished(() => void checkout.git("checkout", "-q", "-f", "-B", "main", before));
    checkout.write("NOTES.md", "Words.");
    const head = checkout.commit();
    return head;
  }
  const plan = async (name: string) =>
    expect((await checkout.remit("plan", "--settings-from", "HEAD^1", "--out", name, "--quiet")).code).toBe(
      0,
    );

  it("not a plan of another commit, which a job copied out of the checkout", async () => {
    const { forge, comment } = await begin(branch());
    const { code, stderr } = await comment(["../honest.json"]);
    expect([code, stderr]).toEqual([4, expect.stringContaining("error[comment/other-commit]")]);
    expect(forge.seen).toEqual([]);
  });

  it("not a plan of files that are in no commit", async () => {
    branch();
    const head = checkout.git("rev-parse", "HEAD");
    checkout.write("NOTES.md", "Other words.");
    await plan("../dirty.json");
    const { code, stderr } = await (await begin(head)).comment(["../dirty.json"]);
    expect([code, stderr]).toEqual([4, expect.stringContaining("does not say which commit it is about")]);
  });

  it("a merge with the head as second parent, also in a checkout of that commit alone", async () => {
    const base = checkout.git("rev-parse", "HEAD");
    const head = branch();
    checkout.git("checkout", "-q", "--detach", base);
    checkout.git("merge", "-q", "--no-ff", "-m", "tried", head);
    await plan("../merge.json");
    checkout.git("branch", "-f", "tried");
    onTestFinished(() => void checkout.git("branch", "-q", "-D", "tried"));
    const shallow = join(checkout.home, "shallow");
    const from = `file://${checkout.root}`;
    execFileSync("git", ["clone", "-q", "--depth", "1", "--branch", "tried", from, shallow], {
      stdio: "pipe",
    });
    onTestFinished(() => rmSync(shallow, { recursive: true }));
    for (const cwd of [checkout.root, shallow]) {
      const { forge, comment } = await begin(head, cwd);
      const { code, stderr } = await comment([join(checkout.home, "merge.json")]);
      expect([code, stderr]).toEqual([0, "Wrote the comment on #41\n"]);
      expect(forge.statuses).toMatchObject([{ sha: head, state: "success" }]);
    }
    // The base is the first parent: what merges the head into another branch is about the head alone.
    const { code } = await (await begin(base)).comment(["../merge.json"]);
    expect(code).toBe(4);
  });
});

describe("remit plan --out leaves no plan of an earlier run:", () => {
  it.each<[string, readonly string[], Readonly<Record<string, string>>]>([
    ["where the service refuses it", ["--server", "http://127.0.0.1:9"], { REMIT_TOKEN: "t" }],
    ["where there are no credentials", ["--server", "https://acme.example"], {}],
    ["where a commit is not there", ["--since", "nowhere"], {}],
    ["where two flags do not go together", ["--offline", "--unmanaged"], {}],
    ["where a report cannot be written", ["--report", "json=remit.yaml/run.json"], {}],
    ["where a setting is invalid", [], { REMIT_CONCURRENCY: "many" }],
  ])("%s", async (_, argv, env) => {
    cpSync(join(checkout.home, "honest.json"), join(checkout.home, "old.json"));
    const to = ["--out", "../old.json", "--quiet"];
    const { code } = await checkout.remitIn({ env }, "plan", ...to, ...argv);
    expect(code).not.toBe(0);
    expect(existsSync(join(checkout.home, "old.json"))).toBe(false);
  });

  it("but a plan that is refused is there, because it has to be read", async () => {
    rmSync(join(checkout.home, "old.json"), { force: true });
    checkout.write(
      "remit.yaml",
      `${checkout.read("remit.yaml")}\nguards: { maxChanges: 0, changesFloor: 0 }\n`,
    );
    onTestFinished(() => void checkout.git("checkout", "-q", "-f", "main", "--", "remit.yaml"));
    const { code } = await checkout.remit("plan", "--out", "../old.json", "--quiet");
    expect([code, existsSync(join(checkout.home, "old.json"))]).toEqual([4, true]);
  });

  it("and removes nothing through a link in the project", async () => {
    cpSync(join(checkout.home, "honest.json"), join(checkout.home, "kept.json"));
    symlinkSync(join(checkout.home, "kept.json"), join(checkout.root, "linked.json"));
    onTestFinished(() => rmSync(join(checkout.root, "linked.json")));
    const { code, stderr } = await checkout.remit("plan", "--out", "linked.json");
    expect([code, stderr]).toEqual([1, expect.stringContaining("file/link")]);
    expect(existsSync(join(checkout.home, "kept.json"))).toBe(true);
  });
});
