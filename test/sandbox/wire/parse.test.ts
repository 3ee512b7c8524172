import { describe, expect, test } from "vitest";
import { automation } from "../../../src/sandbox/messages/automation.js";
import { scope } from "../../../src/sandbox/messages/scope.js";
import { template } from "../../../src/sandbox/messages/template.js";
import { list, map, message, names } from "../../../src/sandbox/wire/descriptor.js";
import { parse } from "../../../src/sandbox/wire/parse.js";

const all = message(
  "test.All",
  {
    text: "string",
    truth: "bool",
    small: "int32",
    large: "int64",
    moment: "timestamp",
    span: "duration",
    mask: "mask",
    open: "free",
    colour: names("COLOUR_", "UNSPECIFIED", "RED", "BLUE"),
    inner: message("test.Inner", { displayName: "string" }),
    texts: list("string"),
    byName: map("string"),
    left: "string",
    right: "int32",
  },
  { side: ["left", "right"] },
);

describe("a body is read", () => {
  test.each([
    ["nothing", "", {}],
    ["an empty object", " { } ", {}],
    ["null as unset", '{"text":null,"texts":null,"inner":null,"left":null,"right":1}', { right: 1 }],
    [
      "defaults as unset",
      '{"text":"","truth":false,"small":0,"large":"0","colour":0,"texts":[],"byName":{}}',
      {},
    ],
    ["a default in a one-of as set", '{"right":0}', { right: 0 }],
    ["an empty message as set", '{"inner":{}}', { inner: {} }],
    [
      "snake_case names",
      '{"by_name":{"a_b":"c"},"inner":{"display_name":"x"}}',
      { byName: { a_b: "c" }, inner: { displayName: "x" } },
    ],
    ["an enum by its number", '{"colour":2}', { colour: "COLOUR_BLUE" }],
    ["an enum's number that has no name", '{"colour":7}', { colour: 7 }],
    [
      "whole numbers however written",
      '{"small":"12","large":12,"right":1.20e1}',
      { small: 12, large: "12", right: 12 },
    ],
    ["the largest int64", '{"large":"9223372036854775807"}', { large: "9223372036854775807" }],
    [
      "a time with an offset",
      '{"moment":"2025-01-01T01:30:00.1230+01:30"}',
      { moment: "2025-01-01T00:00:00.123Z" },
    ],
    ["a duration with a needless fraction", '{"span":"2592000.000s"}', { span: "2592000s" }],
    ["a mask", '{"mask":"displayName,inner.displayName"}', { mask: "displayName,inner.displayName" }],
    ["an empty mask as set to nothing", '{"mask":""}', { mask: "" }],
    ["escapes", '{"text":"\\u00e9\\n\\ud83d\\ude00"}', { text: "é\n😀" }],
    [
      "an object nobody has shown",
      '{"open":{"a":[1,true,null,{"b":"c"}]}}',
      { open: { a: [1, true, null, { b: "c" }] } },
    ],
  ])("%s", (_, body, value) => {
    expect(parse(body, all)).toEqual(value);
  });

  test("names of the prototype are ordinary keys", () => {
    const value = parse('{"byName":{"__proto__":"x"}}', all);
    expect(Object.entries(value.byName ?? {})).toEqual([["__proto__", "x"]]);
  });
});

