import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { JsonObject } from "../../src/model/json.js";
import { ROOT } from "../../src/sandbox/tenant/store.js";
import { C1_APP_ID, type EntitlementRow } from "../../src/sandbox/tenant/tenant.js";
import { type GroupScene, memberNamed, openGroups, resourceNamed } from "../fakes/groups.js";
import type { Manifest, Spec } from "../fakes/project.js";
import { ADMIN, GITHUB, idOf, MEMBER } from "../sandbox/visit.js";

/** An access profile in one file: its fields, its policies, what it offers, who sees it, and its rule. */

const JOINER = idOf("policyJoiner");
const admin = { appId: { name: "GitHub" }, id: { alias: "github-admin" } };
const member = { appId: { name: "GitHub" }, id: { alias: "github-member" } };
const ofGroup = { appId: { name: "C1" }, id: { manifest: "eng" } };
const GROUP = [resourceNamed("eng", "Engineering"), memberNamed("eng", "eng")];
const WHOLE = {
  displayName: "Starter",
  description: "What everyone in engineering may ask for.",
  published: true,
  enrollmentBehavior: "REQUEST_CATALOG_ENROLLMENT_BEHAVIOR_ENFORCE_ENTITLEMENT_REQUEST_POLICY",
  enrollment: { grantPolicyId: { name: "Joiner" }, durationGrant: "30d" },
  requestableEntries: [admin, member],
  visibilityBindings: [ofGroup],
  bundleAutomation: {
    enabled: true,
    removedMembersThresholdPercent: 30,
    cel: { expression: 'subject.department == "Engineering"' },
  },
};
const profile = (spec: Spec = {}, name = "starter"): Manifest => ({
  kind: "AccessProfile",
  name,
  spec: { ...WHOLE, ...spec },
});

let scene: GroupScene;

beforeEach(async () => {
  scene = await openGroups();
  const { store } = scene.sandbox;
  store.apps.put(ROOT, GITHUB, { id: GITHUB, displayName: "GitHub" });
  for (const [id, alias] of [
    [ADMIN, "github-admin"],
    [MEMBER, "github-member"],
  ] as const)
    store.entitlements.put(GITHUB, id, { appId: GITHUB, id, displayName: alias, alias });
  const policy = { displayName: "Joiner", policyType: "POLICY_TYPE_GRANT" };
  store.policies.put(ROOT, JOINER, { id: JOINER, ...policy });
  scene.project.write([...GROUP, profile()]);
});
afterEach(() => scene.close());

const profiles = () =>
  scene.sandbox.store.catalogs
    .all()
    .filter(({ deletedAt }) => deletedAt === undefined) as readonly JsonObject[];
const only = () => {
  const [one, ...others] = profiles();
  if (one === undefined || others.length > 0) throw new Error(`there are ${profiles().length} profiles`);
  return one as JsonObject & { readonly id: string };
};
const enrollment = () => scene.sandbox.store.entitlements.get(C1_APP_ID, only().id);
/** What was sent to write, in order. */
const writes = () =>
  scene.sandbox.log
    .entries({ written: true })
    .filter(({ operation }) => /Catalog|Bundle|UpdateEntitlement/.test(operation ?? ""))
    .map(({ operation, body }) => [operation, body] as const);
const operations = () => writes().map(([operation]) => operation);
const edit = (change: JsonObject) =>
  scene.sandbox.store.catalogs.put(ROOT, only().id, { ...only(), ...change });

/** The first test shows that a plan after it is empty. */
async function applied(): Promise<void> {
  await scene.remit(0, "apply", "--yes");
  scene.sandbox.log.clear();
}

/** What lets a change take the policy of the enrollment away. */
const TO_DEFAULT = ["--acknowledge", "falls-to-default=AccessProfile/starter"];

/** The same after a change, of which the log then tells. */
async function changed(...acknowledged: readonly string[]): Promise<void> {
  await scene.remit(0, "apply", "--yes", ...acknowledged);
  const sent = operations().length;
  await scene.remit(0, "plan", "--detailed-exitcode");
  expect(operations()).toHaveLength(sent);
}

