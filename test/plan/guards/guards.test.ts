import { describe, expect, it } from "vitest";
import { entitlementAutomation } from "../../../src/kinds/entitlementAutomation.js";
import { kinds } from "../../../src/kinds/index.js";
import { policy } from "../../../src/kinds/policy.js";
import { resourceType } from "../../../src/kinds/resourceType.js";
import { templateScope } from "../../../src/kinds/templateScope.js";
import type { JsonObject } from "../../../src/model/json.js";
import { type Acknowledgement, parseAcknowledgement } from "../../../src/plan/guards/acknowledge.js";
import { findingsNow } from "../../../src/plan/guards/findingsNow.js";
import { openFindings } from "../../../src/plan/guards/guards.js";
import { NO_SETTINGS } from "../../../src/plan/guards/rules.js";
import { DEFAULT_LIMITS, type Limits } from "../../../src/plan/guards/settings.js";
import { makePlan } from "../../../src/plan/make.js";
import { NOTHING_MORE, observedOf } from "../../../src/plan/observed.js";
import type { Planned } from "../../../src/plan/plan.js";
import { withPart } from "../stepPart.js";
import { absent, current, entry, type Fact, lookOf, planOf, present, snapshot, wish } from "../worlds.js";

type World = Parameters<typeof planOf>[0];

const APP = "app1";
const many = Array.from({ length: 20 }, (_, number) => `id${number}`);

/** What a plan that was just made trips: the same as when every rule is asked anew. */
function tripped(world: World) {
  const plan = planOf(world);
  const { known, rules } = lookOf(world);
  const anew = findingsNow(plan, { ...known, rules, interface: known.asked });
  expect(openFindings({ findings: anew })).toEqual(openFindings(plan));
  return plan.findings.map(({ guard, address }) => [guard, address?.name ?? null]);
}

/** A plan that was just made and finished, with all that is said of it. */
function told(world: World) {
  const look = lookOf(world);
  const made = makePlan(look);
  const observed = observedOf(made.value, look, NOTHING_MORE);
  const value = { ...made.value, ...observed.value };
  return { value, diagnostics: [...made.diagnostics, ...observed.diagnostics] };
}

const automations = (prune: boolean, protect: readonly string[] = []): World => ({
  current: current(
    "full",
    many.map((id): Fact => [entitlementAutomation, [APP, id], present([APP, id], { displayName: id })]),
  ),
  snapshot: snapshot(
    many.map((id) =>
      entry(entitlementAutomation, id, [APP, id], { displayName: id }, { protected: protect.includes(id) }),
    ),
  ),
  mode: { prune },
});

const changing = (count: number): World => ({
  ...automations(false),
  desired: many.map((id, place) =>
    wish(entitlementAutomation, id, {
      appId: APP,
      appEntitlementId: id,
      displayName: place < count ? "new" : id,
    }),
  ),
});

describe("max-deletes", () => {
  it("trips over its limit, and not at it", () => {
    const at = (maxDeletes: number) =>
      tripped({ ...automations(true), limits: { ...DEFAULT_LIMITS, maxDeletes } });
    expect(at(19)).toContainEqual(["max-deletes", null]);
    expect(at(20)).not.toContainEqual(["max-deletes", null]);
  });
});

describe("max-changes", () => {
  it.each<[number, Partial<Limits>, boolean, string]>([
    [10, { maxChangesPercent: 10, changesFloor: 10 }, false, "the floor"],
    [11, { maxChangesPercent: 10, changesFloor: 10 }, true, "the floor"],
    [15, { maxChangesPercent: 75, changesFloor: 0 }, false, "the percentage"],
    [16, { maxChangesPercent: 75, changesFloor: 0 }, true, "the percentage"],
    [3, { maxChanges: 3, maxChangesPercent: 100 }, false, "the number"],
    [4, { maxChanges: 3, maxChangesPercent: 100 }, true, "the number"],
  ])("with %i changes and %o is %s by %s", (count, limits, isTripped) => {
    const found = tripped({ ...changing(count), limits: { ...DEFAULT_LIMITS, ...limits } });
    expect(found).toEqual(isTripped ? [["max-changes", null]] : []);
  });

  it("does not count what is new to a tenant", () => {
    const facts = many.map((id): Fact => [entitlementAutomation, [APP, id], absent]);
    expect(tripped({ ...changing(20), snapshot: null, current: current("full", facts) })).toEqual([]);
  });
});

