import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { entitlementAutomation } from "../../src/kinds/entitlementAutomation.js";
import { kinds } from "../../src/kinds/index.js";
import { templateScope } from "../../src/kinds/templateScope.js";
import type { JsonObject } from "../../src/model/json.js";
import { isDriftDangerous } from "../../src/plan/guards/guards.js";
import { isAboutUsers, questionsOf } from "../../src/plan/people/question.js";
import { current, entry, planOf, present, snapshot, wish } from "./worlds.js";

const KEY = ["app1", "e"];
const IDENTITY = { appId: "app1", appEntitlementId: "e" };
const cel = (expression: string) => ({ cel: { expression } });

/** An automation as it was applied, as the tenant has it now, and as the manifest has it. */
function automation(applied: JsonObject | null, now: JsonObject, wanted: JsonObject) {
  return {
    kinds,
    desired: [wish(entitlementAutomation, "g", { ...IDENTITY, ...wanted })],
    current: current("full", [[entitlementAutomation, KEY, present(KEY, now)]]),
    snapshot: snapshot(applied === null ? [] : [entry(entitlementAutomation, "g", KEY, applied)]),
  };
}

const guardsIn = (world: Parameters<typeof planOf>[0]) => planOf(world).findings.map(({ guard }) => guard);
const asked = (world: Parameters<typeof planOf>[0]) =>
  questionsOf(planOf(world).steps).map((question) =>
    isAboutUsers(question) ? [question.before, question.after] : null,
  );

describe("a change of the tenant that the manifest accepts", () => {
  const NARROW = { ...cel("subject.a == 'x'"), displayName: "G" };
  const OPEN = { ...cel("true"), displayName: "G" };

  it.each<[string, JsonObject | null, JsonObject, JsonObject, readonly string[]]>([
    ["a rule that was opened", NARROW, OPEN, OPEN, ["everyone"]],
    ["a rule that was opened, with another edit", NARROW, OPEN, { ...OPEN, displayName: "H" }, ["everyone"]],
    ["a rule that was closed", NARROW, { none: {} }, { none: {} }, ["nobody"]],
    ["a rule that was narrowed", OPEN, NARROW, NARROW, []],
    ["another name", NARROW, { ...NARROW, displayName: "H" }, { ...NARROW, displayName: "H" }, []],
    ["white space alone", cel("subject.a=='x'"), cel("subject.a == 'x'"), cel("subject.a == 'x'"), []],
    ["an open rule that no apply recorded", null, OPEN, OPEN, []],
    ["an open rule that was applied", OPEN, OPEN, { ...OPEN, displayName: "H" }, []],
  ])("asks the guards about %s", (_, applied, now, wanted, guards) => {
    expect(guardsIn(automation(applied, now, wanted))).toEqual(guards);
  });

  it("counts people from the rule of the last apply", () => {
    const world = automation(NARROW, OPEN, OPEN);
    expect(planOf(world).steps).toMatchObject([{ action: "adopt", reason: "drift accepted" }]);
    expect(asked(world)).toEqual([[cel("subject.a == 'x'"), cel("true")]]);
    expect(asked(automation(null, OPEN, OPEN))).toEqual([]);
    expect(asked(automation(OPEN, OPEN, OPEN))).toEqual([]);
  });

  it("counts people from the tenant's rule where the manifest has another one", () => {
    expect(asked(automation(NARROW, OPEN, cel("subject.b")))).toEqual([[cel("true"), cel("subject.b")]]);
  });

  it("is asked about where a rename or a new protection is recorded with it", () => {
    const world = automation(NARROW, OPEN, OPEN);
    const desired = [wish(entitlementAutomation, "renamed", { ...IDENTITY, ...OPEN })];
    expect(guardsIn({ ...world, desired })).toEqual(["everyone"]);
  });

  it("is asked about in a scope, also where a part of it is edited", () => {
    const key = ["t"];
    const scope = (users: JsonObject, more: JsonObject = {}) => ({ scope: { ...users, ...more } });
    const criteria = { userCriteria: { userStatus: ["ENABLED"] } };
    const world = (wanted: JsonObject) => ({
      kinds,
      desired: [wish(templateScope, "q4", { templateId: "t", ...wanted })],
      current: current("full", [[templateScope, key, present(key, scope({ allUsers: {} }))]]),
      snapshot: snapshot([entry(templateScope, "q4", key, scope(criteria))]),
    });
    expect(guardsIn(world(scope({ allUsers: {} })))).toEqual(["everyone"]);
    const edited = scope({ allUsers: {} }, { principalTypeFilter: "PRINCIPAL_TYPE_FILTER_RESOURCES" });
    expect(guardsIn(world(edited))).toEqual(["everyone"]);
  });

  it("trips no guard in a plan of drift alone, which shows how dangerous it is", () => {
    const world = { ...automation(NARROW, OPEN, NARROW), mode: { refreshOnly: true } };
    const { steps, findings } = planOf(world);
    expect(findings).toEqual([]);
    expect(steps.map((step) => isDriftDangerous(step))).toEqual([true]);
    expect(asked(world)).toEqual([[cel("subject.a == 'x'"), cel("true")]]);
  });

  it("may be changed back, also to a rule that holds for no one", () => {
    const closed = { none: {} };
    expect(guardsIn(automation(closed, OPEN, closed))).toEqual([]);
    expect(guardsIn(automation(NARROW, OPEN, closed))).toEqual(["nobody"]);
  });

  it("is asked about as an edit of the same fields is", () => {
    const expression = fc.constantFrom(
      "true",
      "false",
      "subject.a",
      "subject.b == 'x' || true",
      "!subject.a",
    );
    const rule = fc.oneof(expression.map(cel), fc.constant({ none: {} }));
    fc.assert(
      fc.property(rule, rule, (applied, now) => {
        const edit = guardsIn(automation(applied, applied, now));
        expect(guardsIn(automation(applied, now, now))).toEqual(edit);
      }),
    );
  });
});