describe("an access profile in one file", () => {
  it("is made unpublished, and is seen by people last", async () => {
    const planned = await scene.remit(0, "plan");
    expect(planned).toContain("‹id of Entitlement/eng›");
    await scene.remit(0, "apply", "--yes");
    expect(operations()).toEqual([
      "CreateCatalog",
      "UpdateEntitlement",
      "SetCatalogEntries",
      "UpdateCatalog",
      "AddCatalogBindings",
      "SetBundleAutomation",
    ]);
    const [create, policies, , publish] = writes().map(([, body]) => body);
    expect(create).toMatchObject({ published: false });
    expect(policies).toMatchObject({ updateMask: "durationGrant,grantPolicyId,revokePolicyId" });
    expect(publish).toEqual({ catalog: { published: true }, updateMask: "published" });
    expect(enrollment()).toMatchObject({ grantPolicyId: JOINER, durationGrant: "2592000s" });
    const group = scene.made()[0]?.id;
    expect(only()).toMatchObject({
      published: true,
      entries: [
        { appId: GITHUB, id: ADMIN },
        { appId: GITHUB, id: MEMBER },
      ],
      bindings: [{ appId: C1_APP_ID, id: group }],
      bundle: { enabled: true, removedMembersThresholdPercent: "30" },
    });
    await scene.remit(0, "plan", "--detailed-exitcode");
  });
});

describe("a change of a profile", () => {
  it("sends exactly the fields that it means", async () => {
    await applied();
    scene.project.write([...GROUP, profile({ description: "New", requestBundle: true })]);
    await changed();
    expect(writes()).toEqual([
      ["UpdateCatalog", { catalog: { description: "New" }, updateMask: "description" }],
      ["UpdateCatalog", { catalog: { requestBundle: true }, updateMask: "requestBundle" }],
    ]);
  });

  it("narrows first, and widens only after that", async () => {
    await applied();
    const spec = {
      description: null,
      enrollment: { revokePolicyId: { name: "Joiner" } },
      requestableEntries: [member],
      visibilityBindings: [admin],
      enrollmentBehavior: "REQUEST_CATALOG_ENROLLMENT_BEHAVIOR_BYPASS_ENTITLEMENT_REQUEST_POLICY",
      bundleAutomation: null,
    };
    scene.project.write([...GROUP, profile(spec)]);
    await changed(...TO_DEFAULT);
    expect(operations()).toEqual([
      "DeleteBundleAutomation",
      "RemoveCatalogBindings",
      "UpdateCatalog",
      "SetCatalogEntries",
      "UpdateEntitlement",
      "UpdateCatalog",
      "AddCatalogBindings",
    ]);
    const [, removed, own, entries, policies, wider, added] = writes().map(([, body]) => body);
    expect(removed).toEqual({ accessEntitlements: [{ appId: C1_APP_ID, id: scene.made()[0]?.id }] });
    expect(own).toEqual({ catalog: { description: "" }, updateMask: "description" });
    expect(policies).toEqual({
      entitlement: { grantPolicyId: "", revokePolicyId: JOINER, durationUnset: {} },
      updateMask: "durationUnset,grantPolicyId,revokePolicyId",
    });
    expect(entries).toEqual({ appEntitlements: [{ appId: GITHUB, id: MEMBER }] });
    expect(wider).toMatchObject({ updateMask: "enrollmentBehavior" });
    expect(added).toEqual({ accessEntitlements: [{ appId: GITHUB, id: ADMIN }] });
  });

  it("stops an edited rule before it offers more, and runs it again last, from a saved plan, too", async () => {
    scene.project.write([...GROUP, profile({ requestableEntries: [admin] })]);
    await applied();
    const bundleAutomation = {
      ...WHOLE.bundleAutomation,
      cel: { expression: 'subject.department == "Ops"' },
    };
    scene.project.write([...GROUP, profile({ bundleAutomation })]);
    await scene.remit(0, "plan", "--out", "plan.json", "--acknowledge", "max-changes");
    await scene.remit(0, "apply", "plan.json", "--acknowledge", "max-changes");
    expect(operations()).toEqual(["SetBundleAutomation", "SetCatalogEntries", "SetBundleAutomation"]);
    const [stopped, , run] = writes().map(([, body]) => body);
    expect(stopped).toMatchObject({ enabled: false, cel: WHOLE.bundleAutomation.cel });
    expect(run).toMatchObject({ enabled: true, cel: bundleAutomation.cel });
    await scene.remit(0, "plan", "--detailed-exitcode");
  });

  it("removes the visibility before everyone sees it, and says so before", async () => {
    await applied();
    scene.project.write([...GROUP, profile({ visibilityBindings: [], visibleToEveryone: true })]);
    const planned = await scene.remit(0, "plan");
    expect(planned).toContain("everyone in the tenant sees the profile");
    await changed();
    expect(operations()).toEqual(["RemoveCatalogBindings", "UpdateCatalog"]);
    scene.sandbox.log.clear();
    scene.project.write([...GROUP, profile({ visibleToEveryone: false })]);
    await changed();
    expect(operations()).toEqual(["UpdateCatalog", "AddCatalogBindings"]);
  });

  it("compares entries as a set, and leaves alone what the manifest does not write", async () => {
    await applied();
    edit({ entries: [...(only().entries as readonly JsonObject[])].reverse() });
    await scene.remit(0, "plan", "--detailed-exitcode");
    const { bundleAutomation: _, enrollment: __, requestableEntries: ___, ...rest } = WHOLE;
    scene.project.write([...GROUP, { kind: "AccessProfile", name: "starter", spec: rest }]);
    await scene.remit(0, "apply", "--yes");
    edit({ entries: [], bundle: { enabled: false } });
    await scene.remit(0, "plan", "--detailed-exitcode");
  });
});

