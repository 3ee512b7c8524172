import { describe, expect, it } from "vitest";
import { compare } from "../../src/diff/compare.js";
import { divideKept } from "../../src/diff/kept.js";
import { carryOver } from "../../src/diff/own.js";
import { entitlementAutomation } from "../../src/kinds/entitlementAutomation.js";
import { normalise } from "../../src/kinds/normalise.js";
import { policy } from "../../src/kinds/policy.js";
import { templateScope } from "../../src/kinds/templateScope.js";
import type { JsonObject } from "../../src/model/json.js";

const { shape } = templateScope;
const scope = (value: JsonObject) => normalise({ scope: value }, shape);

/** What a scope becomes that is written over the one that is there. */
const goesTo = (current: JsonObject, written: JsonObject | null) =>
  carryOver(scope(current), written === null ? {} : { scope: written }, ["scope"], shape).scope;

describe("a write sends back what remit has no name for", () => {
  it("in the scope, beside what the manifest writes", () => {
    const current = { allUsers: {}, futureScope: { ids: [1], text: "x\n" } };
    expect(goesTo(current, { allUsers: {}, allGrants: {} })).toEqual({
      allUsers: {},
      allGrants: {},
      futureScope: { ids: [1], text: "x\n" },
    });
  });
  it("in a marker, in a map and in the rows that stay", () => {
    const row = { appId: "a", id: "1", futureRole: "r" };
    const current = {
      userCriteria: { groupAppEntitlementsRef: [row, { ...row, id: "2" }] },
      allGrants: { limit: 3 },
    };
    const written = { userCriteria: { groupAppEntitlementsRef: [{ appId: "a", id: "1" }] }, allGrants: {} };
    expect(goesTo(current, written)).toEqual({
      userCriteria: { groupAppEntitlementsRef: [row] },
      allGrants: { limit: 3 },
    });
  });
  it("with an empty scope, and not with a cleared one", () => {
    expect(goesTo({ allUsers: {}, futureScope: {} }, {})).toEqual({ futureScope: {} });
    expect(goesTo({ allUsers: {}, futureScope: {} }, null)).toBeUndefined();
  });
  it("but not an unnamed choice in the place of which another one is written", () => {
    const current = { futureUsersScope: { team: "a" }, allGrants: {} };
    expect(goesTo(current, { allUsers: {} })).toEqual({ allUsers: {} });
    expect(goesTo(current, { allGrants: {} })).toEqual({
      allGrants: {},
      users_scope: { futureUsersScope: { team: "a" } },
    });
  });
});

describe("a list in an order that counts", () => {
  const later = (name: string) => ({ [name]: {}, future: name });
  const policyOf = (steps: readonly JsonObject[]) =>
    normalise({ policySteps: { grant: { steps } } }, policy.shape);
  const stepsOver = (current: readonly JsonObject[], written: readonly JsonObject[]) => {
    const all = carryOver(policyOf(current), policyOf(written), ["policySteps"], policy.shape);
    return policyOf((all.policySteps as { grant: { steps: JsonObject[] } }).grant.steps);
  };

  it("keeps in an item what remit has no name for, wherever it goes", () => {
    const [accept, reject] = [later("accept"), later("reject")];
    expect(stepsOver([accept, reject], [{ reject: {} }, { accept: {} }])).toEqual(policyOf([reject, accept]));
    expect(stepsOver([accept, reject], [{ reject: {} }])).toEqual(policyOf([reject]));
    const changed = { accept: { acceptMessage: "Hi" } };
    expect(stepsOver([accept, reject], [changed, { reject: {} }])).toEqual(
      policyOf([{ ...accept, ...changed }, reject]),
    );
  });

  it("is kept as it was sent where the service only adds to an item", () => {
    const [sent, answered] = [policyOf([{ accept: {} }]), policyOf([later("accept")])];
    const { differs } = divideKept(sent, answered, ["policySteps"], policy.shape);
    expect(differs).toEqual([]);
    expect(divideKept(answered, sent, ["policySteps"], policy.shape).differs).toHaveLength(1);
  });
});

