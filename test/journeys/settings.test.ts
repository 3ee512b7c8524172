import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { JsonObject } from "../../src/model/json.js";
import { type Sandbox, startSandbox } from "../../src/sandbox/http/server.js";
import { EMPTY_TENANT } from "../../src/sandbox/tenant/tenant.js";
import { hastyClock, runInside } from "../fakes/inside.js";
import { type Manifest, makeProject, type Project, type Spec } from "../fakes/project.js";
import { idOf } from "../sandbox/visit.js";

/** The settings of entitlements that a connector makes. */

const APP = idOf("appGitHub");
const ADMIN = idOf("admin");
const STRICT = idOf("strict");
const ACCESS = "287oY0rG4UirjDNFEYguMBvxyim";

const made = (id: string, displayName: string, slug: string, more: JsonObject = {}) => ({
  appId: APP,
  id,
  displayName,
  slug,
  sourceConnectorIds: { [idOf("connector")]: id },
  durationUnset: {},
  ...more,
});
const settings = (name: string, id: JsonObject | string, more: Spec): Manifest => ({
  kind: "Entitlement",
  name,
  spec: { appId: { name: "GitHub" }, id, ...more },
});
const admin = settings(
  "github-admin",
  { slug: "admin" },
  { grantPolicyId: { name: "Two eyes" }, durationGrant: "90d" },
);

let sandbox: Sandbox;
let project: Project;

beforeEach(async () => {
  sandbox = await startSandbox({
    tenant: {
      ...EMPTY_TENANT,
      open: false,
      apps: [{ id: APP, displayName: "GitHub" }],
      policies: [{ id: STRICT, displayName: "Two eyes" }],
      entitlements: [
        made(ADMIN, "Admin", "admin", { alias: "github-admin" }),
        made(idOf("reader"), "Member", "reader", { alias: "same" }),
        made(idOf("writer"), "Member", "writer", { alias: "same" }),
      ],
    },
  });
  project = makeProject({ server: sandbox.url, guards: { maxChangesPercent: 100 } });
});
afterEach(async () => {
  await sandbox.close();
  project.close();
});

async function remit(code: number, ...argv: readonly string[]): Promise<string> {
  const env = { REMIT_SERVER: sandbox.url, REMIT_TOKEN: sandbox.token };
  const {
    stdout,
    stderr,
    code: ended,
  } = await runInside(argv, {
    cwd: project.cwd,
    env,
    clock: hastyClock(100),
  });
  const said = (stdout + stderr).replace(/\s+/g, " ");
  expect(ended, said).toBe(code);
  return said;
}

const row = (id: string) => sandbox.store.entitlements.get(APP, id);
const change = (id: string, fields: object) =>
  sandbox.store.entitlements.put(APP, id, { ...row(id), ...fields } as never);
const written = () => sandbox.log.count({ written: true });

