import { rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { startSandbox } from "../../src/sandbox/http/server.js";
import { automation } from "../apply/sessionScene.js";
import { makeCheckout } from "../fakes/checkout.js";
import { runInside } from "../fakes/inside.js";

const [ONE, TWO] = ["manifests/one.yaml", "manifests/two.yaml"];
const APP = "2fsgTvxP0DVTsNXEUBI7hOe0l5A";
const keyOf = (number: number) => `${APP}/entitlement000000000000000${number}`;

/** A checkout whose main branch was applied by another runner: the state is not here. A branch is checked out. */
async function begin() {
  const sandbox = await startSandbox({ interface: "full" });
  onTestFinished(() => sandbox.close());
  const checkout = makeCheckout({
    "remit.yaml": "manifests: [manifests]\n",
    ".gitignore": ".remit/\n",
    [ONE]: automation("one", 'subject.department == "Red"', 1),
    [TWO]: automation("two", 'subject.department == "Blue"', 2),
  });
  checkout.commit();
  const env = { ...checkout.env, REMIT_TOKEN: sandbox.token, REMIT_SERVER: sandbox.url };
  const remit = (...argv: readonly string[]) => runInside(argv, { cwd: checkout.root, env });
  expect((await remit("apply", "--yes")).code).toBe(0);
  rmSync(join(checkout.root, ".remit"), { recursive: true });
  checkout.git("checkout", "-q", "-b", "change");
  const row = (number: number) => sandbox.store.automations.get(APP, `entitlement000000000000000${number}`);
  return {
    ...checkout,
    remit,
    edit: (number: number, more: object) => {
      const known = row(number);
      if (known !== undefined)
        sandbox.store.automations.put(known.appId, known.appEntitlementId, { ...known, ...more });
    },
    inTenant: () =>
      [1, 2].filter((number) => row(number) !== undefined && (row(number)?.deletedAt ?? null) === null),
  };
}

describe("without a state, --since", () => {
  it("knows what was removed, and --prune deletes it while it is as its manifest said", async () => {
    const { remit, remove, commit, inTenant } = await begin();
    remove(TWO);
    commit();
    const undecided = await remit("plan", "--since", "main");
    expect([undecided.code, undecided.stdout]).toEqual([
      0,
      expect.stringContaining("? removed EntitlementAutomation/two"),
    ]);
    expect(undecided.stdout).toContain("No state: remit cannot tell who changed a field.");
    expect((await remit("plan", "--since", "main", "--prune")).stdout).toContain("1 to delete");
    expect((await remit("apply", "--since", "main", "--prune", "--yes")).code).toBe(0);
    expect(inTenant()).toEqual([1]);
    expect((await remit("plan", "--since", "main", "--prune", "--detailed-exitcode")).code).toBe(0);
  });

  it("deletes nothing that someone changed, and says what differs", async () => {
    const { remit, remove, commit, inTenant, edit } = await begin();
    remove(TWO);
    commit();
    edit(2, { displayName: "Changed by hand" });
    const { code, stdout } = await remit("plan", "--since", "main", "--prune");
    expect([code, stdout]).toEqual([4, expect.stringMatching(/plan\/departed-differs[\s\S]*displayName/)]);
    expect((await remit("apply", "--since", "main", "--prune", "--yes")).code).not.toBe(0);
    expect(inTenant()).toEqual([1, 2]);
    const key = `  - { address: EntitlementAutomation/two, key: ${keyOf(2)}, then: delete }\n`;
    const named = await begin();
    named.remove(TWO);
    named.edit(2, { displayName: "Changed by hand" });
    named.write("remit.yaml", `manifests: [manifests]\nremoved:\n${key}`);
    expect((await named.remit("apply", "--since", "main", "--yes")).code).toBe(0);
    expect(named.inTenant()).toEqual([1]);
  });

  it("lets an entry under removed: do without a key, and a target name the object", async () => {
    const { remit, remove, write, inTenant } = await begin();
    remove(TWO);
    expect(
      (await remit("plan", "--since", "main", "--target", "EntitlementAutomation/two")).stdout,
    ).toContain("? removed");
    write(
      "remit.yaml",
      "manifests: [manifests]\nremoved: [{ address: EntitlementAutomation/two, then: delete }]\n",
    );
    expect((await remit("apply", "--since", "main", "--yes")).code).toBe(0);
    expect(inTenant()).toEqual([1]);
  });

  it("keeps the protection of the removed manifest", async () => {
    const { remit, remove, write, commit, git } = await begin();
    git("checkout", "-q", "main");
    write(
      TWO,
      automation("two", 'subject.department == "Blue"', 2).replace(
        "{ name: two }",
        '{ name: two, annotations: { remit/protect: "true" } }',
      ),
    );
    commit();
    git("checkout", "-q", "-B", "change");
    remove(TWO);
    const { code, stdout } = await remit("plan", "--since", "main", "--prune");
    expect([code, stdout]).toEqual([4, expect.stringContaining("protected")]);
  });
});

it("--prune with neither a state nor --since is refused, and names both ways", async () => {
  const { remit, remove } = await begin();
  remove(TWO);
  for (const command of [["plan"], ["apply", "--yes"]]) {
    const { code, stderr } = await remit(...command, "--prune");
    expect([code, stderr]).toEqual([
      4,
      expect.stringMatching(/the state of the last apply, or add --since REF/),
    ]);
  }
});

it("a commit that the checkout does not have is an error that says what to fetch", async () => {
  const { remit } = await begin();
  const { code, stderr } = await remit("plan", "--since", "origin/main");
  expect([code, stderr]).toEqual([
    5,
    expect.stringContaining("git fetch origin main:refs/remotes/origin/main"),
  ]);
});

describe("a plan since a commit", () => {
  it("shows what this change does apart from what was pending, each field with its commit", async () => {
    const { remit, write, commit, edit, git } = await begin();
    edit(2, { displayName: "Changed by hand" });
    write(ONE, automation("one", 'subject.department == "Green"', 1));
    const edited = commit();
    write(
      ONE,
      automation("one", 'subject.department == "Green"', 1).replace("displayName: one", "displayName: First"),
    );
    git("add", "-A");
    git("commit", "-q", "--author", "Bea <b@example>", "-m", "name");
    const named = git("rev-parse", "HEAD");
    const { code, stdout } = await remit("plan", "--since", "main");
    expect(code).toBe(0);
    expect(stdout).toContain("Plan: 0 to create, 1 to change, 0 to delete");
    expect(stdout).toMatch(/Pending already, and not part of this change: 0 to create, 1 to change/);
    expect(stdout).toContain(`this change ${edited.slice(0, 8)}`);
    expect(stdout).toContain(`this change ${named.slice(0, 8)}`);
    expect(stdout).toContain(`${named.slice(0, 12)} by Bea`);
    expect((await remit("apply", "--since", "main", "--yes")).code).toBe(0);
    const left = await remit("plan", "--since", "main", "--format", "json");
    const report = JSON.parse(left.stdout);
    expect([report.pending, report.since.pending.map(({ address }: { address: string }) => address)]).toEqual(
      [false, ["EntitlementAutomation/two"]],
    );
  });

  it("decides on an object whose manifest left before, where this change adds the decision", async () => {
    const { remit, remove, write, commit, git, inTenant } = await begin();
    git("checkout", "-q", "main");
    remove(TWO);
    commit();
    git("checkout", "-q", "-B", "change");
    const key = `  - { address: EntitlementAutomation/two, key: ${keyOf(2)}, then: delete }\n`;
    write("remit.yaml", `manifests: [manifests]\nremoved:\n${key}`);
    commit();
    expect((await remit("apply", "--since", "main", "--yes")).code).toBe(0);
    expect(inTenant()).toEqual([1]);
  });
});

describe("without a state, --since and a removed manifest whose id only the service knows", () => {
  const WEBHOOK = "manifests/desk.yaml";
  const webhook = (name: string) => `apiVersion: remit/v1
kind: Webhook
metadata: { name: ${name} }
spec: { displayName: Desk, url: "https://a.example" }
`;
  const template = `apiVersion: remit/v1
kind: ReviewTemplate
metadata: { name: q4 }
spec: { displayName: Q4, ownerIds: [u1] }
`;

  async function began() {
    const sandbox = await startSandbox({ interface: "full" });
    onTestFinished(() => sandbox.close());
    const checkout = makeCheckout({
      "remit.yaml": "manifests: [manifests]\nguards: { maxChangesPercent: 100 }\n",
      ".gitignore": ".remit/\n",
      [ONE]: automation("one", 'subject.department == "Red"', 1),
      [WEBHOOK]: webhook("desk"),
      "manifests/q4.yaml": template,
    });
    checkout.commit();
    const env = { ...checkout.env, REMIT_TOKEN: sandbox.token, REMIT_SERVER: sandbox.url };
    const remit = (...argv: readonly string[]) => runInside(argv, { cwd: checkout.root, env });
    const applied = await remit("apply", "--yes");
    expect(applied.code, applied.stdout + applied.stderr).toBe(0);
    rmSync(join(checkout.root, ".remit"), { recursive: true });
    checkout.git("checkout", "-q", "-b", "change");
    const there = () => sandbox.store.webhooks.all().filter(({ deletedAt }) => deletedAt === undefined);
    return { ...checkout, remit, there };
  }

  it.each([[[]], [["--prune"]]])("say which objects it may be, and delete none with %j", async (prune) => {
    const { remit, remove, commit, there } = await began();
    remove(WEBHOOK);
    remove("manifests/q4.yaml");
    commit();
    const { stdout, stderr, code } = await remit("plan", "--since", "main", ...prune);
    const said = (stdout + stderr).replace(/\s+/g, " ");
    expect(code, said).toBe(0);
    const [made] = there();
    expect(said).toContain(`one webhook has its displayName: Desk (${made?.id})`);
    expect(said).toContain("add `{ address: Webhook/desk, key: KEY, then: delete }` under `removed:`");
    expect(said).toContain(
      "without a state only its id tells, and the service has no list of review templates",
    );
    await remit("apply", "--since", "main", "--yes", ...prune);
    expect(there()).toHaveLength(1);
  });

  it("say nothing of one that another manifest of the project may mean", async () => {
    const { remit, write, remove, commit } = await began();
    remove(WEBHOOK);
    write("manifests/other.yaml", webhook("other"));
    commit();
    const { stdout, stderr } = await remit("plan", "--since", "main");
    expect(stdout + stderr).not.toContain("since/unclear");
    expect(stdout + stderr).toContain("plan/namesake");
  });
});