describe("protected", () => {
  it("outlives its manifest, because the state remembers it", () => {
    const limits = { ...DEFAULT_LIMITS, maxDeletes: 100, maxChangesPercent: 100 };
    expect(tripped({ ...automations(true, ["id3"]), limits })).toEqual([["protected", "id3"]]);
  });
});

describe("scope-emptied and everyone", () => {
  const KEY = ["template1"];
  const setting = (before: object, after: object): World => ({
    desired: [wish(templateScope, "q4", { templateId: "template1", ...after })],
    current: current("full", [[templateScope, KEY, present(KEY, { ...before })]]),
  });
  const automating = (before: object | null, after: object): World => ({
    desired: [wish(entitlementAutomation, "g", { appId: APP, appEntitlementId: "e", ...after })],
    current: current("full", [
      [entitlementAutomation, [APP, "e"], before === null ? absent : present([APP, "e"], { ...before })],
    ]),
  });
  const cel = (expression: string) => ({ cel: { expression } });
  const deciding = (before: string, after: string): World => {
    const spec = (condition: string) => ({
      policyType: "POLICY_TYPE_GRANT",
      rules: [{ condition, stepKey: "grant" }],
      policySteps: { grant: { steps: [{ reject: {} }] } },
    });
    return {
      desired: [wish(policy, "p", { id: "p", displayName: "P", ...spec(after) })],
      current: current("full", [[policy, ["p"], present(["p"], { displayName: "O", ...spec(before) })]]),
    };
  };
  const criteria = { userCriteria: { userStatus: ["ENABLED"] } };
  const chosen = [{ appId: APP, appEntitlementId: "e" }];

  it.each<[string, World, string | null]>([
    [
      "a list of entitlements cleared",
      setting({ entitlements: chosen }, { entitlements: [] }),
      "scope-emptied",
    ],
    ["a scope cleared", setting({ scope: criteria }, { scope: null }), "scope-emptied"],
    [
      "a scope cleared of all but what remit has no name for",
      setting({ scope: { ...criteria, futureScope: { a: 1 } } }, { scope: {} }),
      "scope-emptied",
    ],
    [
      "a scope cleared of what remit has no name for",
      setting({ scope: { futureScope: { a: 1 } } }, { scope: null }),
      "scope-emptied",
    ],
    ["a scope cleared of all it had", setting({ scope: criteria }, { scope: {} }), "scope-emptied"],
    [
      "a list shortened",
      setting({ entitlements: [...chosen, { appId: "2", appEntitlementId: "f" }] }, { entitlements: chosen }),
      null,
    ],
    ["criteria turned into all users", setting({ scope: criteria }, { scope: { allUsers: {} } }), "everyone"],
    [
      "criteria dropped",
      setting({ scope: criteria }, { scope: { principalTypeFilter: "PRINCIPAL_TYPE_FILTER_RESOURCES" } }),
      "everyone",
    ],
    [
      "criteria turned into an expression",
      setting({ scope: criteria }, { scope: { celExpression: { expression: "subject.a" } } }),
      null,
    ],
    ["all users narrowed", setting({ scope: { allUsers: {} } }, { scope: criteria }), null],
    ["a condition that became true", automating(cel("a"), cel("true")), "everyone"],
    [
      "a condition that became true in brackets",
      automating(cel("a"), { basic: { expression: " ( true )\n" } }),
      "everyone",
    ],
    ["a new automation for everyone", automating(null, cel("true")), "everyone"],
    [
      "a condition that was true before",
      automating({ ...cel("true"), displayName: "A" }, { ...cel("true"), displayName: "B" }),
      null,
    ],
    ["a condition that mentions true", automating(cel("subject.a"), cel("subject.a == true")), null],
    ["a condition removed", automating(cel("a"), { none: {} }), "nobody"],
    ["a condition that is not CEL", automating(cel("a"), cel('subject.a = "b"')), "expression-invalid"],
    [
      "a condition with a name that no rule has",
      automating(cel("subject.a"), cel("subjct.a")),
      "expression-invalid",
    ],
    [
      "a condition with a function of an extension of CEL",
      automating(null, cel("subject.a && subject.b.reverse()")),
      null,
    ],
    ["a new automation that is not CEL", automating(null, cel("a and b")), "expression-invalid"],
    ["a rule of a policy that is not CEL", deciding("true", "a and b"), "expression-invalid"],
    ["a rule of a policy that was not CEL before", deciding("a and b", "a and b"), null],
    ["a rule of a policy that holds for all", deciding("subject.a", "true"), null],
    [
      "criteria turned into what is not CEL",
      setting({ scope: criteria }, { scope: { celExpression: { expression: "a &" } } }),
      "expression-invalid",
    ],
    [
      "a condition that was not CEL before",
      automating({ ...cel("a and b"), displayName: "A" }, { ...cel("a and b"), displayName: "B" }),
      null,
    ],
  ])("on %s", (_, world, guard) => {
    expect(planOf(world).findings.map((finding) => finding.guard)).toEqual(guard === null ? [] : [guard]);
  });
});

