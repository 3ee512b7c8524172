import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { JsonObject } from "../../src/model/json.js";
import { ROOT } from "../../src/sandbox/tenant/store.js";
import { C1_APP_ID } from "../../src/sandbox/tenant/tenant.js";
import { text } from "../../src/sandbox/wire/member.js";
import { type GroupScene, memberNamed, OPERATOR, openGroups, resourceNamed } from "../fakes/groups.js";
import { hastyClock, runInside } from "../fakes/inside.js";
import type { Manifest, Spec } from "../fakes/project.js";
import { idOf } from "../sandbox/visit.js";

/** Owners of a group: people and entitlements, written one by one, shown late, and not readable everywhere. */

const [ANA, BO] = [idOf("userAna"), idOf("userBo")];
const ana = { user: { email: "ana@example.test" } };
const bo = { user: { email: "bo@example.test" } };

let scene: GroupScene;
beforeEach(async () => {
  scene = await openGroups();
  for (const [id, email] of [
    [ANA, "ana@example.test"],
    [BO, "bo@example.test"],
  ] as const)
    scene.sandbox.store.users.put(ROOT, id, { id, displayName: email, email, status: "ENABLED" });
});
afterEach(() => scene.close());

const owned = (owners: Spec["owners"], more: Spec = {}) =>
  resourceNamed("eng", "Engineering", { owners, ...more });
const withRole = (owner: JsonObject) => ({ ...owner, role: "keeper" });
const write = (...manifests: readonly Manifest[]) => scene.project.write([...manifests]);
const group = () => text(scene.sandbox.store.resources.all().find(({ deletedAt }) => !deletedAt) ?? {}, "id");

/** The owners that the tenant has, each as its role and its id. */
const owners = () =>
  scene.sandbox.store.owners
    .all()
    .filter((row) => row.deletedAt === undefined)
    .map((row) => `${row.roleSlug} ${row.userRefId ?? row.appEntitlementRefId}`)
    .sort();

/** The calls that wrote owners since they were asked for last. */
function calls(): readonly string[] {
  const log = scene.sandbox.log.entries().filter(({ written }) => written);
  scene.sandbox.log.clear();
  return log.flatMap(({ operation }) => (operation?.includes("Owner") ? [operation] : []));
}

/** Makes someone an owner of the group, or none any more, in the browser. */
async function browser(method: "POST" | "DELETE", user: string): Promise<void> {
  const { url, token } = scene.sandbox;
  const at = `apps/${C1_APP_ID}/resource_types/${String(resourceNamed("", "").spec.appResourceTypeId)}`;
  const place = `${url}/api/v2/${at}/resources/${group()}/owners/users/keeper/${user}`;
  const reply = await fetch(place, { method, headers: { authorization: `Bearer ${token}` }, body: "{}" });
  expect(reply.status).toBe(200);
  scene.sandbox.log.clear();
}

let hours = 0;
/** Runs the command an hour after the last one. */
async function later(code: number, ...argv: readonly string[]): Promise<string> {
  const env = { REMIT_SERVER: scene.sandbox.url, REMIT_TOKEN: scene.sandbox.token, REMIT_OWNERS_LAG: "1s" };
  const hasty = hastyClock(100);
  hours += 1;
  const since = hours * 3_600_000;
  const clock = { ...hasty, now: () => hasty.now() + since };
  const { stdout, stderr, code: ended } = await runInside(argv, { cwd: scene.project.cwd, env, clock });
  const said = (stdout + stderr).replace(/\s+/g, " ");
  expect(ended, said).toBe(code);
  return said;
}

