import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { JsonObject } from "../../src/model/json.js";
import { grantsOf, ROOT } from "../../src/sandbox/tenant/store.js";
import { C1_APP_ID } from "../../src/sandbox/tenant/tenant.js";
import { type GroupScene, openGroups } from "../fakes/groups.js";
import type { Manifest, Spec } from "../fakes/project.js";
import { idOf } from "../sandbox/visit.js";

/** The life of an app: its fields, what it has behind calls of their own, and what goes with it. */

const app = (spec: Spec): Manifest => ({ kind: "App", name: "badges", spec });
const badges = app({
  displayName: "Badge printer",
  monthlyCostUsd: 20,
  requestDefaults: { defaultsEnabled: true, resourceTypeIds: [idOf("door")], durationGrant: "30d" },
  usageControls: { notify: true, notifyAfterDays: 30 },
});

/** What is left when the app's manifest goes. */
const rest: Manifest = {
  kind: "Webhook",
  name: "desk",
  spec: { displayName: "Desk", url: "https://desk.example.com" },
};

let scene: GroupScene;
beforeEach(async () => {
  scene = await openGroups();
  scene.project.write([badges]);
});
afterEach(() => scene.close());

const remit = (code: number, ...argv: readonly string[]) => scene.remit(code, ...argv);
const made = () =>
  scene.sandbox.store.apps.of(ROOT).filter((row) => row.id !== C1_APP_ID && row.deletedAt === undefined);
const change = (id: string, fields: JsonObject) =>
  scene.sandbox.store.apps.put(ROOT, id, { ...scene.sandbox.store.apps.get(ROOT, id), ...fields } as never);
const written = () => scene.sandbox.log.count({ written: true });