describe("drift of a profile", () => {
  it.each<[string, () => void, string]>([
    ["its fields", () => edit({ displayName: "Other" }), "displayName"],
    ["its entries", () => edit({ entries: [] }), "requestableEntries"],
    ["its visibility", () => edit({ bindings: [] }), "visibilityBindings"],
    [
      "its rule",
      () => edit({ bundle: { enabled: false, createdAt: "2026-01-01T00:00:00Z" } }),
      "bundleAutomation",
    ],
    [
      "its policies",
      () => {
        const row = enrollment() as EntitlementRow;
        scene.sandbox.store.entitlements.put(row.appId, row.id, { ...row, grantPolicyId: "" });
      },
      "enrollment",
    ],
  ])("in %s is shown, accepted, and corrected", async (_, drift, field) => {
    await applied();
    drift();
    const said = await scene.remit(2, "plan", "--detailed-exitcode");
    expect(said).toContain(field);
    expect(said).toContain("changed in the tenant");
    const before = readFileSync(join(scene.project.cwd, "manifests/all.yaml"), "utf8");
    await scene.remit(0, "accept", "AccessProfile/starter", "--yes");
    await scene.remit(0, "plan", "--detailed-exitcode", ...TO_DEFAULT);
    writeFileSync(join(scene.project.cwd, "manifests/all.yaml"), before);
    await changed();
  });
});

