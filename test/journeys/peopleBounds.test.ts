import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ROOT } from "../../src/sandbox/tenant/store.js";
import { C1_APP_ID } from "../../src/sandbox/tenant/tenant.js";
import { type GroupScene, memberNamed, openGroups, resourceNamed, ruleNamed } from "../fakes/groups.js";
import type { Manifest, Spec } from "../fakes/project.js";

/** A number of people is a bound over every step that may move someone. What was not counted is not no one. */

const group = (name: string) => [resourceNamed(name, name), memberNamed(`${name}-member`, name)];
const rule = (name: string, expression: string): Manifest => {
  const { none: _, ...spec } = ruleNamed(name, `${name}-member`).spec;
  return { kind: "EntitlementAutomation", name, spec: { ...spec, cel: { expression } } };
};
const TAX = 'subject.department == "Tax"';

let scene: GroupScene;
beforeEach(async () => {
  scene = await openGroups();
  for (const [at, department] of ["Tax", "Tax", "Tax", "Law", "Law"].entries()) {
    const user = {
      id: `u${at}`,
      displayName: `U${at}`,
      email: `u${at}@x.test`,
      status: "ENABLED",
      department,
    };
    scene.sandbox.store.users.put(ROOT, user.id, user);
  }
});
afterEach(() => scene.close());

const ids = () => new Map(scene.made().map(({ alias, id }) => [String(alias), String(id)]));
const apply = (manifests: readonly Manifest[]) => {
  scene.project.write(manifests);
  return scene.remit(0, "apply", "--yes", "--acknowledge", "nobody", "--acknowledge", "everyone");
};
const plan = (manifests: readonly Manifest[], code = 0, ...more: readonly string[]) => {
  scene.project.write(manifests);
  return scene.remit(code, "plan", ...more);
};

describe("a new group", () => {
  it("has the people whom its rule matches, in the plan that makes it", async () => {
    expect(await plan([...group("tax"), rule("tax", TAX)])).toContain(
      "People: no one loses access, 3 gain it (1 rule, of 3 users with department Tax).",
    );
  });
});

describe("an access profile", () => {
  const member = { appId: { name: "C1" }, id: { manifest: "tax-member" } };
  const profile = (spec: Spec): Manifest => ({
    kind: "AccessProfile",
    name: "starter",
    spec: { displayName: "Starter", published: true, requestableEntries: [member], ...spec },
  });
  const runs = (expression: string, more: object = {}) => ({
    bundleAutomation: { enabled: true, cel: { expression }, ...more },
  });
  const all = (spec: Spec) => [...group("tax"), profile(spec)];

  it("enrolls those whom its rule matches, new or edited", async () => {
    expect(await plan(all(runs(TAX)))).toContain(
      "People: no one loses access, 3 gain it (1 rule, of 3 users with department Tax).",
    );
    await apply(all({}));
    expect(await plan(all(runs(TAX)))).toContain(
      "at most 3 gain it (1 rule, of 3 users with department Tax).",
    );
    expect(await plan(all(runs(TAX, { enabled: false })))).not.toContain("gain");
    expect(await plan(all(runs(TAX, { createTasks: true })))).toContain(
      "at most 3 gain it (1 rule, of 3 users with department Tax).",
    );
  });

  it("is seen by the limits in people and by the guards for everyone and no one", async () => {
    await apply(all(runs(TAX)));
    scene.guard({ maxGaining: 0, changesFloor: 0 });
    expect(await plan(all(runs("subject.department != ''")), 4)).toContain("max-gaining");
    expect(await plan(all(runs("true")), 4)).toContain("everyone");
    scene.guard({});
    expect(await plan(all(runs("false")), 4)).toContain("nobody");
  });

  it("says that those who are enrolled may gain and lose what it offers", async () => {
    await apply(all({}));
    const [made] = scene.sandbox.store.catalogs.all();
    scene.grant(String(made?.id), 4);
    expect(await plan(all({ requestableEntries: [] }))).toContain(
      "People: at most 4 lose access, no one gains it (1 access profile with people enrolled).",
    );
    expect(await plan(all({ visibleToEveryone: true }))).toContain(
      "Requests: who may request what 1 access profile offers changes, and is not counted.",
    );
  });
});