describe("an app", () => {
  it("is made with its parts, changed in place, and deleted by its entry alone, which counts what goes with it", async () => {
    await remit(0, "apply", "--yes");
    const [row] = made();
    expect(row).toMatchObject({
      displayName: "Badge printer",
      monthlyCostUsd: 20,
      requestDefaults: { defaultsEnabled: true, durationGrant: "2592000s" },
      usageControls: { notify: true, notifyAfterDays: 30 },
    });
    expect(await remit(0, "plan", "--detailed-exitcode")).toContain("Nothing to do");
    const before = written();
    scene.project.write([{ ...badges, spec: { ...badges.spec, monthlyCostUsd: 25 } }]);
    await remit(0, "apply", "--yes");
    expect(written() - before).toBe(1);
    scene.project.write([rest]);
    await remit(0, "plan", "--prune");
    expect(made()).toHaveLength(1);
    const id = String(row?.id);
    const { store } = scene.sandbox;
    for (const name of [idOf("enter"), idOf("open")])
      store.entitlements.put(id, name, { appId: id, id: name, displayName: name } as never);
    store.users.put(ROOT, "ana", { id: "ana", displayName: "Ana", email: "ana@example.com" });
    store.accounts.put(id, "a1", { id: "a1", appId: id, identityUserId: "ana" });
    const grant = { appId: id, appEntitlementId: idOf("enter"), appUserId: "a1" };
    store.grants.put(grantsOf(id, idOf("enter")), "a1", { ...grant, createdAt: "2026-01-01T00:00:00Z" });
    scene.decide({ "App/badges": "delete" });
    expect(await remit(0, "plan")).toContain("deleted with it: 3 entitlements and 1 grant of 1 person");
    await remit(0, "apply", "--yes");
    expect(made()).toEqual([]);
  });

  it("is given to its own objects in the same apply", async () => {
    const type = {
      kind: "ResourceType",
      name: "door",
      spec: { appId: { manifest: "badges" }, displayName: "Door", resourceType: "CUSTOM" },
    };
    scene.project.write([badges, type]);
    await remit(0, "apply", "--yes");
    expect(scene.sandbox.store.resourceTypes.all()).toContainEqual(
      expect.objectContaining({ appId: made()[0]?.id, displayName: "Door" }),
    );
    expect(await remit(0, "plan", "--detailed-exitcode")).toContain("Nothing to do");
  });

  it("continues where its defaults were refused, and is made once", async () => {
    scene.disturb("SetAppRequestDefaults", { fault: "error", status: 403 });
    await remit(1, "apply", "--yes");
    await remit(0, "apply", "--yes", "--acknowledge", "wider-defaults=App/badges");
    expect(made()).toHaveLength(1);
    expect(await remit(0, "plan", "--detailed-exitcode")).toContain("Nothing to do");
  });

  it.each([
    ["displayName", { id: C1_APP_ID, displayName: "Ours" }],
    ["requestDefaults", { id: C1_APP_ID, requestDefaults: { defaultsEnabled: true } }],
  ])("is not changed in its %s where it is the tenant's own", async (field, spec) => {
    scene.project.write([app(spec)]);
    expect(await remit(4, "plan")).toContain(
      `error[plan/refused-by-service] the service does not change the ${field} of its own app, C1 = Remove \`${field}\`.`,
    );
  });

  it.each([{ connectorVersion: 2 }, { parentAppId: C1_APP_ID }, { isDirectory: true }])(
    "is not deleted where another system made it: %o",
    async (fields) => {
      await remit(0, "apply", "--yes");
      change(String(made()[0]?.id), fields);
      scene.project.write([rest]);
      scene.decide({ "App/badges": "delete" });
      expect(await remit(4, "plan")).toContain("people did not make this app, so it cannot be deleted");
      expect(made()).toHaveLength(1);
    },
  );

  it.each([
    [
      "usage-revoke: the service would take access from people who did not use the app for 90 days",
      { usageControls: { revoke: true, revokeAfterDays: 90 } },
    ],
    [
      "identity-moved: identityMatching would change, so accounts may belong to other people",
      { identityMatching: "APP_USER_IDENTITY_MATCHING_DISPLAY_NAME" },
    ],
    [
      "wider-defaults: the request defaults would count for the entitlements of 1 more resource type and for longer grants",
      {
        requestDefaults: {
          defaultsEnabled: true,
          resourceTypeIds: [idOf("door"), idOf("gate")],
          durationGrant: "60d",
        },
      },
    ],
    [
      "emergency-open: requestDefaults.emergencyGrantEnabled would be true, so people may ask under the policy for emergencies",
      {
        requestDefaults: {
          defaultsEnabled: true,
          resourceTypeIds: [idOf("door")],
          durationGrant: "30d",
          emergencyGrantEnabled: true,
        },
      },
    ],
  ])("asks before it: %s", async (finding, change) => {
    await remit(0, "apply", "--yes");
    const before = written();
    scene.project.write([{ ...badges, spec: { ...badges.spec, ...change } }]);
    const [guard = "", message = ""] = finding.split(": ");
    const said = await remit(4, "apply", "--yes");
    expect(said).toContain(message);
    expect(said).toContain(`guard/${guard}`);
    expect(written()).toBe(before);
    await remit(0, "apply", "--yes", "--acknowledge", `${guard}=App/badges`);
    expect(await remit(0, "plan", "--detailed-exitcode")).toContain("Nothing to do");
  });

  it.each(["RUNNING", "FAILED"] as const)(
    "says how far the service is with its defaults: %s",
    async (defaultsRun) => {
      scene.sandbox.faults.set({ seed: 1, rules: [{ fault: "quirks", quirks: { defaultsRun } }] });
      await remit(0, "apply", "--yes");
      const [warning, other] = ["plan/defaults-running", "plan/defaults-failed"].toSorted((one) =>
        one.endsWith(defaultsRun.toLowerCase()) ? -1 : 1,
      );
      const plan = await remit(0, "plan", "--detailed-exitcode");
      expect(plan).toContain(`[${warning}]`);
      expect(plan).not.toContain(`[${other}]`);
      expect(await remit(0, "plan", "--refresh-only", "--detailed-exitcode")).toContain(`[${warning}]`);
      const [row] = made();
      const state = "APP_ACCESS_REQUEST_DEFAULTS_LAST_APPLY_STATE_SUCCESS";
      change(String(row?.id), { requestDefaults: { ...(row?.requestDefaults as JsonObject), state } });
      expect(await remit(0, "plan", "--detailed-exitcode")).not.toContain("[plan/defaults-");
    },
  );

  it("says that access goes by usage which the service does not know", async () => {
    await remit(0, "apply", "--yes");
    const usageControls = { notify: true, notifyAfterDays: 30, revoke: true, revokeAfterDays: 90 };
    scene.project.write([app({ ...badges.spec, usageControls })]);
    expect(await remit(4, "plan")).toContain("warning[plan/no-usage-data]");
    change(String(made()[0]?.id), { hasUsageData: true });
    expect(await remit(4, "plan")).not.toContain("plan/no-usage-data");
    await remit(0, "apply", "--yes", "--acknowledge", "usage-revoke");
    change(String(made()[0]?.id), { hasUsageData: false });
    expect(await remit(0, "plan", "--detailed-exitcode")).toContain("warning[plan/no-usage-data]");
  });

  it("is imported where people made it, and its settings where a connector did", async () => {
    const id = idOf("appGitHub");
    change(id, { id, displayName: "GitHub", connectorVersion: 2, monthlyCostUsd: 4 });
    change(idOf("appAws"), { id: idOf("appAws"), displayName: "AWS", connectorVersion: 2 });
    await remit(0, "import");
    const text = readFileSync(join(scene.project.cwd, "manifests", "app", "github.yaml"), "utf8");
    expect(text).toContain("spec:\n  id:\n    name: GitHub\n  monthlyCostUsd: 4\n");
    expect(await remit(0, "get", "App")).toContain("AWS");
  });
});

