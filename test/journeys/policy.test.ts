import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { type Sandbox, startSandbox } from "../../src/sandbox/http/server.js";
import { grantsOf, ROOT } from "../../src/sandbox/tenant/store.js";
import { EMPTY_TENANT } from "../../src/sandbox/tenant/tenant.js";
import { hastyClock, runInside, type Seen } from "../fakes/inside.js";
import { type Manifest, makeProject, type Project } from "../fakes/project.js";
import { idOf } from "../sandbox/visit.js";

/** The life of a policy: the field of its steps is one, it and entitlements name each other, and some are the service's. */

const [APP, TYPE, THING, ADMIN, ANA] = [idOf("app"), idOf("type"), idOf("thing"), idOf("admin"), idOf("ana")];
const BEN = idOf("ben");
const asking = (...arms: Manifest["spec"][]) => ({ steps: arms.map((arm) => ({ approval: arm })) });
const MANAGER = { manager: { fallback: true, fallbackUserIds: [ANA] } };

const policy = (name: string, spec: Manifest["spec"] = {}): Manifest => ({
  kind: "Policy",
  name,
  spec: {
    displayName: name,
    policyType: "POLICY_TYPE_GRANT",
    policySteps: { grant: asking(MANAGER) },
    ...spec,
  },
});
const admin = (grantPolicyId: string, more: Manifest["spec"] = {}): Manifest => ({
  kind: "Entitlement",
  name: "admin",
  spec: { appId: APP, id: ADMIN, displayName: "Admin", grantPolicyId: { manifest: grantPolicyId }, ...more },
});

let sandbox: Sandbox;
let project: Project;

beforeEach(async () => {
  const at = { appId: APP, appResourceTypeId: TYPE };
  sandbox = await startSandbox({
    tenant: {
      ...EMPTY_TENANT,
      open: false,
      users: [
        { id: ANA, displayName: "Ana", email: "ana@example.com", status: "ENABLED" },
        { id: BEN, displayName: "Ben", email: "ben@example.com", status: "DISABLED" },
      ],
      apps: [{ id: APP, displayName: "GitHub" }],
      resourceTypes: [{ appId: APP, id: TYPE, displayName: "Team", resourceType: "GROUP" }],
      resources: [{ ...at, id: THING, displayName: "Core" }],
      entitlements: [
        { ...at, appResourceId: THING, id: ADMIN, displayName: "Admin", isManuallyManaged: true },
      ],
    },
  });
  project = makeProject({ server: sandbox.url });
});
afterEach(async () => {
  await sandbox.close();
  project.close();
});

function remit(...argv: readonly string[]): Promise<Seen> {
  const env = { REMIT_SERVER: sandbox.url, REMIT_TOKEN: sandbox.token };
  return runInside(argv, { cwd: project.cwd, env, clock: hastyClock(100) });
}

const text = ({ stdout, stderr }: Seen) => (stdout + stderr).replace(/\s+/g, " ");

async function expectCode(code: number, ...argv: readonly string[]): Promise<string> {
  const seen = await remit(...argv);
  expect(seen.code, text(seen)).toBe(code);
  return text(seen);
}

const apply = ["apply", "--yes", "--acknowledge", "max-changes"];
const named = (name: string) => sandbox.store.policies.all().find((row) => row.displayName === name);
const standing = () => sandbox.store.policies.all().filter(({ deletedAt }) => deletedAt === undefined);
const removed = (name: string) =>
  writeFileSync(
    join(project.cwd, "remit.yaml"),
    `{ server: ${sandbox.url}, manifests: [manifests], removed: [{ address: Policy/${name}, then: delete }] }`,
  );

