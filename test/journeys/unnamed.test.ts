import { afterEach, describe, expect, it } from "vitest";
import { readSeed } from "../../src/cli/open/sandboxInput.js";
import { isObject, type JsonObject } from "../../src/model/json.js";
import { type Sandbox, startSandbox } from "../../src/sandbox/http/server.js";
import { hastyClock, runInside, type Seen } from "../fakes/inside.js";
import { type Manifest, makeProject, type Project } from "../fakes/project.js";

/** A service of a later version, over HTTP: what remit has no name for stays in the tenant as it is. */

const C1 = "2fsgTvxP0DVTsNXEUBI7hOe0l5A";
const MEMBER = "2fsgTvxP0DVTsNXEUBI7hOe0l5D";
const TEMPLATE = "2fsgTvxP0DVTsNXEUBI7hOe0l5B";

let sandbox: Sandbox;
let project: Project;
afterEach(async () => {
  project.close();
  await sandbox.close();
});

/** A tenant with one template of that scope, and a project of one manifest for it. */
async function open(scope: JsonObject, spec: JsonObject): Promise<void> {
  const seed = {
    laterVersion: true,
    apps: [
      { name: "GitHub", entitlements: ["Admin"] },
      { name: "C1", id: C1, entitlements: [{ name: "Member", id: MEMBER }] },
    ],
    automations: [{ entitlement: "C1/Member", name: "Data", fields: { futureConditions: { team: "a\n" } } }],
    templates: [{ name: "Quarterly", id: TEMPLATE, scope, entitlements: ["GitHub/Admin"] }],
  };
  const { tenant } = readSeed(JSON.stringify(seed), "seed.yaml");
  sandbox = await startSandbox({ tenant });
  project = makeProject({ server: sandbox.url });
  write(spec);
}

function write(spec: JsonObject): void {
  const manifest: Manifest = {
    kind: "TemplateScope",
    name: "quarterly",
    spec: { templateId: TEMPLATE, ...spec },
  };
  project.write([manifest]);
}

function remit(...argv: readonly string[]): Promise<Seen> {
  const env = { REMIT_SERVER: sandbox.url, REMIT_TOKEN: sandbox.token, NO_COLOR: "1" };
  return runInside(argv, { cwd: project.cwd, env, clock: hastyClock(100) });
}

function scopeNow(): JsonObject {
  const scope = sandbox.store.templates.get("", TEMPLATE)?.scope;
  return isObject(scope ?? null) ? (scope as JsonObject) : {};
}

describe("a member of a scope that remit does not know", () => {
  it("is shown, sent back and in sync afterwards", async () => {
    const future = { futureScope: { teams: ["b", "a"], note: "x\n" } };
    await open({ allUsers: { futureLimit: "3" }, ...future }, { scope: { allUsers: {}, allGrants: {} } });
    const planned = await remit("plan");
    expect(planned.stdout).toMatch(
      /kept as it is, unknown to remit: scope\.allUsers\.futureLimit,\s+scope\.futureScope\n/,
    );
    const applied = await remit("apply", "--yes");
    expect(applied.code, applied.stderr + applied.stdout).toBe(0);
    expect(scopeNow()).toMatchObject({ allUsers: { futureLimit: "3" }, allGrants: {}, ...future });
    const again = await remit("plan", "--detailed-exitcode");
    expect(again.code, again.stdout).toBe(0);
  });

  it("stays where the manifest writes only the entitlements", async () => {
    const scope = { futureUsersScope: { team: "a" }, futureFlag: "y" };
    await open(scope, { entitlements: [] });
    const applied = await remit("apply", "--yes", "--acknowledge", "scope-emptied");
    expect(applied.code, applied.stderr + applied.stdout).toBe(0);
    expect(scopeNow()).toMatchObject(scope);
  });
});

describe("a choice of a scope that remit does not know", () => {
  it("is shown where another one takes its place, and is replaced", async () => {
    await open({ futureUsersScope: { team: "a" } }, { scope: { selectedUsers: { userIds: [TEMPLATE] } } });
    const planned = await remit("plan");
    expect(planned.stdout).toContain("users: selectedUsers instead of a choice that remit does not know");
    expect(planned.stdout).toContain("futureUsersScope");
    const applied = await remit("apply", "--yes");
    expect(applied.code, applied.stderr + applied.stdout).toBe(0);
    expect(scopeNow()).not.toHaveProperty("futureUsersScope");
    expect((await remit("plan", "--detailed-exitcode")).code).toBe(0);
  });
});

describe("a condition of an automation that remit does not know", () => {
  const automation = (spec: JsonObject): Manifest => {
    return {
      kind: "EntitlementAutomation",
      name: "data",
      spec: { appId: C1, appEntitlementId: MEMBER, ...spec },
    };
  };
  const automationNow = () => sandbox.store.automations.get(C1, MEMBER) ?? {};

  it("stays where the manifest does not write the condition, through a saved plan", async () => {
    await open({}, {});
    project.write([automation({ displayName: "Data team" })]);
    const planned = await remit("plan", "--out", "plan.json");
    expect(planned.code, planned.stderr + planned.stdout).toBe(0);
    expect(planned.stdout).toContain("kept as it is, unknown to remit: futureConditions");
    const applied = await remit("apply", "plan.json", "--yes");
    expect(applied.code, applied.stderr + applied.stdout).toBe(0);
    expect(automationNow()).toMatchObject({ displayName: "Data team", futureConditions: { team: "a\n" } });
    expect((await remit("plan", "--detailed-exitcode")).code).toBe(0);
  });

  it("is shown where another one takes its place, and is replaced", async () => {
    await open({}, {});
    project.write([automation({ cel: { expression: 'subject.department == "Data"' } })]);
    const planned = await remit("plan");
    expect(planned.stdout).toContain("conditions: cel instead of a choice that remit does not know");
    const applied = await remit("apply", "--yes");
    expect(applied.code, applied.stderr + applied.stdout).toBe(0);
    expect(automationNow()).not.toHaveProperty("futureConditions");
    expect((await remit("plan", "--detailed-exitcode")).code).toBe(0);
  });
});
