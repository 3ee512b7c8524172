import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Interface } from "../../src/kinds/interface.js";
import { type Sandbox, startSandbox } from "../../src/sandbox/http/server.js";
import { C1_APP_ID } from "../../src/sandbox/tenant/tenant.js";
import { hastyClock, runInside, type Seen } from "../fakes/inside.js";
import { idOf, makeMany } from "../fakes/many.js";
import { type Manifest, makeProject, type Project } from "../fakes/project.js";

/** A create that finds its object in the tenant: the state remembers it, and the next plan does not guess again. */

const ENTITLEMENT = idOf("entitlement", 0);
const AT = "2026-01-01T00:00:00Z";

let sandbox: Sandbox;
let project: Project;

async function open(spoken: Interface): Promise<void> {
  sandbox = await startSandbox({ interface: spoken, tenant: makeMany(10, spoken).tenant });
  project = makeProject({ server: sandbox.url, interface: spoken, guards: { firstWrite: "allow" } });
  project.write([manifest(spoken)]);
  put("By hand");
}

function put(displayName: string): void {
  sandbox.store.automations.put(C1_APP_ID, ENTITLEMENT, {
    appId: C1_APP_ID,
    appEntitlementId: ENTITLEMENT,
    displayName,
    description: "Somebody else made it.",
    createdAt: AT,
    updatedAt: AT,
    none: {},
  });
}
afterEach(async () => {
  await sandbox.close();
  project.close();
});

function manifest(spoken: Interface): Manifest {
  const named = { appId: { name: "C1" }, appEntitlementId: { name: "Group 0" } };
  const ids = { appId: C1_APP_ID, appEntitlementId: ENTITLEMENT };
  const spec = { ...(spoken === "full" ? named : ids), displayName: "Members", none: {} };
  return { kind: "EntitlementAutomation", name: "members", spec };
}

function remit(...argv: readonly string[]): Promise<Seen> {
  const env = { REMIT_SERVER: sandbox.url, REMIT_TOKEN: sandbox.token };
  return runInside(argv, { cwd: project.cwd, env, clock: hastyClock(100) });
}

function said({ stdout, stderr }: Seen): string {
  return (stdout + stderr).replace(/\s+/g, " ");
}

const creates = () => sandbox.log.count({ method: "POST", path: "*automation*" });

describe("on core, a 409 to a first create", () => {
  beforeEach(() => open("core"));

  it("is remembered: the next write asks, and is not a first write any more", async () => {
    const first = await remit("apply", "--yes");
    expect(first.code, said(first)).not.toBe(0);
    expect(said(first)).toContain("answered 409");
    const sent = creates();
    const planned = await remit("plan");
    expect(planned.code, said(planned)).toBe(4);
    expect(said(planned)).toContain("unknown-current");
    expect(said(planned)).toContain("the service says that it exists");
    expect(said(planned)).not.toContain("Written unseen");
    const again = await remit("apply", "--yes");
    expect(again.code, said(again)).toBe(4);
    expect(creates()).toBe(sent);
  });
});

describe("on core, where a create replaces what exists", () => {
  beforeEach(async () => {
    await open("core");
    sandbox.faults.set({
      seed: 1,
      rules: [{ fault: "quirks", quirks: { existingAutomation: "replace", clockAhead: 3_600_000 } }],
    });
  });

  it("is a failed step where nothing was seen, which says what is lost, and leaves nothing to do", async () => {
    const applied = await remit("apply", "--yes");
    expect(applied.code, said(applied)).toBe(3);
    expect(said(applied)).toContain("apply/replaced");
    expect(said(applied)).toContain("replaced the entitlement automation that was made on 2026-01-01");
    const rest = await remit("plan", "--detailed-exitcode");
    expect(rest.code, said(rest)).toBe(0);
  });

  it("is a warning where the write was acknowledged", async () => {
    const applied = await remit("apply", "--yes", "--acknowledge", "unknown-current");
    expect(applied.code, said(applied)).toBe(0);
    expect(said(applied)).toContain("warning[apply/replaced]");
  });

  it("is silent where remit wrote what it replaces", async () => {
    await remit("apply", "--yes");
    const { spec, ...rest } = manifest("core");
    project.write([{ ...rest, spec: { ...spec, displayName: "People" } }]);
    const applied = await remit("apply", "--yes");
    expect(applied.code, said(applied)).toBe(0);
    expect(said(applied)).not.toContain("apply/replaced");
    expect(sandbox.store.automations.get(C1_APP_ID, ENTITLEMENT)).toMatchObject({
      createdAt: AT,
      displayName: "People",
    });
  });
});

describe("on full, where a list says that the automation does not exist", () => {
  beforeEach(() => open("full"));

  it("is adopted and not said to be created where it is as desired", async () => {
    sandbox.faults.set({ seed: 1, rules: [{ fault: "quirks", quirks: { unlistedAutomations: true } }] });
    put("Members");
    const applied = await remit("apply", "--yes");
    expect(applied.code, said(applied)).toBe(0);
    expect(said(applied)).toMatch(/already as desired.*Applied: 1 adopted\./);
    expect(said(applied)).not.toContain("created");
    expect(creates()).toBe(0);
  });

  it("is refused once, and the next plan reads the object and updates it", async () => {
    sandbox.faults.set({ seed: 1, rules: [{ fault: "quirks", quirks: { unlistedAutomations: true } }] });
    const first = await remit("apply", "--yes");
    expect(first.code, said(first)).not.toBe(0);
    expect(said(first)).toContain("plan/stale");
    expect(creates()).toBe(0);
    const planned = await remit("plan", "--detailed-exitcode");
    expect(planned.code, said(planned)).toBe(2);
    expect(said(planned)).toContain("displayName: By hand → Members");
    const applied = await remit("apply", "--yes");
    expect(applied.code, said(applied)).toBe(0);
    expect(said(applied)).toContain("Applied: 1 updated.");
    const rest = await remit("plan", "--detailed-exitcode");
    expect(rest.code, said(rest)).toBe(0);
  });
});
