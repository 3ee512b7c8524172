import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { JsonObject } from "../../src/model/json.js";
import { C1_APP_ID } from "../../src/sandbox/tenant/tenant.js";
import { type GroupScene, memberNamed, openGroups, resourceNamed } from "../fakes/groups.js";
import type { Manifest } from "../fakes/project.js";

/** Manifests that name other manifests, whose objects the same apply creates. */

const group = resourceNamed("eng", "Engineering");
const member = memberNamed("eng-member", "eng");
const rule: Manifest = {
  kind: "EntitlementAutomation",
  name: "eng",
  spec: {
    appId: C1_APP_ID,
    appEntitlementId: { manifest: "eng-member" },
    cel: { expression: 'subject.department == "Engineering"' },
  },
};
const ALL = [rule, member, group];

let scene: GroupScene;
let sandbox: GroupScene["sandbox"];
let project: GroupScene["project"];

beforeEach(async () => {
  scene = await openGroups();
  ({ sandbox, project } = scene);
  project.write(ALL);
});
afterEach(() => scene.close());

const remit = (code: number, ...argv: readonly string[]) => scene.remit(code, ...argv);
const fail = (operation: string) => scene.disturb(operation, { fault: "error", status: 403 });

async function expectAllOnce(): Promise<void> {
  await remit(0, "plan", "--detailed-exitcode");
  const [resource, ...more] = sandbox.store.resources.all();
  const made = sandbox.store.entitlements.all().filter((one) => one.isManuallyManaged === true);
  expect([more, made]).toEqual([[], [expect.objectContaining({ appResourceId: resource?.id })]]);
  expect(sandbox.store.automations.all()).toMatchObject([{ appEntitlementId: made[0]?.id }]);
}

