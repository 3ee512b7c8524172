import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { BUILT_IN_TYPES } from "../../src/sandbox/collections/attributes.js";
import { type Sandbox, startSandbox } from "../../src/sandbox/http/server.js";
import { ROOT } from "../../src/sandbox/tenant/store.js";
import { EMPTY_TENANT } from "../../src/sandbox/tenant/tenant.js";
import { hastyClock, runInside, type Seen } from "../fakes/inside.js";
import { type Manifest, makeProject, type Project } from "../fakes/project.js";
import { idOf } from "../sandbox/visit.js";

/** The life of a value that entitlements are marked with: the service never changes one, and a delete clears nothing. */

const [APP, TYPE, THING] = [idOf("app"), idOf("type"), idOf("thing")];
const [ADMIN, OWNER] = [idOf("admin"), idOf("owner")];
const level = (value: string, name = value.toLowerCase()): Manifest => ({
  kind: "RiskLevel",
  name,
  spec: { value },
});
const admin = (riskLevelValueId: string): Manifest => ({
  kind: "Entitlement",
  name: "admin",
  spec: { appId: APP, id: ADMIN, displayName: "Admin", riskLevelValueId: { manifest: riskLevelValueId } },
});

let sandbox: Sandbox;
let project: Project;

beforeEach(async () => {
  const entitlement = { appId: APP, appResourceTypeId: TYPE, appResourceId: THING };
  sandbox = await startSandbox({
    tenant: {
      ...EMPTY_TENANT,
      open: false,
      apps: [{ id: APP, displayName: "GitHub" }],
      resourceTypes: [{ appId: APP, id: TYPE, displayName: "Team", resourceType: "GROUP" }],
      resources: [{ appId: APP, appResourceTypeId: TYPE, id: THING, displayName: "Core" }],
      entitlements: [
        { ...entitlement, id: ADMIN, displayName: "Admin", isManuallyManaged: true },
        { ...entitlement, id: OWNER, displayName: "Owner", isManuallyManaged: true },
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
const levels = () => sandbox.store.attributes.all().filter(({ deletedAt }) => deletedAt === undefined);
const removed = (name: string) =>
  writeFileSync(
    join(project.cwd, "remit.yaml"),
    `{ server: ${sandbox.url}, manifests: [manifests], removed: [{ address: RiskLevel/${name}, then: delete }] }`,
  );
const mark = (id: string, risk: string) => {
  const row = sandbox.store.entitlements.get(APP, id);
  if (row !== undefined) sandbox.store.entitlements.put(APP, id, { ...row, riskLevelValueId: risk });
};

it("is created once, never changed, and left to an entry under `removed:`", async () => {
  project.write([level("High")]);
  await expectCode(0, "apply", "--yes");
  expect(levels()).toMatchObject([{ value: "High", attributeTypeId: BUILT_IN_TYPES.riskLevel }]);
  await expectCode(0, "plan", "--detailed-exitcode");

  project.write([level("Higher", "high")]);
  expect(await expectCode(4, "plan")).toContain('the service never changes a value, which is "High" there');
  project.write([level("Low")]);
  expect(await expectCode(0, "plan", "--prune")).toContain("`--prune` deletes no risk level");
});

it("blocks where another one has its value, and imports it by its id", async () => {
  const id = idOf("own");
  sandbox.store.attributes.put(ROOT, id, { id, attributeTypeId: BUILT_IN_TYPES.riskLevel, value: "High" });
  project.write([level("High")]);
  expect(await expectCode(4, "plan")).toContain(`write \`id: ${id}\``);
  project.write([]);
  await expectCode(0, "import", "RiskLevel/*");
  await expectCode(0, ...apply);
  await expectCode(0, "plan", "--detailed-exitcode");
  expect(levels()).toHaveLength(1);
});

it("is deleted in the apply that moves its last entitlement, and never while another one has it", async () => {
  project.write([level("High"), level("Critical"), admin("high")]);
  await expectCode(0, ...apply);
  const high = levels().find(({ value }) => value === "High")?.id ?? "";

  project.write([level("Critical"), admin("critical")]);
  removed("high");
  mark(OWNER, high);
  const refused = await expectCode(4, "plan");
  expect(refused).toContain("1 object of the tenant names the risk level, so it is not deleted");
  expect(refused).toContain('the entitlement "Owner"');

  mark(OWNER, "");
  await expectCode(0, "plan", "--out", "plan.json");
  mark(OWNER, high);
  expect(await expectCode(3, "apply", "plan.json", "--yes")).toContain('the entitlement "Owner"');
  expect(levels()).toHaveLength(2);

  mark(OWNER, "");
  await expectCode(0, ...apply);
  expect(levels()).toMatchObject([{ value: "Critical" }]);
  const writes = sandbox.log.entries({ written: true }).map(({ operation }) => operation);
  expect(writes.slice(-2)).toEqual(["UpdateEntitlement", "DeleteRiskLevel"]);
});

it("is not deleted where the search for what names it fails", async () => {
  project.write([level("High"), level("Low")]);
  await expectCode(0, ...apply);
  project.write([level("Low")]);
  removed("high");
  sandbox.faults.set({ seed: 1, rules: [{ fault: "error", status: 403, operation: "SearchEntitlements" }] });
  expect(await expectCode(4, "plan")).toContain(
    "the entitlements that name the risk level could not be read",
  );
});
