import { readdirSync, readFileSync } from "node:fs";
import { Ajv2020 } from "ajv/dist/2020.js";
import { expect, it } from "vitest";
import { canonical, isObject, type Json, type JsonObject } from "../../src/model/json.js";

const FOLDER = new URL("../../schemas/", import.meta.url);
const SCHEMAS = readdirSync(FOLDER)
  .filter((name) => name.endsWith(".json"))
  .map((name) => ({ name, schema: JSON.parse(readFileSync(new URL(name, FOLDER), "utf8")) as JsonObject }));
/** Those whose shared definitions are one another's copies, so that an editor needs no second file. */
const MANIFESTS = SCHEMAS.filter(
  ({ name, schema }) =>
    name !== "manifest.json" && isObject(schema.$defs ?? null) && "spec" in (schema.$defs as JsonObject),
).map(({ name }) => name);

it.each(SCHEMAS)("$name is JSON Schema of its dialect, and leads to no other file", ({ schema }) => {
  expect(schema.$schema).toBe("https://json-schema.org/draft/2020-12/schema");
  const ajv = new Ajv2020({ strict: false });
  expect(ajv.validateSchema(schema) ? [] : ajv.errors).toEqual([]);
  expect([...references(schema)].filter((reference) => !reference.startsWith("#/"))).toEqual([]);
});

it("a definition that several manifests share is the same in each", () => {
  const spellings = new Map<string, Set<string>>();
  for (const { schema } of SCHEMAS.filter(({ name }) => MANIFESTS.includes(name)))
    for (const [name, definition] of Object.entries(schema.$defs as JsonObject))
      if (name !== "spec") spellings.set(name, (spellings.get(name) ?? new Set()).add(canonical(definition)));
  expect([...spellings].filter(([, different]) => different.size > 1).map(([name]) => name)).toEqual([]);
});

function* references(value: Json): Generator<string> {
  if (Array.isArray(value)) for (const item of value) yield* references(item);
  if (!isObject(value)) return;
  for (const [name, member] of Object.entries(value))
    if (name === "$ref" && typeof member === "string") yield member;
    else yield* references(member);
}