describe("a group in one file", () => {
  it("is planned with the ids that are pending, and made in one apply", async () => {
    const planned = await remit(0, "plan");
    expect(planned).toContain("‹id of Resource/eng›");
    expect(planned).toContain("‹id of Entitlement/eng-member›");
    expect(planned).toContain("3 to create");
    await remit(0, "apply", "--yes");
    await expectAllOnce();
  });

  it.each(["CreateEntitlement", "CreateAutomation"])(
    "continues with the same effect after %s was refused, and creates nothing twice",
    async (operation) => {
      const effect = await scene.plannedEffect();
      fail(operation);
      await remit(3, "apply", "--yes", "--expect", effect);
      await remit(0, "apply", "--yes", "--expect", effect);
      await expectAllOnce();
    },
  );

  it.each(["CreateEntitlement", "CreateAutomation"])(
    "continues from a saved plan, and from what it left to do, after %s was refused",
    async (operation) => {
      await remit(0, "plan", "--out", "plan.json");
      fail(operation);
      await remit(3, "apply", "plan.json", "--out-remaining", "rest.json");
      await remit(0, "apply", "rest.json");
      await expectAllOnce();
      expect(await remit(0, "apply", "plan.json")).toMatch(/lready applied/);
    },
  );

  it("is found again where the state has it, and changed", async () => {
    await remit(0, "apply", "--yes");
    const renamed = { ...group, spec: { ...group.spec, displayName: "Builders" } };
    project.write([rule, member, renamed]);
    expect(await remit(0, "plan")).toContain("1 to change");
    await remit(0, "apply", "--yes");
    await expectAllOnce();
  });

  it.each([
    [
      "a name that no manifest has",
      { ...member, spec: { ...member.spec, appResourceId: { manifest: "egn" } } },
      "eng",
    ],
    [
      "a manifest of another kind",
      { ...rule, spec: { ...rule.spec, appEntitlementId: { manifest: "eng" } } },
      "not a manifest of the kind Entitlement",
    ],
  ])("is refused with %s, also by `validate`", async (_what, wrong, hint) => {
    const rest = ALL.filter(({ kind }) => kind !== wrong.kind);
    project.write([...rest, wrong]);
    expect(await remit(5, "plan")).toContain(hint);
    const asked = sandbox.log.count({});
    expect(await remit(5, "validate")).toContain(hint);
    expect(sandbox.log.count({})).toBe(asked);
    expect(sandbox.log.count({ written: true })).toBe(0);
  });

  it("is refused by `validate` with the nearest name at the line of the reference", async () => {
    const wrong = { ...rule, spec: { ...rule.spec, appEntitlementId: { manifest: "enng-member" } } };
    project.write([group, member, wrong]);
    const said = await remit(5, "validate");
    expect(said).toContain("error[reference/no-manifest]");
    expect(said).toContain("manifests/all.yaml:5:");
    expect(said).toContain("eng-member");
  });

  it("is not looked for by `validate` where only some files are checked", async () => {
    project.write([group]);
    writeFileSync(
      join(project.cwd, "manifests", "rule.yaml"),
      JSON.stringify({
        apiVersion: "remit/v1",
        kind: rule.kind,
        metadata: { name: rule.name },
        spec: rule.spec,
      }),
    );
    expect(await remit(5, "validate")).toContain("reference/no-manifest");
    expect(await remit(0, "validate", "manifests/rule.yaml")).toContain("valid");
  });

  it("is refused with an object of another app, and both lines", async () => {
    const other = { ...group, spec: { ...group.spec, appId: "2fsgTvxP0DVTsNXEUBI7hOe0l9A" } };
    project.write([rule, member, other]);
    const seen = await scene.run("plan", "--format", "json");
    expect(seen.code).toBe(5);
    const found: readonly {
      code: string;
      span?: object;
      related?: readonly { message: string; span?: object }[];
    }[] = JSON.parse(seen.stdout).diagnostics;
    const said = found.find(({ code }) => code === "reference/other-app");
    expect(said).toMatchObject({
      span: { file: "manifests/all.yaml", start: { line: 3 } },
      related: [{ message: "Resource/eng is written here", span: { start: { line: 5 } } }],
    });
    expect(sandbox.log.count({ written: true })).toBe(0);
  });

  it("is made anew, with new ids, where someone deleted it", async () => {
    await remit(0, "apply", "--yes");
    const at = "2026-01-01T00:00:00Z";
    for (const one of sandbox.store.resources.all())
      sandbox.store.resources.put(one.appId, one.id, { ...one, deletedAt: at });
    for (const one of sandbox.store.entitlements.all())
      if (one.isManuallyManaged === true)
        sandbox.store.entitlements.put(one.appId, one.id, { ...one, deletedAt: at });
    for (const one of sandbox.store.automations.all())
      sandbox.store.automations.put(one.appId, one.appEntitlementId, { ...one, deletedAt: at });
    expect(await remit(0, "plan")).toContain("create Entitlement/eng-member");
    await remit(0, "apply", "--yes");
    await remit(0, "plan", "--detailed-exitcode");
    const [resource] = sandbox.store.resources.all().filter(({ deletedAt }) => deletedAt === undefined);
    const made = sandbox.store.entitlements
      .all()
      .filter((one) => one.isManuallyManaged === true && one.deletedAt === undefined);
    expect(made).toMatchObject([{ appResourceId: resource?.id }]);
  });

  it.each(["CreateResource", "CreateEntitlement", "CreateAutomation"])(
    "is made once where the reply to %s is lost",
    async (operation) => {
      scene.disturb(operation, { fault: "lost" });
      await remit(0, "apply", "--yes");
      await expectAllOnce();
    },
  );

  it("is looked at twice where someone deleted it, and the plan says how many calls both took", async () => {
    scene.project.write(ALL);
    await scene.remit(0, "apply", "--yes", "--acknowledge", "nobody");
    const [made] = scene.made();
    const [appId, id] = [String(made?.appId), String(made?.id)];
    scene.sandbox.store.entitlements.put(appId, id, { ...made, deletedAt: "2026-01-01T00:00:00Z" } as never);
    scene.sandbox.log.clear();
    const said = await scene.remit(0, "plan", "--acknowledge", "nobody");
    expect(said).toContain(`Calls: ${scene.sandbox.log.count()} reads to plan`);
  });

  it("is refused as a saved plan that refers to what it does not create", async () => {
    await remit(0, "plan", "--out", "plan.json");
    const file = join(project.cwd, "plan.json");
    const text = readFileSync(file, "utf8");
    expect(text).not.toContain("\u2039id of");
    writeFileSync(file, text.replaceAll('"pending":"Resource/eng"', '"pending":"Resource/no"'));
    expect(await remit(4, "apply", "plan.json")).toContain("plan/");
    expect(sandbox.log.count({ written: true })).toBe(0);
  });

  it("counts the people of a rule on an entitlement that the plan creates", async () => {
    const said = await remit(0, "plan");
    expect(said).not.toContain("not sent");
    expect(sandbox.log.entries({}).filter(({ path }) => /%E2%80%B9|\u2039/.test(path))).toEqual([]);
  });

  it("may be one row of a shape, which names the same row", async () => {
    const rows = ["eng", "ops"].map((id) => ({ id }));
    const shaped = ({ kind, name, spec }: Manifest, more: object) => ({
      apiVersion: "remit/v1",
      kind,
      metadata: { name },
      forEach: { in: rows, as: "d" },
      spec: { ...spec, ...more },
    });
    const files = [
      shaped({ ...group, name: "group" }, { displayName: { $text: "{d.id}" } }),
      shaped(
        { ...member, name: "member" },
        { appResourceId: { manifest: "group" }, alias: { $text: "{d.id}" } },
      ),
      shaped({ ...rule, name: "rule" }, { appEntitlementId: { manifest: "member" } }),
    ];
    writeFileSync(
      join(project.cwd, "manifests", "all.yaml"),
      files.map((file) => JSON.stringify(file)).join("\n---\n"),
    );
    expect(await remit(0, "plan")).toContain("6 to create");
    await remit(0, "apply", "--yes");
    await remit(0, "plan", "--detailed-exitcode");
    expect(sandbox.store.automations.all()).toHaveLength(2);
  });

  it("is not made without its resource where only a part is selected", async () => {
    const said = await remit(4, "plan", "--target", "Entitlement/eng-member");
    expect(said).toContain("--target Resource/eng");
  });
});