describe("a body is refused", () => {
  test.each([
    ["an unknown field", '{"nope":1}', '(line 1:2): unknown field "nope"'],
    ["a field of the prototype", '{"constructor":1}', '(line 1:2): unknown field "constructor"'],
    ["an unknown field further down", '{\n "inner":{"nope":1}}', '(line 2:11): unknown field "nope"'],
    ["a repeated field", '{"text":"a","text":"a"}', '(line 1:13): duplicate field "text"'],
    [
      "a field repeated in its other spelling",
      '{"byName":{},"by_name":{}}',
      '(line 1:14): duplicate field "by_name"',
    ],
    ["a repeated map key", '{"byName":{"a":"1","a":"2"}}', '(line 1:20): duplicate map key "a"'],
    ["a repeated name where anything goes", '{"open":{"a":1,"a":2}}', '(line 1:16): duplicate field "a"'],
    [
      "two members of a one-of",
      '{"left":"","right":1}',
      '(line 1:12): error parsing "right", oneof test.All.side is already set',
    ],
    ["a number for a text", '{"text":1}', "(line 1:9): invalid value for string field text: 1"],
    ["a list for a text", '{"text":[1]}', "(line 1:9): invalid value for string field text: ["],
    ["a text for a truth", '{"truth":"true"}', '(line 1:10): invalid value for bool field truth: "true"'],
    ["a fraction", '{"small":1.5}', "(line 1:10): invalid value for int32 field small: 1.5"],
    [
      "a number too large",
      '{"small":2147483648}',
      "(line 1:10): invalid value for int32 field small: 2147483648",
    ],
    ["a text that is no number", '{"large":"1x"}', '(line 1:10): invalid value for int64 field large: "1x"'],
    ["a truth for a number", '{"small":true}', "(line 1:10): invalid value for int32 field small: true"],
    [
      "an unknown enum name",
      '{"colour":"GREEN"}',
      '(line 1:11): invalid value for enum field colour: "GREEN"',
    ],
    ["an enum name in a list", '{"texts":["a",1]}', "(line 1:15): invalid value for string field texts: 1"],
    ["null in a list", '{"texts":[null]}', "(line 1:11): invalid value for string field texts: null"],
    ["an object for a list", '{"texts":{}}', "syntax error (line 1:10): unexpected token {"],
    ["a list for a message", '{"inner":[]}', "syntax error (line 1:10): unexpected token ["],
    ["a duration in hours", '{"span":"1h"}', '(line 1:9): invalid google.protobuf.Duration value "1h"'],
    ["a duration in days", '{"span":"30d"}', '(line 1:9): invalid google.protobuf.Duration value "30d"'],
    ["a duration that is a number", '{"span":30}', "syntax error (line 1:9): unexpected token 30"],
    [
      "a duration too long",
      '{"span":"315576000001s"}',
      '(line 1:9): google.protobuf.Duration value out of range: "315576000001s"',
    ],
    [
      "a time that is none",
      '{"moment":"yesterday"}',
      '(line 1:11): invalid google.protobuf.Timestamp value "yesterday"',
    ],
    [
      "a mask in snake_case",
      '{"mask":"display_name"}',
      '(line 1:9): google.protobuf.FieldMask.paths contains invalid path: "display_name"',
    ],
    ["a mask that is an object", '{"mask":{"paths":[]}}', "syntax error (line 1:9): unexpected token {"],
    ["a comma too many", '{"text":"a",}', "syntax error (line 1:13): unexpected token }"],
    ["something after the end", "{} {}", "syntax error (line 1:4): unexpected token {"],
    ["a body that is no object", "null", "syntax error (line 1:1): unexpected token null"],
    ["a body cut short", '{"text":"a"', "syntax error (line 1:12): unexpected token "],
    ["a control character", '{"text":"a\nb"}', "syntax error (line 1:11): invalid character in string"],
    ["half a surrogate pair", '{"text":"\\ud800"}', "syntax error (line 1:9): invalid escape code in string"],
    ["a wrong escape", '{"text":"\\x"}', "syntax error (line 1:10): invalid character in string"],
    ["a number that is none", '{"small":01}', "syntax error (line 1:11): unexpected token 1"],
    ["a depth without end", `{"open":${"[".repeat(200)}`, "(line 1:110): exceeded max recursion depth"],
  ])("for %s", (_, body, message) => {
    expect(() => parse(body, all)).toThrow(`failed to unmarshal body: proto: ${message}`);
  });

  test.each([
    [scope, { appAccess: {}, specificResources: {} }, "AccessReviewScopeV2.apps_and_resources_scope"],
    [scope, { allUsers: {}, celExpression: {} }, "AccessReviewScopeV2.users_scope"],
    [scope, { allAccounts: {}, accountCriteria: {} }, "AccessReviewScopeV2.accounts_scope"],
    [scope, { allGrants: {}, grantsByCriteria: {} }, "AccessReviewScopeV2.grants_scope"],
    [
      scope,
      { allAccessConflicts: {}, specificAccessConflicts: {} },
      "AccessReviewScopeV2.access_conflicts_scope",
    ],
    [
      scope,
      { excludedSpecificResources: {}, excludedResourceTypeSelections: {} },
      "AccessReviewScopeV2.excluded_apps_and_resources_scope",
    ],
    [
      scope,
      { grantsByCriteria: { daysSinceAdded: "1s", daysSinceReviewed: "1s" } },
      "GrantsByCriteriaScope.criteria_filter",
    ],
    [automation, { none: {}, entitlements: {} }, "AppEntitlementAutomation.conditions"],
    [
      template,
      { recurrenceRule: { endDate: "2025-01-01T00:00:00Z", occurrences: 3 } },
      "RecurrenceRule.end_condition",
    ],
  ])("for two members of a group of the service: %#", (type, body, group) => {
    expect(() => parse(JSON.stringify(body), type)).toThrow(`${group} is already set`);
  });

  test("for a list longer than the service takes, in the words of its validation", () => {
    const body = (count: number) =>
      JSON.stringify({
        grantsByCriteria: { accessProfileFilter: { includedAccessProfileIds: Array(count).fill("a") } },
      });
    expect(parse(body(32), scope)).toHaveProperty("grantsByCriteria");
    expect(() => parse(body(33), scope)).toThrow(
      "invalid AccessProfileFilter.IncludedAccessProfileIds: value must contain no more than 32 item(s)",
    );
  });

  test("for a mask of paths in the wrong case, by the request that carries it", () => {
    expect(() => parse('{"updateMask":"trait_ids"}', message("test.Update", { updateMask: "mask" }))).toThrow(
      "contains invalid path",
    );
  });
});
