import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Sandbox, startSandbox } from "../../src/sandbox/http/server.js";
import { C1_APP_ID } from "../../src/sandbox/tenant/tenant.js";
import { hastyClock, runInside, type Seen } from "../fakes/inside.js";
import { APP, idOf, makeMany } from "../fakes/many.js";
import { type Manifest, makeProject, type Project } from "../fakes/project.js";

/** A create on a service that cannot be read, whose reply was lost: every way on from there ends well. */

const ENTITLEMENT = idOf("entitlement", 0);
const ADDRESS = "EntitlementAutomation/members";
const KEY = `${C1_APP_ID}/${ENTITLEMENT}`;
const manifest: Manifest = {
  kind: "EntitlementAutomation",
  name: "members",
  spec: { appId: C1_APP_ID, appEntitlementId: ENTITLEMENT, displayName: "Members", none: {} },
};

let sandbox: Sandbox;
let project: Project;

beforeEach(async () => {
  sandbox = await startSandbox({ interface: "core", tenant: makeMany(10, "core").tenant });
  project = makeProject({ server: sandbox.url, interface: "core", guards: { firstWrite: "allow" } });
  project.write([manifest]);
});
afterEach(async () => {
  await sandbox.close();
  project.close();
});

function remit(...argv: readonly string[]): Promise<Seen> {
  const env = { REMIT_SERVER: sandbox.url, REMIT_TOKEN: sandbox.token };
  return runInside(argv, { cwd: project.cwd, env, clock: hastyClock(100) });
}

function said({ stdout, stderr }: Seen): string {
  return (stdout + stderr).replace(/\s+/g, " ");
}

const automation = () => sandbox.store.automations.get(C1_APP_ID, ENTITLEMENT);

/** An apply that creates the automation, and hears nothing of it. */
async function lose(): Promise<void> {
  sandbox.faults.set({ seed: 1, rules: [{ fault: "lost", operation: "CreateAutomation", times: 1 }] });
  const applied = await remit("apply", "--yes");
  expect(applied.code, said(applied)).toBe(3);
  expect(automation()).toBeDefined();
}

/** What is wanted is there and known: there is nothing more to do or to say. */
async function expectRest(...flags: readonly string[]): Promise<void> {
  const planned = await remit("plan", "--detailed-exitcode", ...flags);
  expect(planned.code, said(planned)).toBe(0);
}

/** Its create is still uncertain. */
async function expectRefused(): Promise<void> {
  const planned = await remit("plan");
  expect(planned.code, said(planned)).toBe(4);
}

describe("a create that did succeed, and whose reply was lost", () => {
  beforeEach(lose);

  it("is never sent again by itself", async () => {
    const again = await remit("apply", "--yes");
    expect(again.code, said(again)).not.toBe(0);
    expect(said(again)).toContain(
      `If it is there, \`remit state settle ${ADDRESS} --key ${KEY}\` records it`,
    );
    expect(said(again)).not.toMatch(/delete it/);
    expect(said(again)).toContain("remit sent its create on 2");
    expect(sandbox.log.count({ method: "POST" })).toBe(1);
  });

  it.each(["core", "auto"])(
    "is managed once a person settles it: the state has what was sent, with the interface %s",
    async (on) => {
      const settled = await remit("state", "settle", ADDRESS, "--key", KEY, "--interface", on);
      expect(settled.code, said(settled)).toBe(0);
      expect(said(settled)).toContain("The service does not show it, so the state has what was sent.");
      await expectRest("--strict");
      expect(sandbox.log.count({ method: "POST" })).toBe(1);
    },
  );

  it("is not settled with the ids of another object", async () => {
    const other = `${C1_APP_ID}/${idOf("entitlement", 1)}`;
    const settled = await remit("state", "settle", ADDRESS, "--key", other);
    expect(settled.code, said(settled)).toBe(1);
    expect(said(settled)).toContain(`error[state/other-ids]: the create of ${ADDRESS} was of ${KEY}, not of`);
    await expectRefused();
  });

  it("is said to be there already once it is forgotten and sent again, with a way out that deletes nothing", async () => {
    await remit("state", "forget", ADDRESS);
    const refused = await remit("apply", "--yes");
    expect(refused.code, said(refused)).toBe(1);
    expect(said(refused)).toContain("answered 409");
    expect(said(refused)).toContain("already exists");
    expect(said(refused)).toContain("remove its manifest, and leave the object as it is");
    expect(said(refused)).not.toMatch(/delete it/);
  });

  it("is managed once it was deleted in the service, forgotten and applied", async () => {
    await remit("state", "forget", ADDRESS);
    await remit("apply", "--yes");
    const made = automation();
    const deletedAt = "2026-01-01T00:00:00Z";
    if (made !== undefined) sandbox.store.automations.put(C1_APP_ID, ENTITLEMENT, { ...made, deletedAt });
    const asked = await remit("apply", "--yes");
    expect(asked.code, said(asked)).toBe(4);
    const applied = await remit("apply", "--yes", "--acknowledge", "unknown-current");
    expect(applied.code, said(applied)).toBe(0);
    await expectRest();
    expect(automation()?.deletedAt ?? null).toBeNull();
  });

  it("stays as it is once it was forgotten and its manifest removed", async () => {
    await remit("state", "forget", ADDRESS);
    const spec = { appId: APP, id: idOf("type", 0), displayName: "Team" };
    project.write([{ kind: "ResourceType", name: "team", spec }]);
    const applied = await remit("apply", "--yes");
    expect(applied.code, said(applied)).toBe(0);
    await expectRest("--strict");
    expect(automation()?.deletedAt ?? null).toBeNull();
  });

  it("is adopted where the service can be read after all", async () => {
    const [tenant, port] = [sandbox.store.toTenant(), Number(new URL(sandbox.url).port)];
    await sandbox.close();
    sandbox = await startSandbox({ interface: "full", tenant, port });
    const applied = await remit("apply", "--yes", "--interface", "full");
    expect(applied.code, said(applied)).toBe(0);
    expect(said(applied)).toContain("1 adopted");
    await expectRest("--interface", "full");
    expect(sandbox.log.count({ method: "POST", path: "*/create" })).toBe(0);
  });
});
