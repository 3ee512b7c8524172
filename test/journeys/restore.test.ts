import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { startSandbox } from "../../src/sandbox/http/server.js";
import { makeCheckout } from "../fakes/checkout.js";
import { runInside } from "../fakes/inside.js";

const FILE = "manifests/red.yaml";
const RED = "EntitlementAutomation/red";
const ENTITLEMENT = "entitlement0000000000000001";
const APP = "2fsgTvxP0DVTsNXEUBI7hOe0l5A";

/** The manifest of an automation, in a style of its own. */
function manifest(rule: string, more = ""): string {
  return `# Who is red?
apiVersion: remit/v1
kind: EntitlementAutomation
metadata: { name: red }
spec:
  appId: ${APP}
  appEntitlementId: ${ENTITLEMENT}
  displayName: "Red"   # as the team is called
${more}  ${rule}
`;
}

const [FIRST, SECOND, THIRD] = ["One", "Two", "Three"].map(
  (name) => `cel: { expression: 'subject.department == "${name}"' } # the rule`,
) as [string, string, string];
const BLUE = manifest(SECOND).replace("name: red", "name: blue").replace("0000001", "0000002");
const DESCRIBED = "  description: All of the team\n";

async function begin(where: "file" | "git" | "encrypted file" = "file") {
  const sandbox = await startSandbox({ interface: "full" });
  onTestFinished(() => sandbox.close());
  const checkout = makeCheckout({
    "remit.yaml": "manifests: [manifests]\nproject: teams\n",
    ".gitignore": ".remit/\n",
  });
  const store = makeCheckout();
  store.git("config", "receive.denyCurrentBranch", "ignore");
  const state = where === "git" ? { REMIT_STATE: `git:${store.root}#state` } : {};
  const key = where === "encrypted file" ? { REMIT_STATE_KEY: Buffer.alloc(32, 9).toString("base64") } : {};
  const env = { ...checkout.env, ...state, ...key, REMIT_TOKEN: sandbox.token, REMIT_SERVER: sandbox.url };
  const remit = (...argv: readonly string[]) => runInside(argv, { cwd: checkout.root, env });
  const remitWith = (stateKey: string | null, ...argv: readonly string[]) => {
    const { REMIT_STATE_KEY: _, ...others } = { REMIT_STATE_KEY: "", ...env };
    const own = stateKey === null ? others : { ...others, REMIT_STATE_KEY: stateKey };
    return runInside(argv, { cwd: checkout.root, env: own });
  };
  async function applied(text: string, ...more: readonly string[]): Promise<string> {
    checkout.write(FILE, text);
    checkout.commit();
    const { code, stderr } = await remit("apply", "--yes", ...more);
    expect(code, stderr).toBe(0);
    const { records } = JSON.parse((await remit("history", "--format", "json")).stdout);
    return records[0].run;
  }
  return {
    ...checkout,
    remit,
    remitWith,
    key: key.REMIT_STATE_KEY ?? "",
    applied,
    text: () => readFileSync(join(checkout.root, FILE), "utf8"),
    inTenant: () => JSON.stringify(sandbox.store.automations.get(APP, ENTITLEMENT)),
    edit(more: object) {
      const known = sandbox.store.automations.get(APP, ENTITLEMENT);
      if (known !== undefined) sandbox.store.automations.put(APP, ENTITLEMENT, { ...known, ...more });
    },
  };
}

