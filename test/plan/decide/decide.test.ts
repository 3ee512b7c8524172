import { describe, expect, it } from "vitest";
import { entitlementAutomation } from "../../../src/kinds/entitlementAutomation.js";
import { resourceType } from "../../../src/kinds/resourceType.js";
import { templateScope } from "../../../src/kinds/templateScope.js";
import { parseAcknowledgement } from "../../../src/plan/guards/acknowledge.js";
import { absent, current, entry, line, planOf, present, snapshot, wish } from "../worlds.js";

const APP = "2fsgTvxP0DVTsNXEUBI7hOe0l5C";
const ENT = "2fsgTvxP0DVTsNXEUBI7hOe0l5D";
const TYPE = "2fsgTvxP0DVTsNXEUBI7hOe0l5E";
const TEMPLATE = "2fsgTvxP0DVTsNXEUBI7hOe0l5A";
const FILTER = { appSelectionCriteria: { riskLevelAttributeValueIds: [TYPE] } };

const type = (fields: object, more?: object) =>
  wish(resourceType, "team", { appId: APP, id: TYPE, ...fields }, more);
const group = (fields: object) =>
  wish(entitlementAutomation, "group", { appId: APP, appEntitlementId: ENT, ...fields });
const scope = (fields: object) => wish(templateScope, "q4", { templateId: TEMPLATE, ...fields });
const live = (...facts: Parameters<typeof current>[1]) => current("full", facts);
const blind = current("core", []);
const typeIs = (fields: object) => live([resourceType, [APP, TYPE], present([APP, TYPE], { ...fields })]);
const applied = (fields: object, more?: object) =>
  snapshot([entry(resourceType, "team", [APP, TYPE], { ...fields }, more)]);