it("is made before the policies and entitlements that name it, changed as a whole, and reverted", async () => {
  const rules = [{ condition: 'entitlement.appId == "x"', policyId: { manifest: "two" } }];
  project.write([policy("one", { rules }), policy("two"), admin("one")]);
  await expectCode(0, ...apply);
  const writes = sandbox.log.entries({ written: true }).map(({ operation, body }) => [operation, body]);
  expect(writes).toMatchObject([
    ["CreatePolicy", { displayName: "two" }],
    ["CreatePolicy", { displayName: "one" }],
    ["UpdateEntitlement", {}],
  ]);
  await expectCode(0, "plan", "--detailed-exitcode");

  const contractor = asking({ users: { userIds: [BEN] } });
  const both = [{ condition: "subject.department == 'Tax'", stepKey: "contractor" }, ...rules];
  const policySteps = { grant: asking(MANAGER, { appOwners: {} }), contractor };
  project.write([policy("one", { rules: both, policySteps }), policy("two"), admin("one")]);
  const decided = await expectCode(0, "plan");
  for (const said of [
    "it decides for 1 entitlement",
    "no one can answer now, in policySteps.contractor.steps[0]",
    "whether someone can answer is not known, in policySteps.grant.steps[1]",
  ])
    expect(decided).toContain(said);
  await expectCode(0, "apply", "--yes");
  const [update] = sandbox.log.entries({ operation: "UpdatePolicy" });
  expect(update?.body).toMatchObject({ updateMask: "policySteps,rules" });
  await expectCode(0, "plan", "--detailed-exitcode");

  const row = named("one");
  if (row === undefined) throw new Error("there is no policy");
  sandbox.store.policies.put(ROOT, row.id, { ...row, policySteps: { grant: asking(MANAGER), contractor } });
  expect(await expectCode(2, "plan", "--refresh-only", "--detailed-exitcode")).toContain("appOwners");
});

it.each([
  ["has someone, whatever the service counts", "0", [ANA], "grants"],
  ["has no one, where the list of its holders ends without one", "0", [], "nobody"],
  ["may have someone, where that list cannot be read", "0", null, "not known"],
])("asks a group that %s", async (_name, grantCount, holders, said) => {
  const { store } = sandbox;
  const row = store.entitlements.get(APP, ADMIN);
  store.entitlements.put(APP, ADMIN, { ...row, grantCount } as never);
  store.accounts.put(APP, "account", { id: "account", appId: APP, identityUserId: ANA });
  for (const _one of holders ?? []) {
    const grant = { appId: APP, appEntitlementId: ADMIN, appUserId: "account" };
    store.grants.put(grantsOf(APP, ADMIN), "account", { ...grant, createdAt: "2026-01-01T00:00:00Z" });
  }
  if (holders === null)
    sandbox.faults.set({
      seed: 1,
      rules: [{ fault: "error", status: 403, operation: "ListGrantsOfEntitlement" }],
    });
  const group = { group: { appId: APP, appGroupId: ADMIN } };
  project.write([policy("one", { policySteps: { grant: asking(group) } })]);
  const plan = await expectCode(0, "plan");
  expect(plan.includes("no one can answer now")).toBe(said === "nobody");
  expect(plan.includes("whether someone can answer is not known")).toBe(said === "not known");
});

it("is imported as the service shows it, and left out where the service made it", async () => {
  const scope = { appId: APP, appEntitlementId: "", slot: "POLICY_SCOPE_SLOT_UNSPECIFIED" };
  const policySteps = {
    grant: {
      steps: [{ approval: { manager: { assignedUserIds: [ANA] }, assigned: true, escalation: null } }],
    },
    old: { steps: [{ accept: {} }] },
  };
  const rules = [{ condition: "true", stepKey: "", policyKey: "old" }];
  const shown = { policyType: "POLICY_TYPE_GRANT", policySteps, rules, scope };
  sandbox.store.policies.put(ROOT, idOf("own"), { id: idOf("own"), displayName: "Own", ...shown });
  const builtIn = { id: idOf("builtIn"), displayName: "Built in", ...shown, systemBuiltin: true };
  sandbox.store.policies.put(ROOT, builtIn.id, builtIn);
  // A state of the provider 1.5.0 has other attributes than one of 1.4: only the id is taken from it.
  const [newer, older] = [
    { manager: {}, wait: { condition: {} } },
    { manager_approval: {}, wait_condition: {} },
  ];
  const resources = [newer, older].map((step, at) => ({
    address: `conductorone_policy.p${at}`,
    mode: "managed",
    type: "conductorone_policy",
    name: `p${at}`,
    values: { id: [idOf("own"), builtIn.id][at], policy_steps: { grant: { steps: [step] } } },
  }));
  const state = { format_version: "1.0", values: { root_module: { resources } } };
  writeFileSync(join(project.cwd, "state.json"), JSON.stringify(state));
  project.write([]);
  await expectCode(0, "import", "--from-terraform", "state.json");
  await expectCode(0, ...apply);
  await expectCode(0, "plan", "--detailed-exitcode");
  expect(sandbox.log.entries({ written: true })).toEqual([]);
});

