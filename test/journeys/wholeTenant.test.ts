import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, it } from "vitest";
import { knownTenant } from "../../src/commands/contexts/diff/known.js";
import { customEntitlement } from "../../src/kinds/customEntitlement.js";
import type { JsonObject } from "../../src/model/json.js";
import { type Sandbox, startSandbox } from "../../src/sandbox/http/server.js";
import { fakeClock } from "../fakes/clock.js";
import { directClient } from "../fakes/directClient.js";
import { hastyClock, runInside } from "../fakes/inside.js";
import { type Manifest, makeProject, type Project } from "../fakes/project.js";
import { isSet, type Sizes, terraformOf, wholeTenant } from "../fakes/wholeTenant.js";

/** A tenant that was kept in the browser, or in Terraform, until today: taken over whole, and with the fewest calls. */

let sandbox: Sandbox;
let projects: Project[] = [];
afterEach(async () => {
  await sandbox.close();
  for (const project of projects) project.close();
  projects = [];
});

/** A project with nothing in it, and a way to run commands there. */
function openProject() {
  const project = makeProject({ server: sandbox.url });
  projects.push(project);
  project.write([]);
  const env = { REMIT_SERVER: sandbox.url, REMIT_TOKEN: sandbox.token };
  async function remit(...argv: readonly string[]): Promise<string> {
    const { code, stdout, stderr } = await runInside(argv, { cwd: project.cwd, env, clock: hastyClock(100) });
    expect(code, stdout + stderr).toBe(0);
    return stdout + stderr;
  }
  return { project, remit };
}

async function openTenant(sizes: Sizes) {
  const tenant = wholeTenant(sizes);
  sandbox = await startSandbox({ tenant });
  return tenant;
}

/** How many calls of each operation there were since the last time. */
function calls(): Readonly<Record<string, number>> {
  const counts = new Map<string, number>();
  for (const { operation } of sandbox.log.entries()) {
    const name = operation ?? "none";
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  sandbox.log.clear();
  return Object.fromEntries(counts);
}

const SIZES = { apps: 4, policies: 12, set: 12, untouched: 20 };

it("is imported to a plan that changes nothing, and a second import adds nothing", async () => {
  const { apps } = await openTenant(SIZES);
  const { remit } = openProject();
  const imported = await remit("import");
  expect(imported).toContain("12 policies · 4 apps · 1 list of configuration rules");
  expect(imported).toContain("12 entitlements");
  // Those of connectors, and what every app has.
  expect(imported).toContain(`${20 + apps.length} entitlements that a connector makes`);
  expect(imported).toContain("1 policy that the service made");
  await remit("plan", "--detailed-exitcode");
  await remit("apply", "--yes");
  expect(await remit("plan", "--detailed-exitcode")).toContain("Nothing to do: ");
  expect(await remit("import")).toContain("No new manifest");
  expect(sandbox.log.entries({ written: true })).toEqual([]);
});

it("is imported from a state of Terraform: what that has, and no more", async () => {
  const tenant = await openTenant(SIZES);
  const { project, remit } = openProject();
  writeFileSync(join(project.cwd, "state.json"), JSON.stringify(terraformOf(tenant)));
  await remit("import", "--from-terraform", "state.json");
  const described = 4 + 12 + tenant.entitlements.filter(isSet).length + tenant.attributes.length;
  expect(await remit("plan", "--detailed-exitcode")).toContain(`${described} to adopt`);
  await remit("apply", "--yes");
  expect(await remit("plan", "--detailed-exitcode")).toContain(`Nothing to do: ${described} unchanged`);
  expect(sandbox.log.entries({ written: true })).toEqual([]);
});

it("is planned by its lists: pages of entitlements, one search for policies, and two parts of each app", async () => {
  const { apps, entitlements } = await openTenant({ apps: 4, policies: 499, set: 440, untouched: 0 });
  const { project, remit } = openProject();
  const grantPolicyId = { name: "grant policy 0" };
  project.write([
    ...apps.slice(1, 2).map(({ id }) => manifest("App", id, { id, grantPolicyId })),
    ...apps.slice(2).map(({ id, displayName }) => manifest("App", id, { id, displayName })),
    ...entitlements.map(({ appId, id, slug }) => manifest("Entitlement", id, { appId, id, slug: `${slug}` })),
  ]);
  expect(await remit("plan", "--detailed-exitcode")).toContain("444 to adopt");
  expect(calls()).toEqual({
    ListApps: 1,
    GetAppRequestDefaults: 4,
    GetAppUsageControls: 4,
    ListEntitlements: 4 * 2,
    SearchPolicies: 5,
  });
});

const manifest = (kind: string, id: string, spec: Manifest["spec"]): Manifest => ({
  kind,
  name: id.toLowerCase(),
  spec,
});

it("counts an entitlement with only the defaults of its app nowhere as set by people", async () => {
  const tenant = await openTenant({ apps: 1, policies: 1, set: 3, untouched: 2 });
  const { project, remit } = openProject();
  const { appId, id, slug } = tenant.entitlements[1] as JsonObject;
  project.write([manifest("Entitlement", `${id}`, { appId: `${appId}`, id: `${id}`, slug: `${slug}` })]);
  const got = await remit("get", "Entitlement", "--format", "table");
  expect(got.match(/Seat \d/g)).toEqual(["Seat 1", "Seat 0", "Seat 2", "Seat 3", "Seat 4"]);
  expect(got.match(/a connector makes it +Seat \d/g)).toHaveLength(2);
  const unmanaged = await remit("plan", "--unmanaged");
  expect(unmanaged.match(/Entitlement App 0 › .*?(?= {2}|$)/gm)).toEqual([
    "Entitlement App 0 › Seat 0",
    "Entitlement App 0 › Seat 2",
  ]);
  expect(await remit("plan")).toContain("Without a manifest: 2 entitlements (");
  const { client } = directClient({ tenant }, fakeClock());
  const known = await knownTenant([customEntitlement], { client, asked: "full", progress: () => undefined });
  expect(known.objects.flatMap(({ isLeftAlone, names }) => (isLeftAlone ? names[0] : [])).sort()).toEqual([
    "Access",
    "Access",
    "Seat 3",
    "Seat 4",
  ]);
});