describe("request defaults", () => {
  it("name types and profiles of the same apply, and profiles of the tenant, by their names", async () => {
    // The id of one more is known only while the apply runs, and sorts elsewhere among these than its manifest's name.
    const others = [..."05AMZagmtz"].map((letter) => ({
      id: letter.repeat(27),
      displayName: `Visitors ${letter}`,
    }));
    for (const one of others) scene.sandbox.store.catalogs.put(ROOT, one.id, one);
    scene.project.write([app({ displayName: "Badge printer" })]);
    await remit(0, "apply", "--yes");
    scene.project.write([
      app({
        displayName: "Badge printer",
        requestDefaults: {
          defaultsEnabled: true,
          resourceTypeIds: [{ manifest: "door" }],
          catalogIds: [{ manifest: "guests" }, ...others.map(({ displayName: name }) => ({ name }))],
        },
      }),
      {
        kind: "ResourceType",
        name: "door",
        spec: { appId: { manifest: "badges" }, resourceType: "CUSTOM", displayName: "Door" },
      },
      { kind: "AccessProfile", name: "guests", spec: { appId: C1_APP_ID, displayName: "Guests" } },
    ]);
    await remit(4, "plan", "--out", "plan.json");
    await remit(0, "apply", "plan.json", "--acknowledge", "wider-defaults");
    const { resourceTypes, catalogs } = scene.sandbox.store;
    const idIn = (rows: readonly JsonObject[], name: string) =>
      rows.find(({ displayName }) => displayName === name)?.id;
    const [row = { requestDefaults: {} }] = made();
    const { resourceTypeIds, catalogIds } = row.requestDefaults as JsonObject;
    expect(resourceTypeIds).toEqual([idIn(resourceTypes.all(), "Door")]);
    expect(new Set(catalogIds as string[])).toEqual(
      new Set([idIn(catalogs.all(), "Guests"), ...others.map(({ id }) => id)]),
    );
    expect(await remit(0, "plan", "--detailed-exitcode")).toContain("Nothing to do");
  });
});