it("writes the post actions alone of a policy that the service made", async () => {
  const id = idOf("builtIn");
  const policySteps = { certify: { steps: [{ accept: {} }] } };
  const shown = { displayName: "Built in", policyType: "POLICY_TYPE_CERTIFY", policySteps };
  sandbox.store.policies.put(ROOT, id, { id, ...shown, systemBuiltin: true });
  const { displayName, policyType } = shown;
  const written = (fields: Manifest["spec"]) => ({
    kind: "Policy",
    name: "built-in",
    spec: { id, displayName, policyType, ...fields },
  });
  project.write([written({ displayName: "Mine" })]);
  const refused = await expectCode(4, "plan");
  expect(refused).toContain("the service does not change the displayName of a policy that it made itself");
  expect(refused).toMatch(/\.yaml:\d+/);

  const postActions = [{ certifyRemediateImmediately: true }];
  project.write([written({ postActions })]);
  const fault = (builtInActions: "taken" | "refused") =>
    sandbox.faults.set({ seed: 1, rules: [{ fault: "quirks", quirks: { builtInActions } }] });
  fault("refused");
  expect(await expectCode(1, ...apply)).toContain("a built-in policy cannot be changed");
  expect(sandbox.store.policies.get(ROOT, id)).not.toHaveProperty("postActions");
  fault("taken");
  await expectCode(0, ...apply);
  const updates = sandbox.log.entries({ operation: "UpdatePolicy" }).map(({ body }) => body);
  expect(updates).toHaveLength(2);
  for (const body of updates) expect(body).toEqual({ policy: { postActions }, updateMask: "postActions" });
  await expectCode(0, "plan", "--detailed-exitcode");

  removed("built-in");
  project.write([policy("two")]);
  expect(await expectCode(4, "plan")).toContain("Policy/built-in");
  expect(standing().map((row) => row.id)).toContain(id);
});

it("is deleted by its entry, once no app, entitlement or other policy names it", async () => {
  project.write([policy("one"), policy("two"), admin("one")]);
  await expectCode(0, ...apply);
  project.write([policy("two"), admin("two")]);
  removed("one");
  const app = sandbox.store.apps.get(ROOT, APP) ?? sandbox.store.apps.all()[0];
  if (app === undefined) throw new Error("there is no app");
  sandbox.store.apps.put(ROOT, APP, { ...app, grantPolicyId: named("one")?.id ?? "" });
  expect(await expectCode(4, "plan")).toContain('the app "GitHub"');
  sandbox.store.apps.put(ROOT, APP, app);
  const settings = { requestPolicyId: named("one")?.id ?? "" };
  const rule = { id: idOf("rule"), appId: APP, displayName: "All", condition: "true", enabled: true };
  const withParts = (parts: object) => sandbox.store.apps.put(ROOT, APP, { ...app, ...parts } as typeof app);
  withParts({ configurationRules: [{ ...rule, priority: 1, settings }] });
  expect(await expectCode(4, "plan")).toContain('the configuration rules of the app "GitHub"');
  withParts({ requestDefaults: settings });
  expect(await expectCode(4, "plan")).toContain('the request defaults of the app "GitHub"');
  sandbox.store.apps.put(ROOT, APP, app);
  await expectCode(0, ...apply);
  expect(standing()).toMatchObject([{ displayName: "two" }]);
});

it("stops where an entitlement that does not exist yet would be decided by its own policy", async () => {
  const scope = { appId: APP, appEntitlementId: { manifest: "admin" } };
  const { spec } = admin("one", { appResourceTypeId: TYPE, appResourceId: THING, displayName: "New" });
  const { id: _, ...made } = spec;
  project.write([policy("one", { scope }), { ...admin("one"), spec: made }]);
  const seen = await expectCode(4, "plan");
  expect(seen).toContain("error[plan/ring] it needs the id of Policy/one, which needs its own");
  expect(standing()).toEqual([]);
});