describe("owners of a group", () => {
  it("are written one by one after the create, and the next plan is empty", async () => {
    const member = { entitlement: { appId: C1_APP_ID, id: { manifest: "eng-member" } } };
    write(owned([withRole(ana)]), memberNamed("eng-member", "eng", { owners: [withRole(bo)] }));
    await scene.remit(0, "apply", "--yes");
    expect(owners()).toEqual([`keeper ${ANA}`, `keeper ${BO}`].sort());
    expect([...calls()].sort()).toEqual(["AddEntitlementOwnerUser", "AddResourceOwnerUser"]);
    await scene.remit(0, "plan", "--detailed-exitcode");

    write(owned([bo, member]), memberNamed("eng-member", "eng", { owners: [withRole(bo)] }));
    await scene.remit(0, "apply", "--yes");
    expect(calls()).toEqual([
      "AddResourceOwnerUser",
      "AddResourceOwnerEntitlement",
      "RemoveResourceOwnerUser",
    ]);
    await scene.remit(0, "plan", "--detailed-exitcode");
  });

  it("do not include its own membership before both exist, because a policy might ask too few meanwhile", async () => {
    const member = { entitlement: { appId: C1_APP_ID, id: { manifest: "eng-member" } } };
    write(owned([withRole(ana), withRole(member)]), memberNamed("eng-member", "eng"));
    const said = await scene.remit(4, "plan");
    expect(said).toContain("error[plan/ring] it needs the id of Resource/eng, which it would own.");
    expect(said).toContain("Leave it out of `owners` of Resource/eng, apply, then write it.");
  });

  it("need a role, from an owner that is there or from the manifest", async () => {
    write(owned([ana]));
    expect(await scene.remit(4, "plan")).toContain("error[plan/usual-unknown]");
    write(owned([withRole(ana)]));
    await scene.remit(0, "apply", "--yes");
    write(owned([ana, bo]));
    await scene.remit(0, "apply", "--yes");
    expect(owners()).toEqual([`keeper ${ANA}`, `keeper ${BO}`].sort());
  });

  it("that others added go with the next apply, and stay where the manifest says nothing of owners", async () => {
    write(resourceNamed("eng", "Engineering"));
    await scene.remit(0, "apply", "--yes");
    await browser("POST", BO);
    await later(0, "plan", "--detailed-exitcode");
    write(owned([withRole(ana)]));
    expect(await later(2, "plan", "--detailed-exitcode")).toContain(BO);
    await later(0, "apply", "--yes");
    expect(owners()).toEqual([`keeper ${ANA}`]);
    expect(calls()).toEqual(["AddResourceOwnerUser", "RemoveResourceOwnerUser"]);

    await browser("POST", BO);
    await later(0, "accept", "--all-drift", "--yes");
    await later(0, "plan", "--detailed-exitcode");
    expect(calls()).toEqual([]);
    expect(owners()).toEqual([`keeper ${ANA}`, `keeper ${BO}`].sort());
    await browser("DELETE", ANA);
    await later(0, "apply", "--yes");
    expect(owners()).toEqual([`keeper ${ANA}`, `keeper ${BO}`].sort());
    await later(0, "accept", "--restore", "Resource/eng", "--yes");
  });

  it("that are not shown yet are settling: the plan says so, writes none again, and sees drift after the lag", async () => {
    scene.sandbox.faults.set({ seed: 1, rules: [{ fault: "quirks", quirks: { ownersLag: 3_600_000 } }] });
    write(owned([withRole(ana)]));
    await scene.remit(0, "apply", "--yes");
    calls();
    const settling = await scene.remit(0, "plan", "--detailed-exitcode");
    expect(settling).toContain("note[plan/settling]");
    expect(settling).toContain("Nothing to do: 1 settling.");
    await scene.remit(0, "apply", "--yes");
    expect(calls()).toEqual([]);
    write(owned([withRole(ana)], { description: "All of it" }));
    await scene.remit(0, "apply", "--yes");
    expect(calls()).toEqual([]);
    expect(await scene.remit(0, "plan", "--detailed-exitcode")).toContain("note[plan/settling]");
    expect(await later(2, "plan", "--detailed-exitcode")).not.toContain("plan/settling");
    const state = readFileSync(join(scene.project.cwd, ".remit/state.json"), "utf8");
    expect(state).toMatch(/"late":\s*\{\s*"owners":/);
  });

  it("that cannot be read are left as they are, and the rest of the group is managed", async () => {
    write(owned([withRole(ana)]));
    await scene.remit(0, "apply", "--yes");
    calls();
    for (const status of [403, 404]) {
      const rule = { operation: "ListResourceOwnerUsers", fault: "error", status };
      scene.sandbox.faults.set({ seed: 1, rules: [rule as never] });
      write(owned([withRole(bo)], { description: `Not readable: ${status}` }));
      expect(await later(2, "plan", "--detailed-exitcode")).toContain("warning[plan/part-unread]");
      expect(await later(0, "apply", "--yes")).toContain("warning[plan/part-unread]");
      expect(await later(0, "apply", "--yes")).toContain("warning[plan/part-unread]");
      await later(0, "plan", "--detailed-exitcode");
      expect(calls()).toEqual([]);
    }
    scene.sandbox.faults.set({ seed: 1, rules: [] });
    await later(0, "apply", "--yes");
    expect(owners()).toEqual([`keeper ${BO}`]);
  });

  it("are asked about where the last one would go", async () => {
    write(owned([withRole(ana)]));
    await scene.remit(0, "apply", "--yes");
    write(owned([]));
    expect(await scene.remit(4, "apply", "--yes")).toContain("guard/no-owner-left");
    await scene.remit(0, "apply", "--yes", "--acknowledge", "no-owner-left=Resource/eng");
    expect(owners()).toEqual([]);
  });

  it("are who a policy asks: its plan says where no one is", async () => {
    const asks = { approval: { entitlementOwners: {} } };
    const own = {
      kind: "Policy",
      name: "own",
      spec: {
        displayName: "Own",
        policyType: "POLICY_TYPE_GRANT",
        policySteps: { grant: { steps: [asks] } },
      },
    };
    const member = (owners: Spec["owners"]) =>
      memberNamed("eng-member", "eng", { grantPolicyId: { manifest: "own" }, owners });
    const plan = () => scene.remit(0, "plan", "--acknowledge", "unknown-current");
    const noOne = "no one can answer now, in policySteps.grant.steps[0] for Entitlement/eng-member";
    write(resourceNamed("eng", "Engineering"), own, member([]));
    expect(await plan()).toContain(noOne);
    write(resourceNamed("eng", "Engineering"), own, member([withRole(ana)]));
    expect(await plan()).not.toContain("can answer");
    scene.sandbox.store.users.put(ROOT, ANA, {
      ...scene.sandbox.store.users.get(ROOT, ANA),
      status: "DISABLED",
    } as never);
    expect(await plan()).toContain(noOne);
  });

  it("are imported with the object, so that the next plan is empty", async () => {
    write(owned([withRole(ana)]), memberNamed("eng-member", "eng", { owners: [withRole(bo)] }));
    await scene.remit(0, "apply", "--yes");
    write(resourceNamed("other", "Other"));
    await scene.remit(0, "state", "forget", "Resource/eng");
    const found = await scene.remit(0, "import", "Resource", "--dry-run");
    expect(found).toContain(`owners: - user: ${ANA} role: keeper`);
    const rule = { operation: "ListResourceOwnerUsers", fault: "error", status: 403 };
    scene.sandbox.faults.set({ seed: 1, rules: [rule as never] });
    const unread = await scene.remit(0, "import", "Resource", "--dry-run");
    expect(unread).toContain("warning[command/import-parts]");
    expect(unread).not.toContain(ANA);
  });

  it("are removed before the caller, whom the service then refuses; where who that is is not known, as they stand", async () => {
    const me = { user: OPERATOR, role: "keeper" };
    scene.sandbox.store.users.put(ROOT, OPERATOR, { id: OPERATOR, displayName: "Me", status: "ENABLED" });
    const isOwned = { fault: "quirks", quirks: { ownedBy: OPERATOR } } as const;
    scene.sandbox.faults.set({ seed: 1, rules: [isOwned] });
    const [all, less] = [owned([me, withRole(ana), withRole(bo)]), owned([withRole(ana)])];
    write(all);
    await scene.remit(0, "apply", "--yes");
    calls();
    write(less);
    const isHidden = { fault: "error", status: 403, path: "/api/v1/auth/introspect" } as const;
    scene.sandbox.faults.set({ seed: 1, rules: [isOwned, isHidden] });
    expect(await scene.remit(0, "plan", "--out", "plan.json")).toMatch(
      /this client's user: .*introspect: answered 403/,
    );
    expect(await scene.remit(1, "apply", "plan.json", "--yes")).toContain("403");
    expect(owners()).toEqual([`keeper ${ANA}`, `keeper ${BO}`].sort());

    scene.sandbox.faults.set({ seed: 1, rules: [] });
    await browser("POST", OPERATOR);
    scene.sandbox.faults.set({ seed: 1, rules: [isOwned] });
    expect(await later(0, "plan", "--out", "plan.json")).not.toContain("introspect");
    await later(0, "apply", "plan.json", "--yes");
    expect(owners()).toEqual([`keeper ${ANA}`]);
  });

  it("that someone removed before remit does count as removed", async () => {
    write(owned([withRole(ana), withRole(bo)]));
    await scene.remit(0, "apply", "--yes");
    await scene.remit(0, "plan");
    await browser("DELETE", BO);
    write(owned([withRole(ana)]));
    scene.sandbox.faults.set({ seed: 1, rules: [{ fault: "quirks", quirks: { ownersLag: 3_600_000 } }] });
    await scene.remit(0, "apply", "--yes");
    expect(owners()).toEqual([`keeper ${ANA}`]);
  });
});
