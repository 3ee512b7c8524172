import { afterEach, beforeEach, expect, it } from "vitest";
import { type Sandbox, startSandbox } from "../../src/sandbox/http/server.js";
import { C1_APP_ID, EMPTY_TENANT } from "../../src/sandbox/tenant/tenant.js";
import { hastyClock, runInside } from "../fakes/inside.js";
import { idOf } from "../fakes/many.js";
import { makeProject, type Project } from "../fakes/project.js";

/** A list whose last row of a page comes again on the next page: each name still means one object. */

const COUNT = 150;
const PLACES = Array.from({ length: COUNT }, (_, place) => place);

let sandbox: Sandbox;
let project: Project;

beforeEach(async () => {
  sandbox = await startSandbox({
    interface: "full",
    tenant: {
      ...EMPTY_TENANT,
      open: false,
      apps: [{ id: C1_APP_ID, displayName: "C1" }],
      entitlements: PLACES.map((place) => ({
        appId: C1_APP_ID,
        id: idOf("entitlement", place),
        displayName: `Group ${place}`,
      })),
      resourceTypes: PLACES.map((place) => ({
        appId: C1_APP_ID,
        id: idOf("type", place),
        displayName: `Type ${place}`,
        resourceType: "CUSTOM",
      })),
    },
    faults: { seed: 1, rules: [{ fault: "quirks", quirks: { shiftingPages: true } }] },
  });
  project = makeProject({ server: sandbox.url });
});
afterEach(async () => {
  await sandbox.close();
  project.close();
});

it("every name means one object while the pages of the lists shift", async () => {
  project.write(
    PLACES.flatMap((place) => [
      {
        kind: "EntitlementAutomation",
        name: `group-${place}`,
        spec: {
          appId: { name: "C1" },
          appEntitlementId: { name: `Group ${place}` },
          displayName: `Group ${place}`,
          none: {},
        },
      },
      {
        kind: "ResourceType",
        name: `type-${place}`,
        spec: { appId: { name: "C1" }, displayName: `Type ${place}` },
      },
    ]),
  );
  const env = { REMIT_SERVER: sandbox.url, REMIT_TOKEN: sandbox.token };
  const argv = ["plan", "--format", "json", "--acknowledge", "max-changes"];
  const planned = await runInside(argv, { cwd: project.cwd, env, clock: hastyClock(100) });
  expect(planned.stdout, planned.stderr).toMatch(/^\{/);
  const { counts } = JSON.parse(planned.stdout) as { readonly counts: Readonly<Record<string, number>> };
  expect(counts, planned.stderr).toMatchObject({ create: COUNT, adopt: COUNT, blocked: 0 });
  expect(sandbox.log.count({ method: "GET", path: "*/resource_types" })).toBeGreaterThan(1);
});