describe("bad input", () => {
  it("hears that a profile that everyone sees has no visibilityBindings, with both lines", async () => {
    scene.project.write([...GROUP, profile({ visibleToEveryone: true })]);
    const said = await scene.remit(5, "validate");
    expect(said).toContain("error[rule/everyone-and-bindings]");
    expect(said).toContain("visibleToEveryone is written");
  });

  it("hears before anything is sent that visibility needs a published profile", async () => {
    scene.project.write([...GROUP, profile({ published: false })]);
    const said = await scene.remit(4, "plan");
    expect(said).toContain("error[plan/refused-by-service]");
    expect(said).toContain("Write `published: true`.");
    await scene.remit(3, "apply", "--yes");
    expect(profiles()).toEqual([]);
  });

  it("hears of two manifests that mean one profile", async () => {
    scene.project.write([...GROUP, profile(), profile({}, "other")]);
    expect(await scene.remit(5, "plan")).toContain("the same app and the same displayName");
  });

  it("hears of a manifest for the enrollment entitlement of a managed profile, with both lines", async () => {
    await applied();
    const { id } = only();
    const enrolled: Manifest = {
      kind: "Entitlement",
      name: "enrolled",
      spec: { ...memberNamed("enrolled", "eng").spec, id, alias: "enrolled", displayName: "Enrolled" },
    };
    for (const [command, ...manifests] of [
      ["plan", ...GROUP, profile(), enrolled],
      ["plan", enrolled, ...GROUP, profile({ appId: C1_APP_ID, id })],
      ["validate", enrolled, ...GROUP, profile({ appId: C1_APP_ID, id })],
    ] as const) {
      scene.project.write(manifests);
      const said = await scene.remit(5, command);
      expect(said).toContain("Entitlement/enrolled is the enrollment entitlement of AccessProfile/starter");
      expect(new Set(said.match(/all\.yaml:\d+/g))).toHaveProperty("size", 2);
    }
    expect(operations()).toEqual([]);
  });

  it("hears of a profile of that name that nothing manages, and of several", async () => {
    await scene.sandbox.store.catalogs.put(ROOT, idOf("profileOne"), {
      id: idOf("profileOne"),
      displayName: "Starter",
    });
    expect(await scene.remit(4, "plan")).toContain(`id: ${idOf("profileOne")}`);
    scene.sandbox.store.catalogs.put(ROOT, idOf("profileTwo"), {
      id: idOf("profileTwo"),
      displayName: "Starter",
    });
    const said = await scene.remit(4, "plan");
    for (const id of ["profileOne", "profileTwo"]) expect(said).toContain(idOf(id));
    await scene.remit(3, "apply", "--yes");
    expect(profiles()).toHaveLength(2);
  });

  it("hears of several apps that are called C1, and of none", async () => {
    const other = { id: idOf("appC1"), displayName: "C1" };
    scene.sandbox.store.apps.put(ROOT, other.id, other);
    expect(await scene.remit(5, "plan")).toContain(idOf("appC1"));
    const named = { appId: C1_APP_ID };
    scene.project.write([...GROUP, profile({ ...named, visibilityBindings: [] })]);
    await scene.remit(0, "plan");
    scene.project.write([profile({ appId: { name: "C2" }, visibilityBindings: [] })]);
    expect(await scene.remit(5, "plan")).toContain("C2");
  });

  it.each([{ name: "GitHub" }, GITHUB])(
    "hears that %j takes no profile, before one is made",
    async (appId) => {
      scene.project.write([...GROUP, profile({ appId })]);
      const said = await scene.remit(4, "plan");
      expect(said).toContain("the service takes access profiles only in the tenant's own app C1");
      expect(said).toContain("= Write `appId: { name: C1 }`. ");
      await scene.remit(3, "apply", "--yes");
      expect(profiles()).toEqual([]);
    },
  );

  it("hears that another app has no enrollment of the profile, before anything is sent", async () => {
    await applied();
    scene.project.write([
      ...GROUP,
      profile({ appId: { name: "GitHub" }, id: only().id, description: "New" }),
    ]);
    const said = await scene.remit(4, "plan");
    expect(said).toContain("the service does not show the enrollment entitlement of the access profile");
    await scene.remit(3, "apply", "--yes");
    expect(only().description).toBe(WHOLE.description);
  });
});

describe("a token that sees less", () => {
  it.each(["GetEntitlement", "ListCatalogEntryIds", "ListCatalogBindings", "GetBundleAutomation"])(
    "and gets no answer of %s writes nothing, and takes nothing for unset",
    async (operation) => {
      await applied();
      scene.sandbox.faults.set({ seed: 1, rules: [{ operation, fault: "error", status: 403 }] });
      scene.project.write([...GROUP, profile({ description: "New" })]);
      await scene.remit(4, "plan");
      await scene.remit(3, "apply", "--yes");
      expect(operations()).toEqual([]);
      expect(await scene.remit(1, "import", "AccessProfile", "--dry-run").catch(() => "")).toBeDefined();
    },
  );

  it("needs no read of the profile itself where the list shows it as recorded", async () => {
    await applied();
    scene.sandbox.faults.set({ seed: 1, rules: [{ operation: "GetCatalog", fault: "error", status: 403 }] });
    scene.project.write([...GROUP, profile({ description: "New" })]);
    await scene.remit(0, "apply", "--yes");
    await scene.remit(0, "plan", "--detailed-exitcode");
    expect(only().description).toBe("New");
  });
});