describe("remit accept --restore", () => {
  it.each(["file", "git"] as const)(
    "writes what the object had before a run, and nothing to the tenant: with the state in %s",
    async (where) => {
      const { remit, applied, text, inTenant } = await begin(where);
      await applied(manifest(FIRST));
      const second = await applied(manifest(SECOND));
      const before = inTenant();
      const { code, stdout, stderr } = await remit("accept", "--restore", RED, "--yes");
      expect([code, stderr]).toEqual([0, expect.stringMatching(/proved by the record/)]);
      expect(stderr).toContain(second);
      expect(stdout).toContain("-  cel: { expression: 'subject.department == \"Two\"' }");
      expect(text()).toBe(manifest(FIRST));
      expect(inTenant()).toBe(before);
      expect((await remit("plan")).stdout).toContain("1 to change");
    },
    60_000,
  );

  it("restores one field before a run that is named, also across commits that no run applied", async () => {
    const { remit, applied, text, write, commit } = await begin();
    await applied(manifest(FIRST, DESCRIBED));
    write(FILE, manifest(THIRD));
    commit();
    const second = await applied(manifest(SECOND, "  description: Some of it\n"));
    const third = await applied(manifest(THIRD, "  description: None of it\n"));
    const offered = async (...words: readonly string[]) =>
      (await remit("__complete", ...words)).stdout.split("\n").map((line) => line.split("\t")[0]);
    const runs = await offered("accept", "--restore", `${RED}#cel`, "--run", "");
    expect(runs.slice(0, 2)).toEqual([third, second]);
    expect(await offered("accept", "--restore", "EntitlementAutomation/other", "--run", "")).not.toContain(
      third,
    );
    expect(await offered("history", "")).toEqual(expect.arrayContaining([RED, second, third]));
    const { code, stderr } = await remit("accept", "--restore", `${RED}#cel`, "--run", second, "--yes");
    expect([code, stderr]).toEqual([0, expect.stringContaining("proved by the record")]);
    expect(text()).toBe(manifest(FIRST, "  description: None of it\n"));
  });

  it("clears what was not set before the run, and says that the record shows it", async () => {
    const { remit, applied, text } = await begin();
    await applied(manifest(FIRST));
    await applied(manifest(FIRST, DESCRIBED));
    const { code, stderr } = await remit("accept", "--restore", RED, "--yes");
    expect([code, stderr]).toEqual([0, expect.stringContaining("description was not set")]);
    expect(text()).toBe(manifest(FIRST, '  description: ""\n'));
  });

  it("restores what the tenant had before remit managed it, from the state", async () => {
    const { remit, applied, text, edit } = await begin();
    await applied(manifest(FIRST));
    edit({ description: "Written by hand" });
    await applied(manifest(FIRST, DESCRIBED));
    const { code, stderr } = await remit("accept", "--restore", `${RED}#description`, "--yes");
    expect([code, stderr]).toEqual([0, expect.stringContaining("the state")]);
    expect(text()).toContain("description: Written by hand\n");
  });

  it("writes a field anew that the manifest no longer has, as it was written", async () => {
    const { remit, applied, text } = await begin();
    await applied(manifest(FIRST, DESCRIBED));
    const second = await applied(manifest(FIRST, "  description: Some of it\n"));
    await applied(manifest(SECOND));
    const { code, stderr } = await remit(
      "accept",
      "--restore",
      `${RED}#description`,
      "--run",
      second,
      "--yes",
    );
    expect([code, stderr]).toEqual([0, expect.stringContaining("proved by the record")]);
    expect(text()).toContain("description: All of the team\n");
  });

  it("refuses a value of a commit that the record shows to be another one", async () => {
    const { remit, applied, text, edit } = await begin();
    await applied(manifest(FIRST, DESCRIBED));
    edit({ description: "Changed by hand" });
    await applied(manifest(SECOND, "  description: Some of it\n"));
    const { code, stderr } = await remit("accept", "--restore", RED, "--yes");
    expect([code, stderr]).toEqual([3, expect.stringContaining("accept/not-restored")]);
    expect(text()).toBe(manifest(FIRST, "  description: Some of it\n"));
  });

  it("restores a value that was changed by hand before the run, where the history keeps values", async () => {
    const { remit, applied, text, edit } = await begin("encrypted file");
    await applied(manifest(FIRST, DESCRIBED));
    edit({ description: "Changed by hand" });
    const second = await applied(manifest(FIRST, "  description: Some of it\n"));
    const { stdout: shown } = await remit("history", second);
    expect(shown).toContain("- description: Changed by hand\n      + description: Some of it\n");
    const { code, stderr } = await remit("accept", "--restore", RED, "--yes");
    expect([code, stderr]).toEqual([0, expect.stringContaining("from the values that are kept")]);
    expect(text()).toBe(manifest(FIRST, "  description: Changed by hand\n"));
    const { stdout: markdown } = await remit("history", second, "--format", "markdown");
    expect(markdown).toContain("```diff\n- description: Changed by hand\n+ description: Some of it\n```\n");
  });

  it("reads the history with the new key alone, and without one after the state was decrypted", async () => {
    const { remitWith, applied, key } = await begin("encrypted file");
    const first = await applied(manifest(FIRST, DESCRIBED));
    const other = Buffer.alloc(32, 8).toString("hex");
    expect((await remitWith(`${other},${key}`, "state", "encrypt")).code).toBe(0);
    const { code, stdout, stderr } = await remitWith(other, "history", first);
    expect([code, stdout], stderr).toEqual([0, expect.stringMatching(/^Values +kept$/m)]);
    expect(stdout).toContain("+ description: All of the team\n");
    expect((await remitWith(other, "state", "decrypt")).code).toBe(0);
    const { stdout: last } = await remitWith(null, "history", first);
    expect(last).toMatch(/^Values +not kept, but for their hashes$/m);
    expect(last).not.toContain("All of the team");
  });

  it("restores two fields of an object, each before the newest run that changed it", async () => {
    const { remit, applied, text } = await begin();
    await applied(manifest(FIRST, DESCRIBED));
    await applied(manifest(SECOND, DESCRIBED));
    await applied(manifest(SECOND, "  description: Some of it\n"));
    const targets = [`${RED}#description`, `${RED}#cel`, `${RED}#cel.expression`];
    const { code, stderr } = await remit("accept", "--restore", ...targets, "--yes");
    expect([code, stderr]).toEqual([0, expect.stringContaining("description, cel.expression")]);
    expect(text()).toBe(manifest(FIRST, DESCRIBED));
  });

  it("restores another choice, and what was written in its place", async () => {
    const { remit, applied, text } = await begin();
    await applied(manifest(FIRST));
    await applied(manifest("none: {}", DESCRIBED), "--acknowledge", `nobody=${RED}`);
    const { code, stderr } = await remit("accept", "--restore", `${RED}#cel`, "--yes");
    expect([code, stderr]).toEqual([0, expect.stringMatching(/cel as before .* proved by the record/s)]);
    expect(text()).toContain(`${DESCRIBED}  cel: { expression: subject.department == "One" }\n`);
    expect(text()).not.toContain("none:");
  });

  it("puts the manifest of a deleted object back into its file, as it was written", async () => {
    const { remit, applied, text, write, commit, root, inTenant } = await begin();
    write("manifests/blue.yaml", BLUE);
    await applied(manifest(FIRST, DESCRIBED));
    rmSync(join(root, FILE));
    commit();
    const removed = await remit("apply", "--yes", "--prune");
    expect(removed.code, removed.stderr).toBe(0);
    expect(inTenant()).toContain("deletedAt");
    const { code, stdout, stderr } = await remit("accept", "--restore", RED, "--yes");
    expect([code, stderr]).toEqual([0, expect.stringContaining("which deleted it: proved by the record")]);
    expect(stdout).toContain("--- /dev/null\n+++ b/manifests/red.yaml\n@@ -0,0 +1,10 @@\n");
    expect(text()).toBe(manifest(FIRST, DESCRIBED));
    expect((await remit("plan")).stdout).toContain("1 to create");
    expect((await remit("accept", "--restore", "EntitlementAutomation/green")).code).toBe(5);
  });

  it("puts the manifest of a deleted object behind what its file has now, and names what the record does not prove", async () => {
    const { remit, applied, text, commit, write, edit } = await begin();
    await applied(`${manifest(FIRST, DESCRIBED)}---\n${BLUE}`);
    edit({ description: "Changed by hand" });
    write(FILE, BLUE);
    commit();
    const removed = await remit("apply", "--yes", "--prune", "--acknowledge", "deletes-changed");
    expect(removed.code, removed.stderr).toBe(0);
    const { code, stderr } = await remit("accept", "--restore", RED, "--yes");
    expect([code, stderr]).toEqual([0, expect.stringMatching(/had these values then: description\n/)]);
    expect(text()).toBe(`${BLUE}---\n${manifest(FIRST, DESCRIBED)}`);
  });

  it("says what to do without a run, without a commit, and where nothing was there before", async () => {
    const { remit, applied, write } = await begin();
    write(FILE, manifest(FIRST));
    const restore = (...more: readonly string[]) => remit("accept", "--restore", RED, "--yes", ...more);
    expect(await restore()).toMatchObject({ code: 4, stderr: expect.stringContaining("accept/no-run") });
    const first = await applied(manifest(FIRST));
    const created = await restore("--run", first);
    expect([created.code, created.stderr]).toEqual([4, expect.stringContaining("created it")]);
    expect((await restore("--run", "none")).stderr).toContain("accept/no-run");
    write("other.txt", "not committed");
    write(FILE, manifest(SECOND));
    expect((await remit("apply", "--yes")).code).toBe(0);
    write(FILE, manifest(THIRD));
    expect((await remit("apply", "--yes")).code).toBe(0);
    const dirty = await restore();
    expect([dirty.code, dirty.stderr]).toEqual([4, expect.stringContaining("accept/not-restored")]);
    expect((await remit("accept", RED, "--run", first)).code).toBe(1);
    expect((await restore("--from", "plan.json")).code).toBe(1);
    expect((await remit("accept", "--restore", "--all-drift")).code).toBe(1);
    expect((await remit("accept", "--restore", "EntitlementAutomation/blue")).code).toBe(5);
  });

  it("says what is missing outside of a checkout", async () => {
    const { remit, applied, root } = await begin();
    await applied(manifest(FIRST));
    await applied(manifest(SECOND));
    rmSync(join(root, ".git"), { recursive: true });
    const { code, stderr } = await remit("accept", "--restore", RED, "--yes");
    expect([code, stderr]).toEqual([4, expect.stringContaining("accept/no-commit")]);
  });
});