describe("what remit has no name for is compared", () => {
  it("as one value, so that it is a change where it differs", () => {
    expect(
      compare(
        scope({ allUsers: {}, future: { a: [1] } }),
        scope({ allUsers: {}, future: { a: [2] } }),
        shape,
      ),
    ).toEqual([{ type: "value", path: ["scope", "future"], before: { a: [1] }, after: { a: [2] } }]);
  });
  it("and what stands for unset makes no difference", () => {
    const unset = { one: false, two: "", three: [], four: 0, five: "FUTURE_KIND_UNSPECIFIED" };
    expect(compare(scope({ allUsers: {}, ...unset }), scope({ allUsers: {} }), shape)).toEqual([]);
  });
  it("and a row that differs only there is a change", () => {
    const rows = (more: JsonObject) =>
      normalise({ entitlements: [{ appId: "a", appEntitlementId: "e", ...more }] }, shape);
    expect(compare(rows({ futureNote: "x" }), rows({ futureNote: "y" }), shape)).toEqual([
      { type: "value", path: ["entitlements", 0, "futureNote"], before: "x", after: "y" },
    ]);
  });
  it("and a choice that takes the place of an unnamed one is a switch", () => {
    const current = scope({ futureUsersScope: { team: "a" } });
    expect(compare(current, scope({ allUsers: {} }), shape)).toEqual([
      {
        type: "choice",
        path: ["scope"],
        group: "users_scope",
        from: "users_scope",
        to: "allUsers",
        opens: true,
        before: { futureUsersScope: { team: "a" } },
        after: {},
      },
    ]);
  });
  it("and a value of an unexpected type is a change, not unset", () => {
    expect(compare(scope({ allUsers: true }), scope({}), shape)).toMatchObject([
      { from: "allUsers", to: null },
    ]);
    expect(compare(scope({ principalTypeFilter: 3 }), scope({}), shape)).toMatchObject([
      { before: 3, after: null },
    ]);
  });
});

describe("the condition of an automation that remit has no name for", () => {
  const shown = (more: JsonObject) =>
    entitlementAutomation.reads.observe(
      { AppEntitlementAutomation: { displayName: "A", lastRunStatus: { errorMessage: "" }, ...more } },
      ["app", "e"],
    )?.fields ?? {};
  const sent = (current: JsonObject, fields: JsonObject, owned: readonly string[]) =>
    entitlementAutomation.calls({
      verb: "update",
      before: null,
      key: ["app", "e"],
      identity: {},
      after: carryOver(current, fields, owned, entitlementAutomation.shape),
      fields: owned,
    })[0]?.body;

  it("is sent back by a write that does not manage the condition", () => {
    const current = shown({ futureConditions: { team: "a\n" } });
    expect(sent(current, { displayName: "B" }, ["displayName"])).toEqual({
      displayName: "B",
      description: "",
      futureConditions: { team: "a\n" },
    });
  });
  it("is replaced by the condition that a manifest writes, and that is a switch", () => {
    const current = shown({ futureConditions: { team: "a" } });
    const wanted = { cel: { expression: "true" } };
    expect(sent(current, wanted, ["cel"])).toEqual({ displayName: "A", description: "", ...wanted });
    expect(compare(current, { displayName: "A", ...wanted }, entitlementAutomation.shape)).toMatchObject([
      { type: "choice", from: "conditions", to: "cel", before: { futureConditions: { team: "a" } } },
    ]);
  });
  it("is not what else the service shows of the object", () => {
    const volatile = { nextRunAt: "2026-01-31T00:00:00Z", futureOwner: { id: "x" } };
    expect(shown({ cel: { expression: "true" }, ...volatile })).toEqual(
      shown({ cel: { expression: "true" } }),
    );
    expect(shown({ nextRunAt: "2026-01-31T00:00:00Z" })).toEqual(shown({}));
  });
});

describe("a text is compared by what it says", () => {
  const says = (expression: string) => scope({ celExpression: { expression } });
  it.each([
    ["a\nb", "a\r\nb"],
    ["a\nb", "a\rb"],
    ["a", "a\n\n"],
  ])("%j as %j", (one, other) => {
    expect(compare(says(one), says(other), shape)).toEqual([]);
    expect(compare(says(other), says(one), shape)).toEqual([]);
  });
  it("and is carried over letter by letter", () => {
    const current = normalise({ scope: { celExpression: { expression: "a\r\n\n" } } }, shape);
    expect(carryOver(current, { entitlements: [] }, ["entitlements"], shape).scope).toEqual({
      celExpression: { expression: "a\r\n\n" },
    });
  });
});
