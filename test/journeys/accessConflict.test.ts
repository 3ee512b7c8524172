import { afterEach, beforeEach, expect, it } from "vitest";
import type { Rule } from "../../src/sandbox/faults/plan.js";
import { type Sandbox, startSandbox } from "../../src/sandbox/http/server.js";
import { ROOT } from "../../src/sandbox/tenant/store.js";
import { EMPTY_TENANT } from "../../src/sandbox/tenant/tenant.js";
import { text as member, parts } from "../../src/sandbox/wire/member.js";
import { hastyClock, runInside, type Seen } from "../fakes/inside.js";
import { type Manifest, makeProject, type Project } from "../fakes/project.js";
import { idOf } from "../sandbox/visit.js";

/** The life of an access conflict: a person switches it on, and the service lists nothing of its groups. */

const APP = idOf("app");
const [PAYS, APPROVES, AUDITS] = [idOf("pays"), idOf("approves"), idOf("audits")];
const inApp = (id: string) => ({ appId: APP, id });
const conflict = (spec: Manifest["spec"] = {}): Manifest => ({
  kind: "AccessConflict",
  name: "pay",
  spec: { displayName: "Pays and approves", groupA: [inApp(PAYS)], groupB: [inApp(APPROVES)], ...spec },
});

let sandbox: Sandbox;
let project: Project;

beforeEach(async () => {
  sandbox = await startSandbox({
    tenant: {
      ...EMPTY_TENANT,
      open: false,
      apps: [{ id: APP, displayName: "Oracle" }],
      entitlements: [PAYS, APPROVES, AUDITS].map((id) => ({ appId: APP, id, displayName: id })),
    },
  });
  project = makeProject({ server: sandbox.url });
});
afterEach(async () => {
  await sandbox.close();
  project.close();
});

async function expectCode(code: number, ...argv: readonly string[]): Promise<string> {
  const env = { REMIT_SERVER: sandbox.url, REMIT_TOKEN: sandbox.token };
  const seen: Seen = await runInside(argv, { cwd: project.cwd, env, clock: hastyClock(100) });
  const text = (seen.stdout + seen.stderr).replace(/\s+/g, " ");
  expect(seen.code, text).toBe(code);
  return text;
}

const rows = () => sandbox.store.conflicts.all();
const row = () => rows()[0] ?? { id: "" };
const bound = () =>
  parts(row(), "bindings").map((one) => [
    member(one, "appEntitlementId"),
    member(one, "entitlementGroup").at(-1),
  ]);
const bind = (appEntitlementId: string, group: string) => {
  const bindings = [
    ...parts(row(), "bindings"),
    { monitorId: row().id, appId: APP, appEntitlementId, entitlementGroup: `ENTITLEMENT_GROUP_${group}` },
  ];
  sandbox.store.conflicts.put(ROOT, row().id, { ...row(), bindings });
};

it("is made with its groups, and each plan says that a person switches it on until one did", async () => {
  project.write([conflict({ negateGroupB: true })]);
  expect(await expectCode(2, "plan", "--detailed-exitcode")).toContain("until a person switches it on");
  await expectCode(0, "apply", "--yes");
  expect(row()).toMatchObject({ displayName: "Pays and approves", negateGroupB: true, enabled: false });
  const got = await expectCode(0, "get", "AccessConflict");
  expect(got).toContain(`id: ${row().id}`);
  expect(got).toContain("The service has no list of access conflicts.");
  expect(bound()).toEqual([
    [PAYS, "A"],
    [APPROVES, "B"],
  ]);
  expect(await expectCode(0, "plan")).toContain("until a person switches it on");
  expect(await expectCode(0, "plan", "--refresh-only")).toContain("until a person switches it on");
  sandbox.store.conflicts.put(ROOT, row().id, { ...row(), enabled: true });
  expect(await expectCode(0, "plan")).not.toContain("until a person switches it on");
});

const CREATE = { method: "POST", path: "/api/v1/accessconflict" } as const;
const BIND = { method: "POST", path: "/api/v1/appentitlementmonitorbinding" } as const;
const strike = (...rules: readonly Rule[]) => sandbox.faults.set({ seed: 1, rules });

