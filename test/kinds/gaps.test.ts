import { expect, it } from "vitest";
import type { Kind } from "../../src/kinds/kind.js";
import { templateScope } from "../../src/kinds/templateScope.js";
import type { JsonObject } from "../../src/model/json.js";
import { gapsIn } from "../contracts/kindSchema.js";

const word = { description: "A word.", examples: ["x"], type: "string" };

/** What the contract says of a kind whose spec has that one field. */
function gapsOf(field: JsonObject, more: JsonObject = {}): readonly string[] {
  const spec = {
    description: "A folder.",
    type: "object",
    properties: { field },
    additionalProperties: false,
    ...more,
  };
  const schema = { properties: { kind: { const: "AppFolder" } }, $defs: { spec } };
  return gapsIn({ ...templateScope, name: "AppFolder", schema } as Kind);
}

it("the contract of a kind names every file that does not know it", () => {
  expect(gapsOf(word)).toEqual([
    "schemas/app-folder.json is missing",
    "manifest.json does not offer the kind AppFolder",
    "manifest.json does not lead from the kind AppFolder to #/$defs/AppFolder",
    "manifest.json: #/$defs/AppFolder is not the #/$defs/spec of app-folder.json",
  ]);
});

it.each<[what: string, field: JsonObject, gap: string]>([
  ["no words for editors", { ...word, description: "" }, "spec.field: no description"],
  ["no example", { ...word, examples: null }, "spec.field: no example"],
  [
    "a list of no known order",
    { ...word, type: "array" },
    "spec.field: a list, and no x-set, x-key or x-ordered",
  ],
  [
    "an item without words",
    { ...word, type: "array", "x-set": true, items: {} },
    "spec.field[0]: no description",
  ],
  ["an object open to anything", { ...word, properties: {} }, "spec.field: takes unknown fields"],
  ["a hint that nobody reads", { ...word, "x-sorted": true }, "spec.field: nobody reads x-sorted"],
  [
    "a group that editors do not know",
    { ...word, "x-groups": { one: ["a", "b"] } },
    "spec.field: allOf does not tell editors what x-groups says",
  ],
  [
    "known values that editors do not offer",
    { ...word, "x-enum": ["A"] },
    "spec.field: anyOf does not offer what x-enum lists",
  ],
])("the contract of a kind finds %s", (_what, field, gap) => {
  expect(gapsOf(field)).toContain(gap);
});
