import { describe, expect, it } from "vitest";
import { entitlementAutomation } from "../../src/kinds/entitlementAutomation.js";
import { normalise, normaliseWritten } from "../../src/kinds/normalise.js";
import { resourceType } from "../../src/kinds/resourceType.js";
import { templateScope } from "../../src/kinds/templateScope.js";
import { asSent } from "../../src/kinds/unnamed.js";
import type { JsonObject } from "../../src/model/json.js";

const scope = (value: JsonObject) => normalise({ scope: value }, templateScope.shape).scope;
const grants = (value: JsonObject) => scope({ grantsByCriteria: value });
const users = (value: JsonObject) => scope({ userCriteria: value });

describe("what is unset is left out", () => {
  it.each<[what: string, value: JsonObject]>([
    ["null", { principalTypeFilter: null, allUsers: null }],
    ["an empty text", { principalTypeFilter: "" }],
    ["the zero name of an enum", { principalTypeFilter: "PRINCIPAL_TYPE_FILTER_UNSPECIFIED" }],
  ])("%s", (_what, value) => {
    expect(scope(value)).toBeUndefined();
  });
  it("false, empty lists and maps, and objects of nothing else", () => {
    expect(scope({ accountCriteria: { noAccountOwner: false, accountTypes: [] } })).toEqual({
      accountCriteria: {},
    });
    expect(users({ multiUserProfileAttributes: {}, managerUserIds: null })).toEqual({ userCriteria: {} });
    expect(grants({ accessProfileFilter: { includedAccessProfileIds: [] } })).toEqual({
      grantsByCriteria: {},
    });
  });
  it("but no marker: its presence is the choice (trap 1)", () => {
    expect(scope({ allUsers: {}, scopeRoleSelection: {} })).toEqual({ allUsers: {}, scopeRoleSelection: {} });
    expect(normalise({ none: {} }, entitlementAutomation.shape)).toEqual({ none: {} });
  });
  it("nor a member of a group that is chosen, however empty", () => {
    expect(scope({ userCriteria: {} })).toEqual({ userCriteria: {} });
    expect(normalise({ cel: { expression: "" } }, entitlementAutomation.shape)).toEqual({ cel: {} });
  });
  it("nor a value that is unset elsewhere, inside of a list", () => {
    expect(users({ userStatus: ["UNKNOWN"] })).toEqual({ userCriteria: { userStatus: ["UNKNOWN"] } });
  });
  it("nor an unknown enum value (trap 22)", () => {
    expect(grants({ typeFilter: "GRANT_FILTER_TYPE_NEW" })).toEqual({
      grantsByCriteria: { typeFilter: "GRANT_FILTER_TYPE_NEW" },
    });
  });
});

describe("what has an order that means nothing has one order (trap 3)", () => {
  it("ids, each once", () => {
    expect(normalise({ traitIds: ["b", "a", "B", "b"] }, resourceType.shape)).toEqual({
      traitIds: ["B", "a", "b"],
    });
  });
  it("references by their pair", () => {
    const [one, two, three] = [
      { appId: "a", appEntitlementId: "2" },
      { appId: "a", appEntitlementId: "1" },
      { appId: "B", appEntitlementId: "2" },
    ];
    const { entitlements } = normalise({ entitlements: [one, two, one, three] }, templateScope.shape);
    expect(entitlements).toEqual([three, two, one]);
  });
  it("values of a profile's attribute, and the attributes", () => {
    const value = {
      multiUserProfileAttributes: {
        b: { values: [{ value: "2" }, { value: "1" }] },
        a: { values: [{ value: "x" }] },
      },
    };
    expect(JSON.stringify(users(value))).toBe(
      JSON.stringify({
        userCriteria: {
          multiUserProfileAttributes: {
            a: { values: [{ value: "x" }] },
            b: { values: [{ value: "1" }, { value: "2" }] },
          },
        },
      }),
    );
  });
  it("an attribute may bear any name", () => {
    const attributes = JSON.parse('{"__proto__":{"values":[{"value":"x"}]}}');
    expect(JSON.stringify(users({ multiUserProfileAttributes: attributes }))).toContain("__proto__");
  });
});

