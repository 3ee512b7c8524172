import { describe, expect, it } from "vitest";
import type { Json } from "../../src/model/json.js";
import { makeRowFilter, type RowCondition } from "../../src/tenant/rowFilter.js";

const ROW: Json = {
  appEntitlement: {
    displayName: "Team A",
    grantCount: "12",
    isAutomationEnabled: true,
    tags: ["red", "blue"],
    none: [],
  },
  appPath: "/api/v1/apps/one",
};

const is = (field: string, pattern: string): RowCondition => ({ field, fits: true, pattern });
const isNot = (field: string, pattern: string): RowCondition => ({ field, fits: false, pattern });

describe("a filter of rows", () => {
  it.each<[string, readonly RowCondition[], boolean]>([
    ["a value", [is("displayName", "Team A")], true],
    ["a pattern", [is("displayName", "Team *")], true],
    ["another case of letters", [is("displayName", "team a")], false],
    ["a number", [is("grantCount", "12")], true],
    ["a choice", [is("isAutomationEnabled", "true")], true],
    ["the row's own member", [is("appPath", "*/one")], true],
    ["a member of a list", [is("tags", "blue")], true],
    ["an empty list", [is("none", "")], true],
    ["a field that the row lacks", [is("alias", "")], true],
    ["not that value", [isNot("displayName", "Team B")], true],
    ["not this value", [isNot("displayName", "Team *")], false],
    ["two conditions", [is("displayName", "Team *"), is("grantCount", "1*")], true],
    ["two conditions of which one fails", [is("displayName", "Team *"), is("grantCount", "0")], false],
  ])("chooses by %s", (_what, conditions, fits) => {
    expect(makeRowFilter(conditions).fits(ROW)).toBe(fits);
  });

  it("knows which of its fields no row had", () => {
    const filter = makeRowFilter([is("displayName", "*"), is("displayNam", "*")]);
    for (const row of [ROW, null, "text", []]) filter.fits(row);
    expect(filter.unknown()).toEqual(["displayNam"]);
    expect(filter.fields()).toEqual([
      "appPath",
      "displayName",
      "grantCount",
      "isAutomationEnabled",
      "none",
      "tags",
    ]);
  });
});
