import { describe, expect, it } from "vitest";
import { entitlementAutomation } from "../../../src/kinds/entitlementAutomation.js";
import { kinds } from "../../../src/kinds/index.js";
import { resourceType } from "../../../src/kinds/resourceType.js";
import { templateScope } from "../../../src/kinds/templateScope.js";
import { NO_VOCABULARY } from "../../../src/manifest/vocabulary.js";
import { makePlan } from "../../../src/plan/make.js";
import type { Mode } from "../../../src/plan/plan.js";
import { parseSelector } from "../../../src/plan/select/labels.js";
import { select } from "../../../src/plan/select/select.js";
import { absent, current, entry, lookOf, present, snapshot, wish } from "../worlds.js";

const [APP, ENT, TEMPLATE] = ["app1", "ent1", "template1"];
const type = (id: string, labels = {}) =>
  wish(resourceType, `type-${id}`, { appId: APP, id, displayName: "T" }, { labels });
const world = {
  kinds,
  desired: [
    wish(templateScope, "q4", {
      templateId: TEMPLATE,
      entitlements: [{ appId: APP, appEntitlementId: ENT }],
    }),
    wish(entitlementAutomation, "group", { appId: APP, appEntitlementId: ENT, displayName: "G" }),
    type("a", { team: "security" }),
    type("b", { team: "platform" }),
  ],
  current: current("full", [
    [resourceType, [APP, "a"], present([APP, "a"], {})],
    [resourceType, [APP, "b"], present([APP, "b"], {})],
    [entitlementAutomation, [APP, ENT], absent],
    [templateScope, [TEMPLATE], present([TEMPLATE], {})],
  ]),
  snapshot: snapshot([entry(resourceType, "old", [APP, "z"], { displayName: "Z" })]),
};
const chosen = (mode: Partial<Mode>) => makePlan(lookOf({ ...world, mode }));
const names = (mode: Partial<Mode>) => chosen(mode).value.steps.map(({ address }) => address.name);

describe("--target", () => {
  it.each<[readonly string[], readonly string[]]>([
    [["ResourceType/type-a"], ["type-a"]],
    [["ResourceType"], ["type-a", "type-b"]],
    [["ResourceType/type-*"], ["type-a", "type-b"]],
    [["*/*-b", "ResourceType/o*d"], ["type-b"]],
    [["EntitlementAutomation"], ["group"]],
    [["ResourceType/old"], ["old"]],
    [["ResourceType/old@app1/z"], ["old"]],
  ])("%j", (targets, expected) => {
    expect(names({ targets })).toEqual(expected);
  });

  it.each([
    ["ResourceType/typ-a", "Did you mean ResourceType/type-a?"],
    ["ResourceTyp/type-a", "Did you mean ResourceType/type-a?"],
    ["ResourceTyp", "Did you mean ResourceType?"],
    ["type-b", "Did you mean ResourceType/type-b?"],
    ["ResourceType/vendors", "The nearest: ResourceType/type-a, ResourceType/type-b."],
  ])("that is nothing suggests what is nearest: %s", (target, hint) => {
    expect(chosen({ targets: [target] }).diagnostics).toMatchObject([
      { code: "plan/idle-target", hint: expect.stringContaining(hint) },
    ]);
  });

  it("leaves alone the automation of an entitlement that the target points at", () => {
    expect(names({ targets: ["TemplateScope/q4"] })).toEqual(["q4"]);
  });

  it("that is the address of nothing is an error", () => {
    expect(chosen({ targets: ["ResourceType/typo"] }).diagnostics).toMatchObject([
      { code: "plan/idle-target" },
    ]);
  });
});

describe("-l", () => {
  it("selects by label, and leaves alone what has no manifest", () => {
    expect(names({ selector: "team=security" })).toEqual(["type-a"]);
  });

  it.each<[string, boolean]>([
    ["", true],
    ["team=security", true],
    ["team==security,tier!=low", true],
    ["team=platform", false],
    ["team in (platform, security)", true],
    ["team notin (platform, security)", false],
    ["team", true],
    ["!team", false],
    ["!constructor", true],
    ["constructor", false],
  ])("%s", (selector, expected) => {
    expect(parseSelector(selector).value({ team: "security" })).toBe(expected);
  });

  it("that selects nothing is warned of", () => {
    expect(chosen({ selector: "team=nobody" }).diagnostics).toMatchObject([
      {
        code: "plan/idle-selector",
        severity: "warning",
        hint: "The nearest: team=platform, team=security. Nothing is planned.",
      },
    ]);
    expect(chosen({ selector: "taem=security" }).diagnostics).toMatchObject([
      { hint: "Did you mean team=security? Nothing is planned." },
    ]);
    expect(chosen({ selector: "team" }).diagnostics).toEqual([]);
  });

  it("that cannot be read is an error, and selects nothing", () => {
    const choice = { targets: [], selector: "team==(" };
    const resources = world.desired.map(({ resource }) => resource);
    const project = {
      resources,
      sources: [],
      vocabulary: NO_VOCABULARY,
      diagnostics: [],
      unclear: [],
      chosen: null,
      isComplete: true,
    };
    expect(select(project, choice)).toMatchObject({
      value: [],
      diagnostics: [{ code: "plan/bad-selector", severity: "error" }],
    });
  });
});