describe("a profile without its manifest", () => {
  const others = [...GROUP];

  it("stays where only --prune is given, and goes by its own entry, with what the plan counts", async () => {
    await applied();
    scene.grant(only().id, 7);
    scene.project.write(others);
    expect(await scene.remit(0, "apply", "--yes", "--prune")).toContain(
      "add `{ address: AccessProfile/starter, then: delete }` under `removed:`",
    );
    scene.decide({ "AccessProfile/starter": "delete" });
    const said = await scene.remit(0, "plan");
    expect(said).toContain("7 grants of 7 people");
    await scene.remit(0, "apply", "--yes");
    expect(profiles()).toEqual([]);
    await scene.remit(0, "plan", "--detailed-exitcode");
  });

  it("stays where it cannot be counted what goes with it", async () => {
    await applied();
    scene.project.write(others);
    scene.decide({ "AccessProfile/starter": "delete" });
    const rule = { operation: "SearchEntitlements", fault: "error", status: 403 } as const;
    scene.sandbox.faults.set({ seed: 1, rules: [rule] });
    expect(await scene.remit(4, "plan")).toContain("deletes-unknown");
    await scene.remit(4, "apply", "--yes");
    expect(profiles()).toHaveLength(1);
  });
});

describe("an import", () => {
  const written = (name: string) => readFileSync(join(scene.project.cwd, "manifests", name), "utf8");

  it("takes profiles, and says why it leaves out those of apps and what profiles consist of", async () => {
    await applied();
    const { store } = scene.sandbox;
    const made = { id: idOf("profileOfApp"), displayName: "GitHub audience" };
    store.catalogs.put(ROOT, made.id, made);
    const gone = { id: idOf("profileGone"), displayName: "Gone", deletedAt: "2026-01-01T00:00:00Z" };
    store.catalogs.put(ROOT, gone.id, gone);
    store.apps.put(ROOT, GITHUB, { id: GITHUB, displayName: "GitHub", defaultRequestCatalogId: made.id });
    scene.project.write([]);
    rmSync(join(scene.project.cwd, ".remit"), { recursive: true });
    const said = await scene.remit(0, "import");
    for (const text of [
      "1 access profile that the service made for an app",
      "2 resources that an access profile consists of",
      "4 entitlements that an access profile consists of",
    ])
      expect(said).toContain(text);
    expect(written("access-profile/starter.yaml")).toContain("expression: subject.department");
    expect(await scene.remit(0, "plan")).toContain("0 to create, 0 to change");
    await scene.remit(0, "apply", "--yes");
    await scene.remit(0, "plan", "--detailed-exitcode");
    expect(await scene.remit(0, "plan", "--unmanaged")).not.toContain("GitHub audience");
  });

  it("takes those that a Terraform state lists by their ids alone", async () => {
    await applied();
    const values = { id: only().id };
    const resource = {
      address: "conductorone_access_profile.starter",
      mode: "managed",
      type: "conductorone_access_profile",
      name: "starter",
      values,
    };
    const state = { format_version: "1.0", values: { root_module: { resources: [resource] } } };
    writeFileSync(join(scene.project.cwd, "tf.json"), JSON.stringify(state));
    scene.project.write([]);
    rmSync(join(scene.project.cwd, ".remit"), { recursive: true });
    const said = await scene.remit(0, "import", "--from-terraform", "tf.json");
    expect(said).toContain("1 access profile");
    expect(said).toContain("from = conductorone_access_profile.starter");
    expect(written("access-profile/starter.yaml")).toContain(`id: ${values.id}`);
  });
});

/** The calls that create a profile, after the first. */
const LATER_CALLS = [
  "UpdateEntitlement",
  "SetCatalogEntries",
  "UpdateCatalog",
  "AddCatalogBindings",
  "SetBundleAutomation",
];