describe("where the service reads", () => {
  it.each<[string, Parameters<typeof planOf>[0], string]>([
    [
      "creates what is not there",
      {
        desired: [group({ displayName: "G", cel: { expression: "a" } })],
        current: live([entitlementAutomation, [APP, ENT], absent]),
      },
      "create EntitlementAutomation/group: not in tenant",
    ],
    [
      "creates again what is gone",
      {
        desired: [group({ displayName: "G" })],
        current: live([entitlementAutomation, [APP, ENT], absent]),
        snapshot: snapshot([entry(entitlementAutomation, "group", [APP, ENT], { displayName: "G" })]),
      },
      "create EntitlementAutomation/group: gone from tenant",
    ],
    [
      "updates what differs",
      { desired: [type({ displayName: "Team" })], current: typeIs({ displayName: "Crew" }) },
      "update ResourceType/team: differs",
    ],
    [
      "adopts what is already as wanted",
      { desired: [type({ displayName: "Team" })], current: typeIs({ displayName: "Team" }) },
      "adopt ResourceType/team: already as wanted",
    ],
    [
      "keeps what is in sync",
      {
        desired: [type({ displayName: "Team" })],
        current: typeIs({ displayName: "Team" }),
        snapshot: applied({ displayName: "Team" }),
      },
      "keep ResourceType/team: in sync",
    ],
    [
      "writes again what the service keeps with another value than was sent",
      {
        desired: [type({ displayName: "team" })],
        current: typeIs({ displayName: "Team" }),
        snapshot: applied({ displayName: "team" }, { answered: { displayName: "Team" } }),
      },
      "update ResourceType/team: differs",
    ],
    [
      "records a new name of the same object",
      {
        desired: [type({ displayName: "Team" })],
        current: typeIs({ displayName: "Team" }),
        snapshot: snapshot([entry(resourceType, "crew", [APP, TYPE], { displayName: "Team" })]),
      },
      "adopt ResourceType/team: renamed",
    ],
    [
      "records that a field is given back",
      {
        desired: [type({ displayName: "Team" })],
        current: typeIs({ displayName: "Team", traitIds: ["t"] }),
        snapshot: applied({ displayName: "Team", traitIds: ["t"] }),
      },
      "adopt ResourceType/team: given back",
    ],
    [
      "records a new protection",
      {
        desired: [type({ displayName: "Team" }, { annotations: { "remit/protect": "true" } })],
        current: typeIs({ displayName: "Team" }),
        snapshot: applied({ displayName: "Team" }),
      },
      "adopt ResourceType/team: protection changed",
    ],
    [
      "leaves alone what another object manages",
      {
        desired: [group({ displayName: "G" })],
        current: live([
          entitlementAutomation,
          [APP, ENT],
          present([APP, ENT], { displayName: "X" }, "catalog"),
        ]),
      },
      "keep EntitlementAutomation/group: managed elsewhere",
    ],
    [
      "blocks a set on a template that is not there",
      { desired: [scope({ scope: FILTER })], current: live([templateScope, [TEMPLATE], absent]) },
      "blocked TemplateScope/q4: parent missing",
    ],
    [
      "blocks the creation of an id that the service chooses",
      {
        desired: [type({ displayName: "Team", resourceType: "ROLE" })],
        current: live([resourceType, [APP, TYPE], absent]),
      },
      "blocked ResourceType/team: cannot create",
    ],
    [
      "blocks what could not be read",
      {
        desired: [type({ displayName: "Team" })],
        current: live([
          resourceType,
          [APP, TYPE],
          { as: "unread", diagnostic: { code: "service/failed", severity: "error", message: "502" } },
        ]),
      },
      "blocked ResourceType/team: read failed",
    ],
    [
      "blocks what a name did not lead to",
      {
        desired: [{ ...type({ displayName: "Team" }), key: null }],
        current: live([
          resourceType,
          "team",
          { as: "unread", diagnostic: { code: "reference/unseen", severity: "warning", message: "no" } },
        ]),
      },
      "blocked ResourceType/team: reference not found",
    ],
  ])("%s", (_, from, expected) => {
    expect(planOf(from).steps.map(line)).toEqual([expected]);
  });

  it("says a given-back field once, and then keeps", () => {
    const world = {
      desired: [type({ displayName: "Team" })],
      current: typeIs({ displayName: "Team" }),
    };
    const once = planOf({ ...world, snapshot: applied({ displayName: "Team", traitIds: ["t"] }) });
    expect(once.steps[0]?.recorded.givenBack).toEqual(["traitIds"]);
    expect(once.steps[0]?.calls).toEqual([]);
    expect(
      planOf({ ...world, snapshot: applied({ displayName: "Team" }) }).steps[0]?.recorded.givenBack,
    ).toEqual([]);
  });

  it("adopts an object whose creation was unclear, once it can be seen", () => {
    const wanted = group({ displayName: "G" });
    const uncertain = {
      "EntitlementAutomation/group": {
        address: wanted.resource.address,
        key: [APP, ENT],
        applied: wanted.fields,
        at: "2026-01-01T00:00:00Z",
        why: "no reply came",
        sent: true,
      },
    };
    const seen = live([entitlementAutomation, [APP, ENT], present([APP, ENT], { displayName: "G" })]);
    expect(
      planOf({ desired: [wanted], current: seen, snapshot: snapshot([], { uncertain }) }).steps.map(line),
    ).toEqual(["adopt EntitlementAutomation/group: already as wanted"]);
  });

  it("makes a new object for a gone one whose id the service chose, and forgets the old id", () => {
    const wanted = {
      ...wish(resourceType, "team", { appId: APP, resourceType: "ROLE", displayName: "Team" }),
    };
    const plan = planOf({
      desired: [{ ...wanted, key: [APP, TYPE] }],
      current: live([resourceType, [APP, TYPE], absent]),
      snapshot: applied({ displayName: "Team" }),
    });
    expect(plan.steps.map((step) => [line(step), step.key])).toEqual([
      ["create ResourceType/team: gone from tenant", null],
      [`forget ResourceType/team@${APP}/${TYPE}: gone from tenant`, [APP, TYPE]],
    ]);
  });
});