it("stops where an entitlement names a policy of the tenant that asks no one, and reads it once", async () => {
  const open = { policyType: "POLICY_TYPE_GRANT", policySteps: { grant: { steps: [{ accept: {} }] } } };
  const rules = [{ condition: "true", policyId: idOf("open") }];
  sandbox.store.policies.put(ROOT, idOf("open"), { id: idOf("open"), displayName: "Open", ...open });
  const behind = { policyType: "POLICY_TYPE_GRANT", policySteps: { grant: asking(MANAGER) }, rules };
  sandbox.store.policies.put(ROOT, idOf("behind"), { id: idOf("behind"), displayName: "Behind", ...behind });
  const naming = (grantPolicyId: string | Manifest["spec"]) => ({
    ...admin(""),
    spec: { ...admin("").spec, grantPolicyId },
  });
  const found = "auto-approval Entitlement/admin: no person would have to agree: by grantPolicyId";
  const searches = () => sandbox.log.entries({ operation: "SearchPolicies" }).length;

  project.write([naming({ name: "Behind" })]);
  expect(await expectCode(4, "plan", "--out", "plan.json")).toContain(found);
  expect(searches()).toBe(1);
  expect(await expectCode(4, "apply", "plan.json")).toContain("auto-approval");
  // An apply of a saved plan reads them again: the policy, and then those that it names.
  expect(searches()).toBe(3);
  project.write([naming(idOf("open"))]);
  expect(await expectCode(4, "plan")).toContain(found);
  expect(searches()).toBe(4);
  expect(await expectCode(0, "plan", "--offline")).toContain(`did not read the policy ${idOf("open")}`);
  await expectCode(0, "apply", "--yes", "--acknowledge", "auto-approval", "--acknowledge", "max-changes");
  await expectCode(0, "plan", "--detailed-exitcode");
  expect(searches()).toBe(5);
});

it("loses rules and the steps that they name in one write", async () => {
  const rules = [{ condition: "true", stepKey: "other" }];
  const policySteps = { grant: asking(MANAGER), other: { steps: [{ accept: {} }] } };
  project.write([policy("two", { policySteps, rules })]);
  await expectCode(0, ...apply, "--acknowledge", "auto-approval");
  project.write([policy("two", { rules: [] })]);
  await expectCode(0, ...apply);
  expect(named("two")?.rules ?? []).toEqual([]);
  await expectCode(0, "plan", "--detailed-exitcode");
});

it("says who may request what it decides about, and for whom no one else would have to agree", async () => {
  const users = [
    { id: idOf("eve"), displayName: "Eve", email: "eve@example.com", status: "ENABLED", department: "Tax" },
    { id: idOf("fay"), displayName: "Fay", email: "fay@example.com", status: "ENABLED", department: "Law" },
  ];
  for (const user of users) sandbox.store.users.put(ROOT, user.id, user as never);
  const offered = { entries: [{ appId: APP, id: ADMIN }], bindings: [] };
  const profile = { id: idOf("all"), displayName: "All", published: true, visibleToEveryone: true };
  sandbox.store.catalogs.put(ROOT, profile.id, { ...profile, ...offered } as never);
  const policySteps = { grant: asking(MANAGER), open: { steps: [{ accept: {} }] } };
  const rule = (condition: string) => [{ condition, stepKey: "open" }];
  project.write([policy("one"), policy("two", { policySteps, rules: rule('subject.department == "Law"') })]);
  await expectCode(0, ...apply, "--acknowledge", "auto-approval");

  const both = (rules: Manifest["spec"][]) => [policy("one"), policy("two", { policySteps, rules })];
  project.write([...both(rule('subject.department == "Law"')), admin("two")]);
  expect(await expectCode(4, "plan")).toContain(
    "3 people may request 1 entitlement about which it decides; 1 of them would need no one else to agree (before: 0)",
  );
  await expectCode(0, ...apply, "--acknowledge", "auto-approval");
  project.write([
    ...both(rule('subject.department in ["Law", "Tax"] || task.isGrantPermanent')),
    admin("two"),
  ]);
  const said = await expectCode(4, "plan", "--out", "plan.json");
  expect(said).toContain(
    "3 people may request 1 entitlement about which it decides; 2 to 3 of them would need no one else to agree (before: 1)",
  );
  expect(said).toContain("not known for all of them: a condition asks for task");
  expect(said).not.toContain("it decides for");
  const uncounted = "who may request what it decides about was not counted";
  const quick = await expectCode(4, "plan", "--impact", "off");
  expect(quick).toContain(uncounted);
  expect(quick).not.toContain("for which entitlements it decides was not counted");
  expect(await expectCode(0, "plan", "--offline")).toContain(uncounted);
});