describe("an apply that stops between two calls", () => {
  it.each(LATER_CALLS)("at %s continues with the same effect, and makes one profile", async (operation) => {
    const effect = await scene.plannedEffect();
    scene.disturb(operation, { fault: "error", status: 403 });
    const said = await scene.remit(3, "apply", "--yes", "--expect", effect);
    expect(said).toContain("AccessProfile/starter");
    expect(profiles()).toHaveLength(1);
    await scene.remit(2, "plan", "--detailed-exitcode");
    await scene.remit(0, "apply", "--yes", "--expect", effect);
    await scene.remit(0, "apply", "--yes", "--expect", effect);
    await scene.remit(0, "plan", "--detailed-exitcode");
    expect(only()).toMatchObject({ published: true, bundle: { enabled: true } });
  });

  it.each(LATER_CALLS)(
    "at %s is finished by its saved plan, or by the plan of what it left",
    async (operation) => {
      const file = operation.startsWith("Update") ? "rest.json" : "plan.json";
      await scene.remit(0, "plan", "--out", "plan.json");
      scene.disturb(operation, { fault: "error", status: 403 });
      await scene.remit(3, "apply", "plan.json", "--out-remaining", "rest.json");
      await scene.remit(0, "apply", file);
      expect(profiles()).toHaveLength(1);
      expect(only()).toMatchObject({ published: true, bundle: { enabled: true } });
      await scene.remit(0, "plan", "--detailed-exitcode");
    },
  );

  it("does nothing when its saved plan is applied twice", async () => {
    await scene.remit(0, "plan", "--out", "plan.json");
    await scene.remit(0, "apply", "plan.json");
    const sent = operations().length;
    await scene.remit(0, "apply", "plan.json");
    expect(operations()).toHaveLength(sent);
  });

  it("is not finished by its saved plan where a person changed what it began, or made another", async () => {
    await scene.remit(0, "plan", "--out", "plan.json");
    scene.disturb("SetCatalogEntries", { fault: "error", status: 403 });
    await scene.remit(3, "apply", "plan.json");
    const [begun] = profiles();
    if (begun === undefined) throw new Error("no profile");
    const id = String(begun.id);
    const { catalogs } = scene.sandbox.store;
    catalogs.put(ROOT, id, { ...begun, description: "Somebody's" } as never);
    const sent = operations().length;
    expect(await scene.remit(4, "apply", "plan.json")).toContain("plan/stale");
    expect(operations()).toHaveLength(sent);
    catalogs.put(ROOT, id, { ...begun, deletedAt: "2026-11-01T00:00:00Z" } as never);
    const other = "otherProfile000000000000000";
    catalogs.put(ROOT, other, { ...begun, id: other } as never);
    await scene.remit(4, "apply", "plan.json");
    expect(operations()).toHaveLength(sent);
  });

  it.each(["UpdateEntitlement", "UpdateCatalog", "AddCatalogBindings"])(
    "ends as its saved plan says after a lost reply at %s",
    async (operation) => {
      await scene.remit(0, "plan", "--out", "plan.json");
      scene.disturb(operation, { fault: "lost" });
      await scene.run("apply", "plan.json");
      await scene.remit(0, "apply", "plan.json");
      expect(profiles()).toHaveLength(1);
      await scene.remit(0, "plan", "--detailed-exitcode");
    },
  );

  it("continues with the same effect after it was refused twice, and not with another manifest", async () => {
    const effect = await scene.plannedEffect();
    scene.disturb("UpdateEntitlement", { fault: "error", status: 403 });
    await scene.remit(3, "apply", "--yes", "--expect", effect);
    scene.disturb("UpdateCatalog", { fault: "error", status: 403 });
    await scene.remit(1, "apply", "--yes", "--expect", effect);
    scene.project.write([...GROUP, profile({ description: "New" })]);
    const sent = operations().length;
    expect(await scene.remit(4, "apply", "--yes", "--expect", effect)).toContain("was expected");
    expect(operations()).toHaveLength(sent);
    const other = await scene.plannedEffect();
    await scene.remit(0, "apply", "--yes", "--expect", other);
    await scene.remit(0, "plan", "--detailed-exitcode");
    expect(only()).toMatchObject({ description: "New", published: true });
  });

  it("after the lost reply to its create continues, and makes one profile", async () => {
    scene.disturb("CreateCatalog", { fault: "lost" });
    await scene.run("apply", "--yes");
    await scene.remit(0, "apply", "--yes");
    await scene.remit(0, "plan", "--detailed-exitcode");
    expect(only()).toMatchObject({ published: true });
  });
});
