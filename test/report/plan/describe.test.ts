import { describe, expect, it } from "vitest";
import type { Change } from "../../../src/diff/change.js";
import type { Step } from "../../../src/plan/step.js";
import type { Difference } from "../../../src/report/plan/report.js";
import type { StepPart } from "../../plan/stepPart.js";
import { BLOCKED, CREATED, DELETED, DRIFTED, EVERY_CHANGE, KEPT } from "../faces.js";
import { APP, automation, changed, ENTITLEMENT, report, resourceType, scope } from "../plans.js";

const CHOSE_ALL: Change = {
  type: "choice",
  path: ["scope"],
  group: "users_scope",
  from: "selectedUsers",
  to: "allUsers",
  opens: true,
  before: { userIds: ["u1"] },
  after: {},
};

function fieldOf(change: Change, more: StepPart = {}) {
  return report([scope({ changes: [changed(change)], ...more })]).steps[0]?.fields ?? [];
}

describe("the order of steps", () => {
  it.each<[string, Step, number]>([
    ["a delete", automation({ action: "delete" }), 7],
    ["what is blocked", automation({ action: "blocked" }), 5],
    ["a choice of all", scope({ changes: [changed(CHOSE_ALL)] }), 4],
    [
      "a field that is cleared",
      scope({ changes: [changed({ type: "value", path: ["scope"], before: {}, after: null })] }),
      4,
    ],
    [
      "a list that is emptied",
      scope({
        changes: [
          changed({
            type: "set",
            path: ["entitlements"],
            before: ["a"],
            after: [],
            added: [],
            removed: ["a"],
          }),
        ],
      }),
      4,
    ],
    ["an update", DRIFTED, 3],
    ["a create", CREATED, 2],
    ["an adoption", automation({ action: "adopt" }), 1],
    ["a forgetting", automation({ action: "forget" }), 0],
  ])("gives %s its risk", (_what, step, risk) => {
    expect(report([step]).steps[0]?.risk).toBe(risk);
  });

  it("puts what a guard found right after deletes", () => {
    const finding = {
      guard: "everyone",
      address: CREATED.address,
      message: "m",
      hash: "h",
      acknowledged: null,
      proposed: [],
    };
    expect(report([CREATED], { findings: [finding] }).steps[0]?.risk).toBe(6);
  });

  it("is the riskiest first, then by address", () => {
    const steps = report([CREATED, DRIFTED, KEPT, BLOCKED, DELETED, EVERY_CHANGE]).steps;
    expect(steps.map(({ action, address }) => `${action} ${address}`)).toEqual([
      "delete EntitlementAutomation/contractors",
      "blocked ResourceType/fresh",
      "update TemplateScope/q4-privileged-access",
      "update ResourceType/github-team",
      "create EntitlementAutomation/engineering-group",
    ]);
  });
});

describe("the flag that answers for a guard", () => {
  it.each([
    ["engineering-group", "--acknowledge everyone=ResourceType/engineering-group"],
    ["x; rm -rf ~", "--acknowledge 'everyone=ResourceType/x; rm -rf ~'"],
    ["it's", "--acknowledge 'everyone=ResourceType/it'\\''s'"],
  ])("names %j as a shell takes it", (name, flag) => {
    const finding = {
      guard: "everyone",
      address: { kind: "ResourceType", name },
      message: "m",
      hash: "h",
      acknowledged: null,
      proposed: [],
    };
    expect(report([], { findings: [finding] }).findings[0]?.flag).toBe(flag);
  });
});

describe("what is counted", () => {
  it("is every step, the unchanged ones too, in all and per kind", () => {
    const { counts, kinds, steps } = report([KEPT, DELETED, DRIFTED]);
    expect(counts).toMatchObject({ keep: 1, delete: 1, update: 1, create: 0 });
    expect(kinds).toEqual({ EntitlementAutomation: { delete: 1, keep: 1 }, ResourceType: { update: 1 } });
    expect(steps).toHaveLength(2);
  });

  it("is pending as soon as anything is not kept", () => {
    expect([report([KEPT]).pending, report([KEPT, BLOCKED]).pending]).toEqual([false, true]);
  });
});

describe("names", () => {
  it.each<[string, Step, string]>([
    ["an entitlement by the names of both ids", automation(), "GitHub › github-admin (2fsg…5D)"],
    ["an id without a name whole", scope(), "2fsgTvxP0DVTsNXEUBI7hOe0l5A"],
    ["a new object by its display name", BLOCKED, "GitHub (2fsg…5C) › Fresh"],
    ["an object within a known app", resourceType(), "GitHub › 2fsgTvxP0DVTsNXEUBI7hOe0l5E"],
  ])("call %s", (_what, step, title) => {
    expect(report([step]).steps[0]?.title).toBe(title);
  });

  it("stand in sets", () => {
    const item = { appId: APP, appEntitlementId: ENTITLEMENT };
    const change = {
      type: "set",
      path: ["entitlements"],
      before: [],
      after: [item],
      added: [item],
      removed: [],
    } as const;
    expect(fieldOf(change)[0]?.difference).toEqual({
      type: "set",
      added: ["GitHub › github-admin (2fsg…5D)"],
      removed: [],
      kept: 0,
    });
  });
});