describe("the deletes of a group", () => {
  const KEPT = { kind: "Webhook", name: "desk", spec: { displayName: "Desk", url: "https://a.example" } };
  const grant = (alias: string, people: number) => scene.grant(ids().get(alias) ?? "", people);

  beforeEach(async () => {
    await apply([...group("tax"), rule("tax", TAX), KEPT]);
    scene.project.write([KEPT]);
  });

  it("take each person's access once, and are seen by the limits in people", async () => {
    grant("tax-member", 9);
    scene.decide({
      "Resource/tax": "delete",
      "Entitlement/tax-member": "delete",
      "EntitlementAutomation/tax": "delete",
    });
    expect(await scene.remit(0, "plan")).toContain("People: 9 lose access, no one gains it");
    scene.guard({ maxLosing: 5, changesFloor: 0 });
    expect(await scene.remit(4, "plan")).toContain("up to 9 people would lose access; the limit is 5");
  });

  it("do not believe a count of 0 beside nine grants", async () => {
    grant("tax-member", 9);
    const id = ids().get("tax-member") ?? "";
    const { entitlements } = scene.sandbox.store;
    const row = entitlements.get(C1_APP_ID, id);
    if (row === undefined) throw new Error("the group has no entitlement");
    entitlements.put(C1_APP_ID, id, { ...row, grantCount: "0" });
    scene.decide({
      "Resource/tax": "delete",
      "Entitlement/tax-member": "delete",
      "EntitlementAutomation/tax": "delete",
    });
    const said = await scene.remit(4, "plan");
    expect(said).toContain("People: 9 lose access");
    expect(said).toContain("at least 9 grants of 9 people");
    expect(said).toContain(
      "deletes-unknown Entitlement/tax-member: it would be deleted, and what is deleted with it is unknown: the service counts fewer grants than it lists",
    );
  });

  it("count people once who hold a group by its rule", async () => {
    for (const at of [0, 1, 2]) scene.give(ids().get("tax-member") ?? "", `u${at}`);
    scene.decide({
      "Resource/tax": "delete",
      "Entitlement/tax-member": "delete",
      "EntitlementAutomation/tax": "delete",
    });
    expect(await scene.remit(0, "plan")).toContain("People: 3 lose access, no one gains it");
  });

  it("count no grant that has ended for certain", async () => {
    grant("tax-member", 9);
    scene.end(ids().get("tax-member") ?? "", 2);
    scene.decide({
      "Resource/tax": "delete",
      "Entitlement/tax-member": "delete",
      "EntitlementAutomation/tax": "delete",
    });
    expect(await scene.remit(0, "plan")).toContain("People: 7 to 9 lose access, no one gains it");
  });
});

describe("a rule that follows", () => {
  const asks = (alias: string) =>
    `c1.user.v1.HasEntitlement(subject, "${C1_APP_ID}", "${ids().get(alias) ?? ""}")`;
  const GROUPS = [...group("tax"), ...group("one"), ...group("two")];

  beforeEach(async () => {
    await apply([...GROUPS, rule("tax", TAX)]);
    await apply([
      ...GROUPS,
      rule("tax", TAX),
      rule("one", asks("tax-member")),
      rule("two", asks("one-member")),
    ]);
  });
  const edited = () => [
    ...GROUPS,
    rule("tax", 'subject.department == "Law"'),
    rule("one", asks("tax-member")),
    rule("two", asks("one-member")),
  ];

  it("is counted, and so is the rule that follows it", async () => {
    const said = await plan(edited());
    expect(said).toContain("2 rules that follow");
    expect(said).toContain(
      "`EntitlementAutomation/one`, which asks for what `EntitlementAutomation/tax` gives",
    );
    expect(said).toContain(
      "`EntitlementAutomation/two`, which asks for what `EntitlementAutomation/one` gives",
    );
  });

  it.each([
    ["a target", ["--target", "EntitlementAutomation/tax"]],
    ["a label", ["-l", "part=tax"]],
  ])("is counted beside a plan of a part, by %s", async (_, flags) => {
    const labelled = edited().map((one) =>
      one.name === "tax" && one.kind === "EntitlementAutomation" ? { ...one, labels: { part: "tax" } } : one,
    );
    const said = await plan(labelled, 0, ...flags);
    expect(said).toContain("1 to change");
    expect(said).toContain("2 rules that follow");
    expect(said).toContain("An hour later");
  });

  it("is seen by the limits in people", async () => {
    scene.guard({ maxGaining: 1, changesFloor: 0 });
    expect(await plan(edited(), 4)).toContain("max-gaining");
  });
});