describe("where nothing can be read", () => {
  const done = snapshot([
    entry(entitlementAutomation, "group", [APP, ENT], { displayName: "G", cel: { expression: "a" } }),
  ]);

  it("creates an automation, and is content with what it recorded", () => {
    const desired = [group({ displayName: "G", cel: { expression: "a" } })];
    expect(planOf({ desired, current: blind }).steps.map(line)).toEqual([
      "create EntitlementAutomation/group: never applied",
    ]);
    expect(planOf({ desired, current: blind, snapshot: done }).steps.map(line)).toEqual([
      "keep EntitlementAutomation/group: in sync",
    ]);
  });

  it("creates a changed automation again, with a warning", () => {
    const desired = [group({ displayName: "G", cel: { expression: "b" } })];
    const [step] = planOf({ desired, current: blind, snapshot: done }).steps;
    expect(step?.action).toBe("create");
    expect(step?.diagnostics).toMatchObject([{ code: "plan/create-again", severity: "warning" }]);
    expect(step?.changes).toMatchObject([{ cause: "edited", change: { before: "a", after: "b" } }]);
  });

  it("never sends an unclear create again by itself, and says what to do", () => {
    const desired = [group({ displayName: "G" })];
    const uncertain = {
      "EntitlementAutomation/group": {
        address: { kind: "EntitlementAutomation", name: "group" },
        key: [APP, ENT],
        applied: { displayName: "G" },
        at: "2026-01-01T00:00:00Z",
        why: "no reply came",
        sent: true,
      },
    };
    const [step] = planOf({ desired, current: blind, snapshot: snapshot([], { uncertain }) }).steps;
    expect(step).toMatchObject({ action: "blocked", reason: "outcome uncertain", calls: [] });
    expect(step?.diagnostics[0]?.hint).toContain("remit state forget EntitlementAutomation/group");
  });

  it("blocks the first set of a template where remit does not manage one half, and says which field to write", () => {
    const [step] = planOf({ desired: [scope({ scope: FILTER })], current: blind }).steps;
    expect(step).toMatchObject({ action: "blocked", reason: "current unknown", calls: [] });
    expect(step?.diagnostics).toMatchObject([
      { code: "plan/unknown-half", hint: expect.stringContaining("`entitlements`") },
    ]);
  });

  it("sets a template where remit manages both halves", () => {
    const plan = planOf({ desired: [scope({ scope: FILTER, entitlements: [] })], current: blind });
    expect(plan.steps.map(line)).toEqual(["set TemplateScope/q4: never applied"]);
    expect(plan.steps[0]?.changes.every(({ cause }) => cause === "first")).toBe(true);
  });

  it("sends the recorded value of the other half only where that is acknowledged, and says so", () => {
    const entitlements = [{ appId: APP, appEntitlementId: ENT }];
    const known = entry(
      templateScope,
      "q4",
      [TEMPLATE],
      { entitlements },
      { answered: { entitlements, scope: FILTER } },
    );
    const desired = [scope({ entitlements: [] })];
    const world = { desired, current: blind, snapshot: snapshot([known]) };
    expect(planOf(world).steps).toMatchObject([{ action: "blocked", reason: "current unknown" }]);
    const acknowledgements = [parseAcknowledgement("unknown-current=TemplateScope/q4")];
    const { steps, findings } = planOf({ ...world, acknowledgements });
    expect(steps).toMatchObject([
      {
        action: "set",
        sight: { unseen: "unseen half" },
        after: { scope: FILTER },
        diagnostics: [{ code: "plan/unseen-half" }],
      },
    ]);
    expect(steps[0]?.diagnostics[0]?.message).toContain("the value that was recorded on 2026-01-01");
    expect(findings).toMatchObject([
      { guard: "scope-emptied" },
      { guard: "unknown-current", acknowledged: { by: "flag" } },
    ]);
  });

  it("blocks a set whose other half the service never showed", () => {
    const known = entry(templateScope, "q4", [TEMPLATE], { scope: FILTER }, { answered: null });
    const desired = [scope({ scope: { allUsers: {} } })];
    const [step] = planOf({ desired, current: blind, snapshot: snapshot([known]) }).steps;
    expect(step).toMatchObject({ action: "blocked", reason: "current unknown" });
  });

  it("updates a resource type that it never applied, and cannot create one", () => {
    expect(planOf({ desired: [type({ displayName: "Team" })], current: blind }).steps.map(line)).toEqual([
      "update ResourceType/team: never applied",
    ]);
    const anew = wish(resourceType, "team", { appId: APP, resourceType: "ROLE", displayName: "Team" });
    expect(planOf({ desired: [anew], current: blind }).steps.map(line)).toEqual([
      "blocked ResourceType/team: cannot create",
    ]);
  });
});
