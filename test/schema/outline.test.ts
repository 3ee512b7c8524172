import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../src/model/json.js";
import { outlineSpec } from "../../src/schema/outline.js";

const id = { type: ["string", "object"], properties: { name: { type: "string" } } };

/** The outline of one field of a spec. */
function fieldOf(field: JsonObject, $defs: JsonObject = {}) {
  return outlineSpec({ $defs: { ...$defs, spec: { type: "object", properties: { field } } } }).fields.get(
    "field",
  );
}

describe("an outline of a schema", () => {
  it.each<[what: string, field: JsonObject, shape: unknown]>([
    ["a text", { type: ["string", "null"] }, { type: "string", form: { is: "plain" } }],
    ["prose", { type: "string", "x-form": "text" }, { type: "string", form: { is: "text" } }],
    ["a duration", { type: "string", "x-form": "duration" }, { type: "string", form: { is: "duration" } }],
    [
      "a word of an open list",
      { type: "string", "x-enum": ["A", "B"], "x-unset": ["A"] },
      { type: "string", form: { is: "enum", values: ["A", "B"], unset: ["A"], open: [] } },
    ],
    ["an id", { ...id, "x-id": { of: "app" } }, { type: "string", form: { is: "id", of: "app" } }],
    [
      "an id inside of an app",
      { ...id, "x-id": { of: "entitlement", within: "appId" } },
      { type: "string", form: { is: "id", of: "entitlement", within: "appId" } },
    ],
    ["a choice", { type: ["boolean", "null"] }, { type: "boolean" }],
    ["a marker", { type: "object", "x-marker": true }, { type: "marker" }],
    [
      "a marker for what is selected elsewhere",
      { type: "object", "x-marker": true, "x-elsewhere": true },
      { type: "marker", selects: "elsewhere" },
    ],
    [
      "a map",
      { type: "object", additionalProperties: { type: "boolean" } },
      { type: "map", value: { type: "boolean" } },
    ],
    [
      "a set",
      { type: "array", items: { type: "boolean" }, "x-set": true },
      { type: "list", item: { type: "boolean" }, order: { by: "set" } },
    ],
    [
      "a keyed list",
      { type: "array", items: { type: "boolean" }, "x-key": ["appId", "id"] },
      { type: "list", item: { type: "boolean" }, order: { by: "key", key: ["appId", "id"] } },
    ],
    [
      "a list whose order counts",
      { type: "array", items: { type: "boolean" } },
      { type: "list", item: { type: "boolean" }, order: { by: "place" } },
    ],
    [
      "an object with a group",
      {
        type: "object",
        properties: { a: { type: "boolean", "x-open": true } },
        "x-groups": { one: ["a", "b"] },
      },
      {
        type: "object",
        fields: new Map([["a", { type: "boolean" }]]),
        groups: [{ name: "one", members: ["a", "b"], open: ["a"] }],
      },
    ],
  ])("sees %s", (_what, field, shape) => {
    expect(fieldOf(field)).toEqual(shape);
  });

  it("follows references", () => {
    expect(fieldOf({ $ref: "#/$defs/flag" }, { flag: { type: "boolean" } })).toEqual({ type: "boolean" });
  });
  it("keeps what names an object in the order of its key, and what only creates it apart", () => {
    const properties = { id, appId: id, kind: { type: "string", "x-create-only": true } };
    const spec = { type: "object", properties, "x-identity": ["appId", "id"] };
    expect(outlineSpec({ $defs: { spec } })).toMatchObject({
      identity: ["appId", "id"],
      createOnly: ["kind"],
    });
  });
  it("does not make do with a schema that leads nowhere", () => {
    expect(() => fieldOf({ $ref: "#/$defs/missing" })).toThrow("the schema has no missing");
    expect(() => outlineSpec({})).toThrow("the schema has no $defs");
  });
});
