import { expect, test } from "vitest";
import { automation } from "../../../src/sandbox/messages/automation.js";
import { entitlement } from "../../../src/sandbox/messages/entitlement.js";
import { scope } from "../../../src/sandbox/messages/scope.js";
import { list, map, message, names } from "../../../src/sandbox/wire/descriptor.js";
import { emitter } from "../../../src/sandbox/wire/emit.js";

const inner = message("test.Inner", { name: "string" });

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
    colour: names("COLOUR_", "UNSPECIFIED", "RED"),
    inner,
    inners: list(inner),
    byName: map(inner),
    left: inner,
    right: "string",
  },
  { side: ["left", "right"] },
);

test("what is unset is shown, but the members of a one-of", () => {
  expect(emitter(all)({})).toEqual({
    text: "",
    truth: false,
    small: 0,
    large: "0",
    moment: null,
    span: null,
    mask: null,
    open: null,
    colour: "COLOUR_UNSPECIFIED",
    inner: null,
    inners: [],
    byName: {},
  });
});

test("messages inside lists, maps and one-ofs show their unset fields too", () => {
  const shown = emitter(all)({ inners: [{}], byName: { a: {} }, left: {} });
  expect(shown).toMatchObject({ inners: [{ name: "" }], byName: { a: { name: "" } }, left: { name: "" } });
  expect(shown).not.toHaveProperty("right");
});

test("what the message does not name is not shown", () => {
  expect(emitter(inner)({ name: "a", secret: "b" })).toEqual({ name: "a" });
});

test("a map's key that the prototype has stays a key", () => {
  const shown = emitter(all)(JSON.parse('{"byName":{"__proto__":{"name":"x"}}}'));
  expect(JSON.stringify(shown.byName)).toBe('{"__proto__":{"name":"x"}}');
});

test("a scope shows only its plain members when nothing is set", () => {
  expect(emitter(scope)({})).toEqual({
    principalTypeFilter: "PRINCIPAL_TYPE_FILTER_UNSPECIFIED",
    scopeRoleSelection: null,
  });
});

test("an automation shows no condition when none is set, and the one that is", () => {
  expect(Object.keys(emitter(automation)({})).sort()).toEqual([
    "appEntitlementId",
    "appId",
    "createdAt",
    "deletedAt",
    "description",
    "displayName",
    "lastRunStatus",
    "managedByRequestCatalogId",
    "updatedAt",
  ]);
  expect(emitter(automation)({ none: {} })).toHaveProperty("none", {});
  expect(emitter(message("test.Reply", { automation }))({})).toEqual({ automation: null });
});

test("a count of grants is a text", () => {
  expect(emitter(entitlement)({})).toHaveProperty("grantCount", "0");
});
