import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { JsonObject } from "../../src/model/json.js";
import { ROOT } from "../../src/sandbox/tenant/store.js";
import { C1_APP_ID } from "../../src/sandbox/tenant/tenant.js";
import { type GroupScene, memberNamed, openGroups, resourceNamed } from "../fakes/groups.js";
import type { Manifest } from "../fakes/project.js";

/** The life of a list of configuration rules: written, changed, reordered and emptied, also from where an apply stopped. */

const listOf = (...rules: readonly JsonObject[]): Manifest => ({
  kind: "AppConfigurationRules",
  name: "own",
  spec: { appId: { name: "C1" }, rules: [...rules] },
});
const rule = (displayName: string, maxGrantDuration: string, condition?: string): JsonObject => ({
  displayName,
  ...(condition !== undefined && { condition }),
  settings: { maxGrantDuration, emergencyGrantEnabled: false },
});
const admins = rule("Admins", "8h", 'entitlement.displayName.contains("Admin")');
const readers = rule("Readers", "90d", 'entitlement.slug == "reader"');
const rest = rule("Rest", "30d");

let scene: GroupScene;
beforeEach(async () => {
  scene = await openGroups();
  scene.project.write([listOf(admins, rest)]);
});
afterEach(() => scene.close());

const remit = (code: number, ...argv: readonly string[]) => scene.remit(code, ...argv);
const rules = () =>
  (scene.sandbox.store.apps.get(ROOT, C1_APP_ID) as unknown as { configurationRules?: JsonObject[] })
    .configurationRules ?? [];
const names = () =>
  rules().map(({ displayName, enabled }) => `${displayName} ${enabled === true ? "on" : "off"}`);
const writes = () => scene.sandbox.log.count({ written: true });

describe("a list of configuration rules", () => {
  it("is written in order, and each way to change it ends in an empty plan", async () => {
    await remit(0, "apply", "--yes");
    expect(names()).toEqual(["Admins on", "Rest on"]);
    const ways: readonly (readonly [JsonObject[], number])[] = [
      [[admins, { ...rest, settings: { maxGrantDuration: "20d" } }], 1],
      [[admins, readers, rest], 4],
      [[readers, admins, rest], 1],
      [[{ ...readers, disabled: true }, admins, rest], 1],
      [[admins, rest], 1],
      [[rest], 1],
    ];
    for (const [to, calls] of ways) {
      const before = writes();
      scene.project.write([listOf(...to)]);
      await remit(0, "apply", "--yes");
      expect(writes() - before).toBe(calls);
      expect(names()).toEqual(to.map((one) => `${one.displayName} ${one.disabled === true ? "off" : "on"}`));
    }
    expect(await remit(0, "plan", "--detailed-exitcode")).toContain("Nothing to do");
  });

  it.each([
    ["CreateConfigurationRule", { fault: "reset", written: true }],
    ["ReorderConfigurationRules", { fault: "error", status: 403 }],
    ["DeleteConfigurationRule", { fault: "error", status: 403 }],
  ])("goes on where %s failed with %o", async (operation, fault) => {
    await remit(0, "apply", "--yes");
    scene.project.write([
      listOf(readers, rule("Admins", "8h", 'entitlement.alias == "a"'), rule("Rest", "1d")),
    ]);
    scene.disturb(operation, fault);
    const { code } = await scene.run("apply", "--yes");
    expect(code).not.toBe(0);
    await remit(0, "apply", "--yes");
    expect(names()).toEqual(["Readers on", "Admins on", "Rest on"]);
    expect(await remit(0, "plan", "--detailed-exitcode")).toContain("Nothing to do");
  });

  it("is not written where the service does not show every rule", async () => {
    await remit(0, "apply", "--yes");
    const before = writes();
    scene.project.write([listOf(rest)]);
    scene.sandbox.faults.set({ seed: 1, rules: [{ fault: "quirks", quirks: { cutRules: true } }] });
    expect(await remit(3, "apply", "--yes")).toContain(
      "entitlement_configuration_rules: gave a page token a second time: the list has no end",
    );
    expect(writes()).toBe(before);
  });

  it("asks before a rule opens the way of emergencies", async () => {
    await remit(0, "apply", "--yes");
    const settings = { emergencyGrantEnabled: true, emergencyGrantPolicyId: "p" };
    scene.project.write([listOf(admins, { ...rest, settings }, { ...readers, settings, disabled: true })]);
    expect(await remit(4, "plan")).toContain(
      'emergencyGrantEnabled would be true in the rule "Rest", so people may ask under the policy for emergencies',
    );
  });

  it("says in its plan for which entitlements each rule decides, before and after", async () => {
    await remit(0, "apply", "--yes");
    const group = (name: string, displayName: string) => [
      resourceNamed(name, displayName),
      memberNamed(`${name}-member`, name, { displayName: `${displayName} member` }),
    ];
    const groups = [...group("admins", "Admin"), ...group("staff", "Staff")];
    scene.project.write([listOf(admins, rest), ...groups]);
    await remit(0, "apply", "--yes");
    const role = rule("Roles", "2h", 'entitlement.role.displayName == "Owner"');
    scene.project.write([listOf(role, readers, admins, rest), ...groups, ...group("new", "New Admin")]);
    for (const said of [
      'the rule "Roles" decides for at most 4 entitlements: Access, Admin member, New Admin member, Staff member',
      'whether the rule "Roles" holds is not known: the rule asks for entitlement.role, which remit did not read',
      'the rule "Admins" decides for at most 2 entitlements (before: 1), newly for New Admin member',
    ])
      expect(await remit(0, "plan")).toContain(said);
    scene.project.write([listOf(rest, admins), ...groups]);
    for (const said of [
      'the rule "Rest" decides for 3 entitlements (before: 2), newly for Admin member',
      'the rule "Admins" decides for 0 entitlements (before: 1)',
      'the rule "Rest" takes every entitlement, so this rule decides for none',
    ])
      expect(await remit(0, "plan")).toContain(said);
    expect(await remit(0, "plan", "--impact", "off")).toContain(
      "was not counted: --impact off counts nothing",
    );
    expect(await remit(0, "plan", "--offline")).toContain("was not counted: an offline plan reads nothing");
    await remit(0, "plan", "--out", "plan.json");
    await remit(0, "apply", "plan.json", "--yes");
  });

  it("is imported as it is", async () => {
    await remit(0, "apply", "--yes");
    scene.project.write([]);
    await remit(0, "import", "AppConfigurationRules");
    const text = readFileSync(
      join(scene.project.cwd, "manifests", "app-configuration-rules", "c1.yaml"),
      "utf8",
    );
    expect(text).toMatch(/^apiVersion/);
    expect(text).toContain(
      'rules:\n    - displayName: Admins\n      condition: entitlement.displayName.contains("Admin")\n      settings:\n        maxGrantDuration: 8h\n    - displayName: Rest\n',
    );
    expect(await remit(0, "plan")).toContain("1 to rename");
  });
});