describe("what can be spelt in several ways has one spelling (trap 5)", () => {
  it.each<[what: string, value: JsonObject, normal: JsonObject]>([
    [
      "durations",
      { daysSinceAdded: "90d", daysSinceLastUsed: "2592000.000s" },
      { daysSinceAdded: "7776000s", daysSinceLastUsed: "2592000s" },
    ],
    [
      "date-times",
      { grantsAddedBetween: { startDate: "2026-01-31T01:00:00.000+01:00", endDate: null } },
      { grantsAddedBetween: { startDate: "2026-01-31T00:00:00Z" } },
    ],
    ["no duration at all stays as it is", { daysSinceAdded: "soon" }, { daysSinceAdded: "soon" }],
  ])("%s", (_what, value, normal) => {
    expect(grants(value)).toEqual({ grantsByCriteria: normal });
  });
  it("a written expression and prose lose the newlines a YAML block adds, and nothing else (trap 24)", () => {
    const written = { description: "Who stays.\n", cel: { expression: "  a &&\n  b \n\n" } };
    expect(normaliseWritten(written, entitlementAutomation.shape)).toEqual({
      description: "Who stays.",
      cel: { expression: "  a &&\n  b " },
    });
    expect(normalise(written, entitlementAutomation.shape)).toEqual(written);
    expect(normalise({ displayName: "Team\n" }, resourceType.shape)).toEqual({ displayName: "Team\n" });
  });
});

describe("what an author writes stays as it is written", () => {
  it.each<[what: string, value: JsonObject]>([
    ["users, which unset means", { principalTypeFilter: "PRINCIPAL_TYPE_FILTER_USERS" }],
    ["the zero name of an enum", { principalTypeFilter: "PRINCIPAL_TYPE_FILTER_UNSPECIFIED" }],
    ["an empty scope", {}],
    [
      "false, and an empty text",
      { accountCriteria: { noAccountOwner: false }, celExpression: { expression: "" } },
    ],
    ["an empty list", { selectedUsers: { userIds: [] } }],
  ])("%s", (_what, value) => {
    expect(normaliseWritten({ scope: value }, templateScope.shape)).toEqual({ scope: value });
  });
});

describe("what remit has no name for stays as the service shows it", () => {
  it.each<[what: string, value: JsonObject]>([
    [
      "a member of a scope",
      { allUsers: {}, futureFlag: "x\n", futureScope: { ids: ["b", "a"], none: null } },
    ],
    ["a member of a marker", { allUsers: { futureLimit: 7 } }],
    [
      "a member of a row",
      { userCriteria: { groupAppEntitlementsRef: [{ appId: "a", id: "b", futureRole: "r" }] } },
    ],
    ["a value of another type", { allUsers: true, principalTypeFilter: 2, userCriteria: ["a"] }],
  ])("%s", (_what, value) => {
    expect(scope(value)).toEqual(value);
    expect(normalise({ scope: scope(value) ?? null }, templateScope.shape).scope).toEqual(value);
  });
  it("but for what is unset, which the service shows, too", () => {
    const unset = { futureIds: [], futureFlag: false, futureLimit: 0, futureText: "", futureNote: null };
    expect(scope({ allUsers: unset, ...unset })).toEqual({ allUsers: {} });
  });
  it("and a choice of a group stands under the group's name, until it is sent", () => {
    const value = { futureUsersScope: { team: "a" }, allGrants: {}, futureGrantsScope: {} };
    const normal = scope(value);
    expect(normal).toEqual({
      users_scope: { futureUsersScope: { team: "a" } },
      allGrants: {},
      futureGrantsScope: {},
    });
    expect(scope(normal as JsonObject)).toEqual(normal);
    expect(asSent(normal ?? null, templateScope.shape.fields.get("scope"))).toEqual(value);
  });
});