describe("a write of an object that was not seen", () => {
  const changes = [
    changed({ type: "value", path: ["displayName"], before: null, after: "Team" }),
    changed({ type: "set", path: ["traitIds"], before: [], after: ["t"], added: ["t"], removed: [] }),
  ];
  const differences = (more: StepPart) =>
    report([resourceType({ changes, before: null, ...more })]).steps[0]?.fields.map(
      ({ difference }) => difference,
    );
  const EMPTY_BEFORE = [
    { type: "value", before: null, after: "Team" },
    { type: "set", added: ["t"], removed: [], kept: 0 },
  ];

  it("does not say that its fields had nothing before", () => {
    expect(differences({ sight: { unseen: "never written" } })).toEqual([
      { type: "value", before: "(not seen)", after: "Team" },
      { type: "set", added: ["t"], removed: [], kept: null },
    ]);
  });

  it("does not say so of a field that is managed anew, of an object that only the record shows", () => {
    const kinds = { ResourceType: { interface: "core", source: "recorded", why: null } } as const;
    const first = changes.map((one) => ({ ...one, cause: "first" as const }));
    const of = (step: StepPart) =>
      report([resourceType(step)], { interface: { asked: "core", kinds } }).steps[0]?.fields.map(
        ({ difference }) => difference,
      );
    expect(of({ changes: first, before: {} })).toEqual([
      { type: "value", before: "(not seen)", after: "Team" },
      { type: "set", added: ["t"], removed: [], kept: null },
    ]);
    expect(of({ changes: first, before: {}, action: "create" })).toEqual(EMPTY_BEFORE);
    expect(of({ changes, before: {} })).toEqual(EMPTY_BEFORE);
  });

  it("says so of an object that is new", () => {
    expect(differences({ sight: { unseen: null } })).toEqual(EMPTY_BEFORE);
    expect(differences({ sight: { unseen: "may exist" }, action: "create" })).toEqual(EMPTY_BEFORE);
    expect(differences({ sight: { unseen: "never written" }, action: "create", key: null })).toEqual(
      EMPTY_BEFORE,
    );
  });
});

describe("fields", () => {
  it.each<[string, Change, Difference]>([
    [
      "a switch in one sentence",
      CHOSE_ALL,
      {
        type: "choice",
        sentence: "users: allUsers instead of selectedUsers",
        before: "{ userIds: [u1] }",
        after: null,
      },
    ],
    [
      "durations as they are written",
      {
        type: "value",
        path: ["scope", "grantsByCriteria", "daysSinceLastUsed"],
        before: "7776000s",
        after: "0s",
      },
      { type: "value", before: "90d", after: "0s" },
    ],
    [
      "a text that is new as a value",
      { type: "text", path: ["scope", "celExpression", "expression"], before: null, after: "a" },
      { type: "value", before: null, after: "a" },
    ],
    [
      "a text with nothing in common as two values",
      {
        type: "text",
        path: ["scope", "celExpression", "expression"],
        before: "one two three",
        after: "four five six",
      },
      { type: "value", before: "one two three", after: "four five six" },
    ],
    [
      "a changed text word by word",
      { type: "text", path: ["scope", "celExpression", "expression"], before: "a is one", after: "a is two" },
      {
        type: "text",
        words: [
          { as: "same", text: "a is " },
          { as: "removed", text: "one" },
          { as: "added", text: "two" },
        ],
      },
    ],
  ])("show %s", (_what, change, difference) => {
    expect(fieldOf(change)).toEqual([expect.objectContaining({ cause: "edited", line: 14, difference })]);
  });

  it("of a first choice are what it holds", () => {
    expect(report([CREATED]).steps[0]?.fields.map(({ path }) => path)).toEqual([
      "displayName",
      "cel.expression",
    ]);
  });

  it("of a first choice within a first choice are what that holds", () => {
    const first: Change = {
      type: "choice",
      path: ["scope"],
      group: "grants_scope",
      from: null,
      to: "grantsByCriteria",
      opens: false,
      before: null,
      after: { daysSinceReviewed: "15552000s" },
    };
    expect(fieldOf(first)).toMatchObject([
      { path: "scope.grantsByCriteria.daysSinceReviewed", difference: { before: null, after: "180d" } },
    ]);
  });

  it("of a marker are its presence", () => {
    const first = { ...CHOSE_ALL, from: null, before: null } as const;
    expect(fieldOf(first)).toEqual([
      {
        path: "scope.allUsers",
        cause: "edited",
        edit: null,
        line: 14,
        file: null,
        difference: { type: "value", before: null, after: "{}" },
      },
    ]);
  });

  it("of a delete are all that vanishes, and no cause", () => {
    expect(report([DELETED]).steps[0]?.fields).toEqual([
      {
        path: "displayName",
        cause: null,
        edit: null,
        line: null,
        file: null,
        difference: { type: "value", before: "Contractors", after: null },
      },
      {
        path: "cel.expression",
        cause: null,
        edit: null,
        line: null,
        file: null,
        difference: { type: "value", before: 'subject.department == "Engineering"', after: null },
      },
    ]);
  });
});

describe("drift", () => {
  it("is distinguished from intent by the causes of all fields", () => {
    const drift = report([DRIFTED, EVERY_CHANGE, KEPT]).steps.map(({ isDrift }) => isDrift);
    expect(drift).toEqual([false, true]);
  });
});
