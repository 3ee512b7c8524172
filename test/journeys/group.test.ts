import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Sandbox, startSandbox } from "../../src/sandbox/http/server.js";
import { typeIdOf } from "../../src/sandbox/tenant/builtin.js";
import { C1_APP_ID, EMPTY_TENANT } from "../../src/sandbox/tenant/tenant.js";
import { hastyClock, runInside, type Seen } from "../fakes/inside.js";
import { type Manifest, makeProject, type Project } from "../fakes/project.js";

/** A group of the tenant's own app: a resource, its membership, and the rule that fills it. */

const GROUP = { appId: C1_APP_ID, appResourceTypeId: typeIdOf("GROUP") };
const group: Manifest = { kind: "Resource", name: "eng", spec: { ...GROUP, displayName: "Engineering" } };
const member = (spec: Manifest["spec"] = {}): Manifest => ({
  kind: "Entitlement",
  name: "eng",
  spec: {
    ...GROUP,
    appResourceId: { name: "Engineering" },
    displayName: "Member",
    alias: "eng-member",
    ...spec,
  },
});
const rule: Manifest = {
  kind: "EntitlementAutomation",
  name: "eng",
  spec: { appId: C1_APP_ID, appEntitlementId: { alias: "eng-member" }, none: {} },
};

let sandbox: Sandbox;
let project: Project;

beforeEach(async () => {
  sandbox = await startSandbox({
    tenant: { ...EMPTY_TENANT, open: false, apps: [{ id: C1_APP_ID, displayName: "C1" }] },
  });
  project = makeProject({ server: sandbox.url });
});
afterEach(async () => {
  await sandbox.close();
  project.close();
});

const text = ({ stdout, stderr }: Seen) => (stdout + stderr).replace(/\s+/g, " ");

async function remit(code: number, ...argv: readonly string[]): Promise<string> {
  const env = { REMIT_SERVER: sandbox.url, REMIT_TOKEN: sandbox.token };
  const seen = await runInside(argv, { cwd: project.cwd, env, clock: hastyClock(100) });
  expect(seen.code, text(seen)).toBe(code);
  return text(seen);
}

async function apply(...manifests: readonly Manifest[]): Promise<void> {
  project.write(manifests);
  await remit(0, "apply", "--yes", "--acknowledge", "nobody");
  await remit(0, "plan", "--detailed-exitcode");
}

const made = () =>
  sandbox.store.entitlements.all().filter(({ isManuallyManaged }) => isManuallyManaged === true);

describe("a group", () => {
  it("is made step by step, and changed in what its manifests say", async () => {
    await apply(group);
    await apply(group, member());
    await apply(group, member(), rule);
    const [entitlement] = made();
    expect(entitlement).toMatchObject({ displayName: "Member", durationUnset: {} });

    await apply(group, member({ durationGrant: "30d", description: "Builders" }), rule);
    const [update] = sandbox.log.entries({ operation: "UpdateEntitlement" });
    expect(update?.body).toEqual({
      entitlement: { description: "Builders", durationGrant: "2592000s" },
      updateMask: "description,durationGrant",
    });
    await apply(group, member({ durationGrant: null, description: "Builders" }), rule);
    expect(made()).toMatchObject([{ description: "Builders", durationUnset: {} }]);

    const described = { ...group, spec: { ...group.spec, description: "Everyone who builds" } };
    await apply(described, member({ durationGrant: null, description: "Builders" }), rule);
    expect(sandbox.store.resources.all()).toMatchObject([{ description: "Everyone who builds" }]);
  });

  it("is imported, with the ids that only the service knows, and the next plan is empty", async () => {
    await apply(group, { ...group, name: "sales", spec: { ...GROUP, displayName: "Sales" } });
    await apply(group, member());
    project.close();
    project = makeProject({ server: sandbox.url });
    await remit(0, "import");
    await remit(0, "apply", "--yes");
    await remit(0, "plan", "--detailed-exitcode");
    expect(sandbox.log.count({ method: "POST", operation: "UpdateEntitlement" })).toBe(0);
  });

  it("may have the same entitlement as another group", async () => {
    const sales = { ...group, name: "sales", spec: { ...GROUP, displayName: "Sales" } };
    await apply(group, sales);
    const salesMember = member({ appResourceId: { name: "Sales" }, alias: "sales-member" });
    await apply(group, sales, member(), { ...salesMember, name: "sales" });
    expect(made()).toHaveLength(2);
  });

  it.each(["CreateResource", "CreateEntitlement"])(
    "is made once where the reply to %s is lost",
    async (operation) => {
      sandbox.faults.set({ seed: 1, rules: [{ fault: "lost", operation, times: 1 }] });
      await apply(group);
      await apply(group, member());
      expect(sandbox.store.resources.all()).toHaveLength(1);
      expect(made()).toHaveLength(1);
    },
  );
});
