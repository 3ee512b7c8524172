import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { startSandbox } from "../../src/sandbox/http/server.js";
import { automation } from "../apply/sessionScene.js";
import { runInside } from "../fakes/inside.js";
import { folder } from "../manifest/folder.js";

const APP = "2fsgTvxP0DVTsNXEUBI7hOe0l5A";
const ID = "entitlement0000000000000001";
const BY_HAND = { displayName: "By hand", cel: { expression: "true" } };

const WAYS = {
  "removed:": {
    settings: "removed: [{ address: EntitlementAutomation/one, then: delete }]\n",
    flags: [],
    says: "the manifest was removed, and `removed:` in remit.yaml deletes it",
  },
  "--prune": { settings: "", flags: ["--prune"], says: "the manifest was removed, and pruning deletes it" },
  "prune: true": {
    settings: "prune: true\n",
    flags: [],
    says: "the manifest was removed, and pruning deletes it",
  },
} as const;

/** An applied automation whose manifest is gone, what is decided about it, and ways to change the object by hand. */
async function begin({ settings, flags }: { readonly settings: string; readonly flags: readonly string[] }) {
  const sandbox = await startSandbox({ interface: "full" });
  onTestFinished(() => sandbox.close());
  const cwd = folder({
    "remit.yaml": "manifests: [manifests]\n",
    "manifests/one.yaml": automation("one", 'subject.department == "Red"', 1),
    "manifests/two.yaml": automation("two", 'subject.department == "Blue"', 2),
  });
  const env = { REMIT_TOKEN: sandbox.token, REMIT_SERVER: sandbox.url };
  const remit = (...argv: readonly string[]) => runInside(argv, { cwd, env });
  expect((await remit("apply", "--yes")).code).toBe(0);
  rmSync(join(cwd, "manifests/one.yaml"));
  writeFileSync(join(cwd, "remit.yaml"), `manifests: [manifests]\n${settings}`);
  const row = () => sandbox.store.automations.get(APP, ID);
  return {
    plan: (...more: readonly string[]) => remit("plan", ...flags, ...more),
    apply: (...more: readonly string[]) => remit("apply", "--yes", ...flags, ...more),
    saved: join(cwd, "plan.json"),
    cwd,
    remit,
    change(more: object) {
      const known = row();
      if (known === undefined) throw new Error("the automation is there");
      sandbox.store.automations.put(APP, ID, { ...known, ...more });
    },
    /** Deletes the object and makes it again, with the values that the tenant has now. */
    async makeAnew() {
      const known = row();
      if (known === undefined) throw new Error("the automation is there");
      const { displayName, description, cel } = known;
      const path = `${sandbox.url}/api/v1/apps/${APP}/entitlements/${ID}/automation`;
      const headers = { authorization: `Bearer ${sandbox.token}`, "content-type": "application/json" };
      // Another moment than that of the first one.
      await new Promise((resolve) => setTimeout(resolve, 5));
      expect((await fetch(path, { method: "DELETE", headers, body: "{}" })).status).toBe(200);
      const body = JSON.stringify({ automation: { displayName, description, cel } });
      expect((await fetch(`${path}/create`, { method: "POST", headers, body })).status).toBe(200);
    },
    isThere: () => row() !== undefined && (row()?.deletedAt ?? null) === null,
  };
}

describe.each(Object.entries(WAYS))("a removed object that %s deletes", (_, way) => {
  it("is deleted as it was applied, and the plan says what decides it", async () => {
    const { plan, apply, isThere } = await begin(way);
    const { code, stdout } = await plan();
    expect([code, stdout.replace(/\s+/g, " ")]).toEqual([0, expect.stringContaining(way.says)]);
    expect([(await apply()).code, isThere()]).toEqual([0, false]);
  });

  it("is not deleted without a word where someone changed it since the last apply", async () => {
    const { plan, apply, change, isThere } = await begin(way);
    change(BY_HAND);
    const { code, stdout } = await plan();
    expect(code).toBe(4);
    expect(stdout).toContain("deletes-changed");
    expect(stdout).toContain("changed in the tenant since the last apply; remit deletes it as it is now:");
    expect(stdout).toContain("~ displayName: one → By hand");
    expect([(await apply()).code, isThere()]).toEqual([4, true]);
    const answered = ["--acknowledge", "deletes-changed=EntitlementAutomation/one"];
    expect([(await apply(...answered)).code, isThere()]).toEqual([0, false]);
  });

  it("is not deleted without a word where someone made it anew with the same values", async () => {
    const { plan, apply, makeAnew, isThere } = await begin(way);
    await makeAnew();
    const { code, stdout } = await plan();
    const text = stdout.replace(/\s+/g, " ");
    expect(code).toBe(4);
    expect(text).toContain(`${way.says}; deleted and made anew in the tenant since the last apply, last on`);
    expect(text).toContain(
      "! deletes-changed EntitlementAutomation/one: it was deleted and made anew in the tenant since the last apply",
    );
    expect([(await apply()).code, isThere()]).toEqual([4, true]);
    const answered = ["--acknowledge", "deletes-changed=EntitlementAutomation/one"];
    expect([(await apply(...answered)).code, isThere()]).toEqual([0, false]);
  });

  it("is noticed where remit adopted the first one, and the second was made after that", async () => {
    const { plan, apply, change, remit, cwd } = await begin(way);
    const settings = (more: string) =>
      writeFileSync(join(cwd, "remit.yaml"), `manifests: [manifests]\n${more}`);
    // Without a state, an apply adopts what is there.
    settings("");
    rmSync(join(cwd, ".remit/state.json"));
    writeFileSync(join(cwd, "manifests/one.yaml"), automation("one", 'subject.department == "Red"', 1));
    expect((await remit("apply", "--yes")).stdout).toContain("2 adopted");
    rmSync(join(cwd, "manifests/one.yaml"));
    settings(way.settings);
    expect((await plan()).code).toBe(0);
    change({ createdAt: new Date(Date.now() + 3_600_000).toISOString() });
    const { code, stdout } = await plan();
    expect([code, stdout.replace(/\s+/g, " ")]).toEqual([
      4,
      expect.stringContaining("made anew in the tenant"),
    ]);
    expect((await apply()).code).toBe(4);
  });

  it("is not deleted by a saved plan where someone made it anew after the plan", async () => {
    const { plan, apply, makeAnew, isThere, saved } = await begin(way);
    expect((await plan("--out", saved)).code).toBe(0);
    await makeAnew();
    expect((await apply(saved)).code).not.toBe(0);
    expect(isThere()).toBe(true);
  });

  it("is deleted by a saved plan only while it is as the plan shows it", async () => {
    const { plan, apply, change, isThere, saved } = await begin(way);
    expect((await plan("--out", saved)).code).toBe(0);
    change(BY_HAND);
    expect([(await apply(saved)).code, isThere()]).not.toEqual([0, false]);
    expect(isThere()).toBe(true);
  });

  it("trips the guard in a saved plan, too, whatever the plan says of it", async () => {
    const { plan, apply, change, isThere, saved } = await begin(way);
    change(BY_HAND);
    expect((await plan("--out", saved, "--acknowledge", "deletes-changed")).code).toBe(0);
    expect([(await apply(saved)).code, isThere()]).toEqual([4, true]);
    const answered = await apply(saved, "--acknowledge", "deletes-changed");
    expect([answered.code, answered.stdout + answered.stderr, isThere()]).toEqual([
      0,
      expect.any(String),
      false,
    ]);
  });
});