describe("request defaults beside manifests of entitlements", () => {
  const door = { appId: { manifest: "badges" }, resourceType: "CUSTOM", displayName: "Door" };
  const main = { appId: { manifest: "badges" }, appResourceTypeId: { manifest: "door" } };
  const enter = (more: Spec): Manifest => ({
    kind: "Entitlement",
    name: "enter",
    spec: { ...main, appResourceId: { manifest: "main" }, displayName: "Enter", ...more },
  });
  const project = (types: readonly Spec[], more: Spec): readonly Manifest[] => [
    app({ displayName: "Badge printer", requestDefaults: { defaultsEnabled: true, resourceTypeIds: types } }),
    { kind: "ResourceType", name: "door", spec: door },
    { kind: "Resource", name: "main", spec: { ...main, displayName: "Main" } },
    enter(more),
  ];
  const typeId = () => scene.sandbox.store.resourceTypes.all().find((row) => row.displayName === "Door")?.id;

  it("are refused where the service would write again what one of them writes", async () => {
    scene.project.write(project([], { durationGrant: "30d" }));
    await remit(0, "apply", "--yes");
    const types = [typeId()] as never;
    scene.project.write(project(types, { durationGrant: "30d" }));
    const refused = await remit(4, "plan");
    expect(refused).toContain(
      "error[plan/rewritten] its request defaults would write what the manifests of Entitlement/enter write",
    );
    scene.project.write(project(types, { durationGrant: "30d", overrideAccessRequestsDefaults: true }));
    await remit(0, "apply", "--yes", "--acknowledge", "wider-defaults");
    await remit(0, "plan", "--detailed-exitcode");
    scene.project.write(project(types, { durationGrant: "60d", overrideAccessRequestsDefaults: false }));
    expect(await remit(4, "plan")).toContain(
      "the request defaults of App/badges would write its durationGrant, too",
    );
    scene.project.write(project(types, { displayName: "Go in" }));
    await remit(0, "plan");
    const defaults = { defaultsEnabled: true, resourceTypeIds: types, durationGrant: "10d" };
    const [, ...others] = project([], { displayName: "Go in" });
    scene.project.write([app({ displayName: "Badge printer", requestDefaults: defaults }), ...others]);
    const seen = await remit(0, "plan");
    expect(seen).not.toMatch(/will write the defaults/);
    const { entitlements } = scene.sandbox.store;
    const row = entitlements.all().find(({ displayName }) => displayName === "Enter");
    if (row === undefined) throw new Error("there is no entitlement");
    entitlements.put(row.appId, row.id, { ...row, overrideAccessRequestsDefaults: false });
    expect(await remit(0, "plan")).toContain(
      "the service will write the defaults into 1 unlocked entitlement",
    );
  });

  it("leave unknown what an unlocked entitlement has while the service still writes into it", async () => {
    const own = { durationGrant: "30d", description: "For guests." };
    const [, ...others] = project([], own);
    scene.project.write([app({ displayName: "Badge printer" }), ...others]);
    await remit(0, "apply", "--yes");
    const { entitlements } = scene.sandbox.store;
    const row = entitlements.all().find(({ displayName }) => displayName === "Enter");
    if (row === undefined) throw new Error("there is no entitlement");
    const { durationUnset: _, ...rest } = row;
    const shows = (fields: JsonObject) =>
      entitlements.put(row.appId, row.id, { ...rest, ...fields } as never);
    const runs = (word: string) => {
      const state = `APP_ACCESS_REQUEST_DEFAULTS_LAST_APPLY_STATE_${word}`;
      const types = { resourceTypeIds: [typeId() ?? ""] };
      change(row.appId, { requestDefaults: { defaultsEnabled: true, ...types, state } });
    };
    runs("RUNNING");
    shows({ durationGrant: "864000s" });
    const note =
      "note[plan/defaults-rewriting] the service is still writing the defaults of App/badges into it";
    for (const mode of [[], ["--refresh-only"]]) {
      const seen = await remit(0, "plan", "--detailed-exitcode", ...mode);
      expect(seen).toContain(note);
      expect(seen).not.toContain("864000s");
    }
    shows({ durationGrant: "864000s", description: "Other" });
    const before = written();
    expect(await remit(3, "apply", "--yes")).toContain("so remit writes nothing there yet");
    expect(written()).toBe(before);
    shows({ durationGrant: "864000s", overrideAccessRequestsDefaults: true });
    expect(await remit(2, "plan", "--refresh-only", "--detailed-exitcode")).not.toContain(note);
    shows({ durationGrant: "864000s" });
    runs("SUCCESS");
    expect(await remit(2, "plan", "--refresh-only", "--detailed-exitcode")).toContain("durationGrant");
  });
});