describe("everyone", () => {
  const KEY = ["template1"];

  it("names what no longer restricts anything as the author writes it", () => {
    const before = { userCriteria: { userStatus: ["ENABLED"] }, grantsByCriteria: { daysSinceAdded: "60s" } };
    const { findings } = planOf({
      desired: [wish(templateScope, "q4", { templateId: "template1", scope: { allUsers: {} } })],
      current: current("full", [[templateScope, KEY, present(KEY, { scope: before })]]),
    });
    expect(findings.map(({ message }) => message)).toEqual([
      "scope.userCriteria and scope.grantsByCriteria would no longer restrict anything",
    ]);
  });
});

describe("unknown-current", () => {
  const update = wish(resourceType, "team", { appId: APP, id: "t", displayName: "Team" });

  const offline = {
    ...current("core", []),
    from: { ResourceType: { interface: "full", source: "recorded", why: "offline" } } as const,
  };
  const blind = { kinds, desired: [update], current: current("core", []) };
  const allow = { limits: { ...DEFAULT_LIMITS, firstWrite: "allow" as const } };
  const TRIPPED = [["unknown-current", "team"]];
  const team = entry(resourceType, "team", [APP, "t"], { displayName: "Old" });
  const shown = { [`ResourceType:${APP}/t`]: { at: "2026-01-01T00:00:00Z", why: "the create said so" } };
  const lost = {
    address: update.resource.address,
    key: [APP, "t"],
    applied: {},
    at: "2026-01-01",
    why: "no reply",
    sent: true,
  };

  it.each<[string, Parameters<typeof tripped>[0], readonly unknown[]]>([
    ["a first write", blind, TRIPPED],
    ["a first write, `core` set, and not allowed", { ...blind, asked: "core" }, TRIPPED],
    ["a first write, allowed, and `core` found by asking", { ...blind, ...allow }, TRIPPED],
    ["a first write, allowed, and `core` set", { ...blind, ...allow, asked: "core" }, []],
    ["the same for its kind", { ...blind, ...allow, asked: { ResourceType: "core" } }, []],
    ["a write after an answered one", { ...blind, snapshot: snapshot([team]) }, []],
    [
      "a first write of what the service showed to exist",
      { ...blind, ...allow, asked: "core", snapshot: snapshot([], { existing: shown }) },
      TRIPPED,
    ],
    [
      "a first write where a state is lost",
      { ...blind, ...allow, asked: "core", isStateLost: true },
      TRIPPED,
    ],
    ["a write that is planned offline", { ...blind, current: offline, mode: { offline: true } }, TRIPPED],
    [
      "a write that is planned offline, with a record",
      { ...blind, current: offline, mode: { offline: true }, snapshot: snapshot([team]) },
      TRIPPED,
    ],
  ])("is asked for %s as it must be", (_, world, expected) => {
    expect(tripped(world)).toEqual(expected);
  });

  it("never lets a create follow an uncertain one", () => {
    const uncertain = { "ResourceType/team": lost };
    const [step] = planOf({ ...blind, ...allow, asked: "core", snapshot: snapshot([], { uncertain }) }).steps;
    expect(step?.action).toBe("blocked");
  });
});

