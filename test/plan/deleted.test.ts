import { describe, expect, it } from "vitest";
import { entitlementAutomation } from "../../src/kinds/entitlementAutomation.js";
import { resourceType } from "../../src/kinds/resourceType.js";
import { templateScope } from "../../src/kinds/templateScope.js";
import { wasDeleted } from "../../src/plan/step.js";
import { absent, current, entry, planOf, present, snapshot, wish } from "./worlds.js";

const APP = "2fsgTvxP0DVTsNXEUBI7hOe0l5C";
const ENT = "2fsgTvxP0DVTsNXEUBI7hOe0l5D";
const TYPE = "2fsgTvxP0DVTsNXEUBI7hOe0l5E";
const TEMPLATE = "2fsgTvxP0DVTsNXEUBI7hOe0l5A";
const FILTER = { userCriteria: { userStatus: ["ENABLED"] } };

const group = wish(entitlementAutomation, "group", {
  appId: APP,
  appEntitlementId: ENT,
  displayName: "Group",
});
const scope = wish(templateScope, "q4", { templateId: TEMPLATE, scope: FILTER });
const team = wish(resourceType, "team", { appId: APP, resourceType: "ROLE", displayName: "Team" });

interface Given {
  readonly desired: readonly ReturnType<typeof wish>[];
  readonly seen: Parameters<typeof current>[1];
  readonly snapshot?: ReturnType<typeof snapshot>;
}

describe("what was deleted in the tenant", () => {
  it.each<[string, Given, readonly (readonly [action: string, deleted: boolean])[]]>([
    [
      "is an object of the state that is made again",
      {
        desired: [group],
        seen: [[entitlementAutomation, [APP, ENT], absent]],
        snapshot: snapshot([entry(entitlementAutomation, "group", [APP, ENT], { displayName: "Group" })]),
      },
      [["create", true]],
    ],
    [
      "is an object that remit cannot make again",
      {
        desired: [scope],
        seen: [[templateScope, [TEMPLATE], absent]],
        snapshot: snapshot([entry(templateScope, "q4", [TEMPLATE], { scope: FILTER })]),
      },
      [["blocked", true]],
    ],
    [
      "is an object whose id the service chose; its record is dropped beside",
      {
        desired: [{ ...team, key: [APP, TYPE] }],
        seen: [[resourceType, [APP, TYPE], absent]],
        snapshot: snapshot([entry(resourceType, "team", [APP, TYPE], { displayName: "Team" })]),
      },
      [
        ["create", true],
        ["forget", false],
      ],
    ],
    [
      "is no object that remit never managed",
      {
        desired: [group, scope],
        seen: [
          [entitlementAutomation, [APP, ENT], absent],
          [templateScope, [TEMPLATE], absent],
        ],
      },
      [
        ["blocked", false],
        ["create", false],
      ],
    ],
    [
      "is no object that is there",
      {
        desired: [group],
        seen: [[entitlementAutomation, [APP, ENT], present([APP, ENT], { displayName: "Other" })]],
        snapshot: snapshot([entry(entitlementAutomation, "group", [APP, ENT], { displayName: "Group" })]),
      },
      [["update", false]],
    ],
  ])("%s", (_title, { desired, seen, snapshot: state }, expected) => {
    const { steps } = planOf({
      desired,
      current: current("full", seen),
      ...(state && { snapshot: state }),
    });
    const found = steps.map((step) => [step.action, wasDeleted(step)]);
    expect(found.sort()).toEqual(expected);
  });
});