describe("a group, its review and a rule that reads it, in one apply", () => {
  const lead = memberNamed("eng-lead", "eng", { displayName: "Lead" });
  const starter = {
    kind: "AccessProfile",
    name: "starter",
    spec: { appId: C1_APP_ID, displayName: "Starter" },
  };
  const template = { kind: "ReviewTemplate", name: "q4", spec: { displayName: "Q4", ownerIds: ["u1"] } };
  const wholeWith = (reference: JsonObject) => [
    ...ALL,
    lead,
    starter,
    template,
    {
      kind: "EntitlementAutomation",
      name: "leads",
      spec: {
        appId: C1_APP_ID,
        appEntitlementId: { manifest: "eng-lead" },
        entitlements: { entitlementRefs: [{ appId: C1_APP_ID, id: reference }] },
      },
    },
    {
      kind: "TemplateScope",
      name: "q4",
      spec: {
        templateId: { manifest: "q4" },
        scope: {
          specificResources: {},
          userCriteria: { groupAppEntitlementsRef: [{ appId: C1_APP_ID, id: reference }] },
          grantsByCriteria: {
            accessProfileFilter: {
              filterType: "ACCESS_PROFILE_FILTER_TYPE_INCLUDE_SPECIFIC",
              includedAccessProfileIds: [{ manifest: "starter" }],
            },
          },
        },
        entitlements: [{ appId: C1_APP_ID, appEntitlementId: reference }],
      },
    },
  ];

  it.each([
    ["by manifest", { manifest: "eng-member" }],
    ["by the alias that the project gives it", { alias: "eng-member" }],
  ])("are named %s wherever an id stands", async (_, reference) => {
    project.write(wholeWith(reference));
    const flags = ["--acknowledge", "nobody", "--acknowledge", "everyone"];
    const said = await remit(0, "plan", "--out", "plan.json", ...flags);
    expect(said).toContain("‹id of Entitlement/eng-member›");
    expect(said).toContain("‹id of AccessProfile/starter›");
    await remit(0, "apply", "plan.json", ...flags);
    await remit(0, "plan", "--detailed-exitcode");
    const id = sandbox.store.entitlements.all().find(({ alias }) => alias === "eng-member")?.id;
    const [setup] = sandbox.store.templates.all();
    expect(JSON.stringify(setup)).toContain(JSON.stringify(id));
    expect(JSON.stringify(sandbox.store.automations.all())).toContain(JSON.stringify(id));
    expect(JSON.stringify([sandbox.store.templates.all(), sandbox.store.automations.all()])).not.toContain(
      "‹id of",
    );
  });
});