describe("an acknowledgement", () => {
  const world = {
    ...automations(true, ["id3", "id4"]),
    limits: { ...DEFAULT_LIMITS, maxDeletes: 100, maxChangesPercent: 100 },
  };
  const project = (more: object): Acknowledgement => ({
    by: "project",
    guard: "protected",
    address: "EntitlementAutomation/id3",
    until: "2026-06-01",
    reason: "moved to another team",
    of: null,
    span: null,
    ...more,
  });
  const open = (acknowledgements: readonly Acknowledgement[]) =>
    openFindings(planOf({ ...world, acknowledgements })).map(({ address }) => address?.name);

  it.each<[string, readonly Acknowledgement[], readonly string[]]>([
    ["none", [], ["id3", "id4"]],
    ["a flag for the guard", [parseAcknowledgement("protected")], []],
    ["a flag for one address", [parseAcknowledgement("protected=EntitlementAutomation/id3")], ["id4"]],
    ["a flag for another guard", [parseAcknowledgement("everyone")], ["id3", "id4"]],
    ["the project on its last day", [project({})], ["id4"]],
    ["the project, a day late", [project({ until: "2026-05-31" })], ["id3", "id4"]],
    ["the project on the last day it may name", [project({ until: "2026-08-30" })], ["id4"]],
    ["the project, for a day too long", [project({ until: "2026-08-31" })], ["id3", "id4"]],
    ["the project, until a day that does not exist", [project({ until: "2026-06-31" })], ["id3", "id4"]],
    ["the project for the whole guard", [project({ address: null })], []],
    ["a flag for the whole plan", [parseAcknowledgement("protected=*")], []],
  ])("by %s", (_, acknowledgements, left) => {
    expect(open(acknowledgements)).toEqual(left);
  });

  it("of the project is shown with its end and reason", () => {
    const [finding] = planOf({ ...world, acknowledgements: [project({})] }).findings;
    expect(finding?.acknowledged).toEqual({
      by: "project",
      until: "2026-06-01",
      reason: "moved to another team",
      of: null,
    });
  });

  const hashes = (more: object = {}) => planOf({ ...world, ...more }).findings.map(({ hash }) => hash);

  it("with `of` covers only the finding of this hash", () => {
    const [of, other] = hashes();
    expect(of).toMatch(/^sha256:[0-9a-f]{64}$/);
    expect(open([project({ of, address: null })])).toEqual(["id4"]);
    expect(open([project({ of: other })])).toEqual(["id3", "id4"]);
    const [finding] = planOf({ ...world, acknowledgements: [project({}), project({ of })] }).findings;
    expect(finding?.acknowledged).toMatchObject({ of });
  });

  it.each([
    ["EntitlementAutomation/di4", ["Did you mean EntitlementAutomation/id4?"]],
    // It may be an object that this plan leaves out.
    ["EntitlementAutomation/finance", []],
    ["TemplateScope/id5", []],
    ["EntitlementAutomation/id3", []],
  ])("of %s, which the plan may not have, says what was nearly written: %j", (address, hints) => {
    const before = planOf(world).findings;
    for (const acknowledgements of [[project({ address })], [parseAcknowledgement(`protected=${address}`)]]) {
      const { value, diagnostics } = told({ ...world, acknowledgements });
      const notes = diagnostics.filter(({ code }) => code === "guard/no-address");
      expect(notes.map(({ hint, severity }) => [severity, hint])).toEqual(
        hints.map((hint) => ["note", hint]),
      );
      // A note covers nothing.
      if (hints.length > 0) expect(openFindings(value)).toHaveLength(before.length);
    }
  });

  it("with `of` of one finding is not blamed for another open one", () => {
    const [of] = hashes();
    const acknowledgements = [project({ of, address: null })];
    expect(told({ ...world, acknowledgements }).diagnostics).toEqual([]);
  });

  it("with `of` does not cover the finding after the object has another value", () => {
    const facts = many.map(
      (id): Fact => [entitlementAutomation, [APP, id], present([APP, id], { displayName: "moved" })],
    );
    const moved = { current: current("full", facts) };
    const [of] = hashes();
    expect(hashes(moved)).not.toContain(of);
    const acknowledgements = [project({ of })];
    const { value, diagnostics } = told({ ...world, ...moved, acknowledgements });
    const open = openFindings(value);
    const now = open.find(({ guard }) => guard === "protected");
    expect(open.filter(({ guard }) => guard === "protected")).toHaveLength(2);
    expect(open.filter(({ guard }) => guard === "deletes-changed")).toHaveLength(many.length);
    expect(diagnostics).toMatchObject([
      { code: "guard/other-finding", hint: expect.stringContaining(String(now?.hash)) },
    ]);
  });

  it("with `of` covers a finding about the whole plan until another object is part of it", () => {
    const limits = { ...DEFAULT_LIMITS, maxChangesPercent: 100, maxDeletes: 5 };
    const at = (count: number) => {
      const kept = changing(count).desired?.slice(0, 20 - count);
      return planOf({ ...automations(true), desired: kept ?? [], limits }).findings.map(({ hash }) => hash);
    };
    expect(at(10)).toHaveLength(1);
    expect(at(10)).toEqual(at(10));
    expect(at(10)).not.toEqual(at(11));
  });

  it("with `of` of a write that replaces what was not seen leaves the finding open, not the step blocked", () => {
    const unseen = {
      kinds,
      current: current("core", []),
      snapshot: null,
      desired: [wish(templateScope, "q4", { templateId: "template1", entitlements: [] })],
    };
    const about = { guard: "unknown-current", address: "TemplateScope/q4" };
    const at = (acknowledgements: readonly Acknowledgement[]) => planOf({ ...unseen, acknowledgements });
    expect(at([]).steps).toMatchObject([{ action: "blocked" }]);
    const guessed = at([project({ ...about, of: `sha256:${"0".repeat(64)}` })]);
    const [finding] = openFindings(guessed);
    expect(finding).toMatchObject({ guard: "unknown-current" });
    expect(openFindings(at([project({ ...about, of: finding?.hash })]))).toEqual([]);
  });

  it("that has expired while it is needed is said", () => {
    const acknowledgements = [project({ until: "2026-05-31" })];
    expect(told({ ...world, acknowledgements }).diagnostics).toMatchObject([{ code: "guard/expired" }]);
  });

  it("that has expired and is not needed is not mentioned", () => {
    const acknowledgements = [project({ until: "2026-05-31", address: "EntitlementAutomation/id9" })];
    expect(told({ ...world, acknowledgements }).diagnostics).toEqual([]);
  });

  it("of a guard that does not exist is an error that lists the guards", () => {
    const { diagnostics } = told({ ...world, acknowledgements: [parseAcknowledgement("protect")] });
    expect(diagnostics).toMatchObject([
      { code: "guard/unknown", hint: expect.stringContaining("max-deletes") },
    ]);
  });
});