describe("settings of what a connector makes", () => {
  it.each([{ slug: "admin" }, { alias: "github-admin" }, { name: "Admin" }])(
    "are written to the entitlement with %o, and to nothing else",
    async (id) => {
      project.write([{ ...admin, spec: { ...admin.spec, id } }]);
      await remit(0, "apply", "--yes");
      expect(row(ADMIN)).toMatchObject({
        displayName: "Admin",
        grantPolicyId: STRICT,
        durationGrant: "7776000s",
      });
      expect(written()).toBe(1);
      expect(await remit(0, "plan", "--detailed-exitcode")).toContain("Nothing to do");
    },
  );

  it.each([
    [{ name: "Member" }, "reference/ambiguous"],
    [{ alias: "same" }, "reference/ambiguous"],
    [{ slug: "owner" }, "reference/not-found"],
  ])("are refused for %o: %s", async (id, code) => {
    project.write([settings("member", id, { durationGrant: "1d" })]);
    expect(await remit(5, "plan")).toContain(code);
  });

  it("create nothing, and are left as they are where their manifest goes", async () => {
    project.write([settings("none", idOf("gone"), { durationGrant: "1d" })]);
    expect(await remit(4, "plan")).toContain("plan/cannot-create");
    project.write([admin]);
    await remit(0, "apply", "--yes");
    project.write([settings("reader", { slug: "reader" }, { durationGrant: "1d" })]);
    expect(await remit(0, "plan")).toContain("stay");
    await remit(4, "plan", "--prune");
    expect(row(ADMIN)).toMatchObject({ grantPolicyId: STRICT });
  });

  it.each([
    ["displayName", "Everyone"],
    ["slug", "everyone"],
  ])("refuse another %s of an Access entitlement, and take the rest", async (field, value) => {
    project.write([settings("access", ACCESS, { [field]: value })]);
    expect(await remit(4, "plan")).toMatch(/plan\/refused-by-service.*does not change the/);
    project.write([settings("access", ACCESS, { durationGrant: "30d" })]);
    await remit(0, "apply", "--yes");
    expect(row(ACCESS)).toMatchObject({ durationGrant: "2592000s" });
  });
});

describe("a name that the manifest writes", () => {
  const renamed = (displayName: string) => settings("admin", ADMIN, { displayName, durationGrant: "30d" });
  const turn = (quirks: object) => sandbox.faults.set({ seed: 1, rules: [{ fault: "quirks", quirks }] });

  it("is not written again where a sync puts the connector's back, until the manifest changes", async () => {
    project.write([renamed("Administrator")]);
    await remit(0, "apply", "--yes");
    turn({ connectorSyncs: true });
    expect(await remit(0, "plan", "--detailed-exitcode")).toContain("plan/contested");
    project.write([renamed("Root")]);
    expect(await remit(0, "plan")).toContain("1 to change");
  });

  it("is like any other where the service keeps edits", async () => {
    turn({ connectorSyncs: true, keptEdits: true });
    project.write([renamed("Administrator")]);
    await remit(0, "apply", "--yes");
    expect(await remit(0, "plan", "--detailed-exitcode")).not.toContain("plan/contested");
  });
});

describe("an import", () => {
  const read = (name: string) => readFileSync(join(project.cwd, "manifests", "entitlement", name), "utf8");

  it("brings the settings of those that people set, and only them", async () => {
    change(ADMIN, { grantPolicyId: STRICT, durationUnset: undefined, durationGrant: "3600s" });
    change(idOf("reader"), { displayName: "Reader of code", userEditedMask: "displayName" });
    const said = await remit(0, "import");
    expect(said).toContain("2 entitlements that a connector makes");
    expect(read("github-admin.yaml")).toMatch(
      /spec:\n {2}appId:\n {4}name: GitHub\n {2}id:\n {4}alias: github-admin\n {2}durationGrant: 1h\n {2}grantPolicyId:\n {4}name: Two eyes\n$/,
    );
    expect(read("reader-of-code.yaml")).toContain(`id: ${idOf("reader")}\n  displayName: Reader of code\n`);
    rmSync(join(project.cwd, "manifests", "entitlement", "reader-of-code.yaml"));
    expect(await remit(0, "plan")).toContain("0 to change");
  });
});

it("are planned from lists, not from objects: the calls are the pages", async () => {
  const many = Array.from({ length: 250 }, (_, at) => `team-${1000 + at}`);
  for (const name of many)
    sandbox.store.entitlements.put(APP, idOf(name), made(idOf(name), name, name) as never);
  project.write(many.map((name) => settings(name, { slug: name }, { durationGrant: "30d" })));
  const from = sandbox.log.count();
  expect(await remit(0, "plan")).toContain("250 to change");
  const calls = sandbox.log
    .entries()
    .slice(from)
    .map(({ operation }) => operation);
  expect(calls).toEqual(["ListApps", "ListEntitlements", "ListEntitlements", "ListEntitlements"]);
});