describe("a review", () => {
  const template: Manifest = {
    kind: "ReviewTemplate",
    name: "q4",
    spec: { displayName: "Q4", ownerIds: ["u0"] },
  };
  const scope = (users: Spec, aliases: readonly string[]): Manifest => ({
    kind: "TemplateScope",
    name: "q4",
    spec: {
      templateId: { manifest: "q4" },
      scope: { specificResources: {}, ...users },
      entitlements: aliases.map((alias) => ({ appId: C1_APP_ID, appEntitlementId: ids().get(alias) ?? "" })),
    },
  });
  const GROUPS = [...group("tax"), ...group("one"), rule("tax", TAX), template];
  const ALL = { allUsers: {} };

  beforeEach(async () => {
    await apply(GROUPS);
    for (const at of [0, 1, 2]) scene.give(ids().get("tax-member") ?? "", `u${at}`);
    for (const at of [3, 4]) scene.give(ids().get("one-member") ?? "", `u${at}`);
  });

  it("has no one who leaves it where it is new, and everyone who holds what it asks for enters", async () => {
    expect(await plan([...GROUPS, scope(ALL, ["tax-member"])])).toContain(
      "Reviews: no one leaves a review, 3 enter one (1 scope, from the next campaign on).",
    );
  });

  it("is entered and left by those who hold what is added and taken out", async () => {
    await apply([...GROUPS, scope(ALL, ["tax-member"])]);
    expect(await plan([...GROUPS, scope(ALL, ["tax-member", "one-member"])])).toContain("2 enter one");
    expect(await plan([...GROUPS, scope(ALL, ["one-member"])])).toContain(
      "Reviews: 3 leave a review and keep access, 2 enter one",
    );
    const older = scope({ ...ALL, grantsByCriteria: { daysSinceLastUsed: "30d" } }, ["tax-member"]);
    expect(await plan([...GROUPS, older])).toContain("at most 3 leave a review");
  });

  it.each([
    ["an expression", () => ({ celExpression: { expression: asksFor("tax-member") } })],
    ["its criteria", () => ({ userCriteria: { groupAppEntitlementsRef: [groupRef("tax-member")] } })],
  ])("that stays is not the same where the group changes hands that it asks for in %s", async (_, users) => {
    const GROUP = scope(users(), ["tax-member", "one-member"]);
    await apply([...GROUPS, GROUP]);
    const [, , , , , ...rest] = GROUPS;
    const edited = [...group("tax"), ...group("one"), rule("tax", 'subject.department == "Law"'), ...rest];
    const said = await plan([...edited, GROUP]);
    expect(said).toContain("`TemplateScope/q4`, which asks for what `EntitlementAutomation/tax` gives");
    expect(said).toContain("1 review that follows");
    const both = await plan([...edited, scope(users(), ["one-member"])]);
    expect(both).not.toContain("no one enters or leaves");
  });

  const asksFor = (alias: string) =>
    `c1.user.v1.HasEntitlement(subject, "${C1_APP_ID}", "${ids().get(alias) ?? ""}")`;
  const groupRef = (alias: string) => ({ appId: C1_APP_ID, id: ids().get(alias) ?? "" });
});