describe("nobody", () => {
  const KEY = [APP, "id0"];
  const SOME = { cel: { expression: 'subject.department == "Sales"' } };
  const trips = (before: JsonObject, after: JsonObject) =>
    tripped({
      desired: [
        wish(entitlementAutomation, "id0", {
          appId: APP,
          appEntitlementId: "id0",
          displayName: "x",
          ...after,
        }),
      ],
      current: current("full", [[entitlementAutomation, KEY, present(KEY, { displayName: "x", ...before })]]),
    }).some(([name]) => name === "nobody");

  it.each<[string, JsonObject]>([
    ["false", { cel: { expression: "false" } }],
    ["a contradiction", { cel: { expression: 'subject.a == "x" && subject.a == "y"' } }],
    ["none", { none: {} }],
    ["no entitlements", { entitlements: { entitlementRefs: [] } }],
    ["a cleared condition", { cel: null }],
  ])("trips over %s where some had access", (_, after) => {
    expect(trips(SOME, after)).toBe(true);
    expect(trips({ none: {} }, after)).toBe(false);
  });

  it("lets a condition pass that some people fulfil", () => {
    expect(trips(SOME, { cel: { expression: 'subject.department == "Legal"' } })).toBe(false);
  });
});

describe("the first adoption of existing objects", () => {
  it("is not a change, however many there are", () => {
    const world = { ...changing(0), snapshot: null, limits: { ...DEFAULT_LIMITS, maxChanges: 0 } };
    expect(planOf(world).steps.map(({ action }) => action)).toContain("adopt");
    expect(tripped(world)).toEqual([]);
  });
});

describe("the findings of a saved plan", () => {
  const world = {
    ...automations(true, ["id3"]),
    limits: { ...DEFAULT_LIMITS, maxDeletes: 100, maxChangesPercent: 100 },
  };
  const now = {
    interface: "auto",
    snapshot: world.snapshot ?? null,
    isStateLost: false,
  } as const;
  const rules = { limits: world.limits, acknowledgements: [], today: "2026-06-02", settings: NO_SETTINGS };
  const open = (plan: Planned, more = {}) =>
    openFindings({
      findings: findingsNow(plan, { ...now, rules: { ...rules, ...more } }),
    }).map(({ guard }) => guard);

  it("are asked anew, whatever the plan says it found", () => {
    expect(open({ ...planOf(world), findings: [] })).toEqual(["protected"]);
    expect(open({ ...planOf(world), findings: [] }, { limits: DEFAULT_LIMITS })).toEqual([
      "max-deletes",
      "max-changes",
      "protected",
    ]);
  });

  it("ignore the acknowledgements that the plan contains", () => {
    const plan = planOf({ ...world, acknowledgements: [parseAcknowledgement("protected")] });
    expect(open(plan)).toEqual(["protected"]);
    expect(open(plan, { acknowledgements: [parseAcknowledgement("protected")] })).toEqual([]);
  });

  it("know from the state what is protected, whatever the plan says", () => {
    const plan = planOf(world);
    const forged = {
      ...plan,
      steps: plan.steps.map((step) => withPart(step, { managed: { protected: false } })),
    };
    expect(open(forged)).toEqual(["protected"]);
  });
});