it("is not made again where the reply to its create was lost, and a person says which one it is", async () => {
  project.write([conflict()]);
  strike({ fault: "lost", ...CREATE });
  const unknown = "No list of the service shows it, so look for it in the browser.";
  expect(await expectCode(3, "apply", "--yes")).toContain(unknown);
  strike();
  expect(await expectCode(3, "apply", "--yes")).toContain(unknown);
  expect(rows()).toHaveLength(1);
  await expectCode(0, "state", "settle", "AccessConflict/pay", "--key", row().id);
  expect(await expectCode(2, "plan", "--detailed-exitcode")).toContain("Pays and approves (");
  await expectCode(0, "apply", "--yes");
  expect(bound()).toHaveLength(2);
  await expectCode(0, "plan", "--detailed-exitcode");
  expect(rows()).toHaveLength(1);
});

it.each([
  ["its create", CREATE],
  ["the first item of a group", BIND],
])("is finished by the next apply where %s was refused", async (_, call) => {
  project.write([conflict()]);
  strike({ fault: "error", status: 403, ...call });
  await expectCode(1, "apply", "--yes");
  strike();
  await expectCode(0, "apply", "--yes");
  expect(bound()).toHaveLength(2);
  expect(rows()).toHaveLength(1);
  await expectCode(0, "plan", "--detailed-exitcode");
});

it("is made with its groups where the replies to each of its bindings were lost", async () => {
  project.write([conflict()]);
  strike({ fault: "lost", ...BIND, times: 3 });
  await expectCode(0, "apply", "--yes");
  expect(bound()).toHaveLength(2);
  await expectCode(0, "plan", "--detailed-exitcode");
});

it("adds what is missing and removes only what it added", async () => {
  project.write([conflict()]);
  await expectCode(0, "apply", "--yes");
  bind(AUDITS, "A");
  expect(await expectCode(0, "plan")).toContain("may have more than remit knows of");
  project.write([conflict({ groupA: [], groupB: [inApp(APPROVES), inApp(AUDITS)], description: "No one." })]);
  await expectCode(0, "apply", "--yes", "--acknowledge", "max-changes");
  expect(bound()).toEqual([
    [APPROVES, "B"],
    [AUDITS, "A"],
    [AUDITS, "B"],
  ]);
  expect(row()).toMatchObject({ displayName: "Pays and approves", description: "No one." });
  await expectCode(0, "plan");
});

it("takes a binding as removed that was gone, also where an earlier reply was lost", async () => {
  project.write([conflict()]);
  await expectCode(0, "apply", "--yes");
  project.write([conflict({ groupA: [inApp(AUDITS)] })]);
  const rules = [{ fault: "lost", operation: "DeleteAppEntitlementMonitorBinding", times: 1 }] as const;
  sandbox.faults.set({ seed: 1, rules });
  expect(await expectCode(0, "apply", "--yes")).toContain("no longer had a part that the step deletes");
  expect(bound()).toEqual([
    [APPROVES, "B"],
    [AUDITS, "A"],
  ]);
  await expectCode(0, "plan", "--detailed-exitcode");
});

const ELSE: Manifest = { kind: "AccessConflict", name: "else", spec: { displayName: "Else" } };

it("sees that a binding was taken away by hand, and goes with what is in it", async () => {
  project.write([conflict()]);
  await expectCode(0, "apply", "--yes");
  sandbox.store.conflicts.put(ROOT, row().id, { ...row(), bindings: [] });
  await expectCode(2, "plan", "--detailed-exitcode");
  await expectCode(0, "apply", "--yes");
  expect(bound()).toHaveLength(2);
  project.write([conflict(), ELSE]);
  await expectCode(0, "apply", "--yes");
  project.write([ELSE]);
  await expectCode(0, "apply", "--yes", "--prune", "--acknowledge", "max-changes");
  expect(rows().flatMap((one) => (one.deletedAt === undefined ? [one.displayName] : []))).toEqual(["Else"]);
});
