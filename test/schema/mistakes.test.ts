import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { isObject, type Json, type JsonObject } from "../../src/model/json.js";
import { areAvoided, type Mistake, mistakeProblems } from "../../src/schema/mistakes.js";
import { sayNamed } from "../../src/words/say.js";

const SOURCES = join(import.meta.dirname, "..", "..", "schemas", "source");

/** Each object of a schema that may have mistakes. */
function mistakenIn(schema: Json): readonly JsonObject[] {
  if (Array.isArray(schema)) return schema.flatMap(mistakenIn);
  if (!isObject(schema)) return [];
  const inner = Object.values(schema).flatMap(mistakenIn);
  return schema["x-mistakes"] === undefined ? inner : [schema, ...inner];
}

const OBJECTS = readdirSync(SOURCES).flatMap((file) =>
  mistakenIn(JSON.parse(readFileSync(join(SOURCES, file), "utf8"))),
);

test("each mistake of a schema has a sentence with all its values, and names members of its object", () => {
  expect(OBJECTS.length).toBeGreaterThan(10);
  for (const { properties, "x-mistakes": mistakes } of OBJECTS) {
    const members = Object.keys(properties as JsonObject);
    for (const {
      says,
      with: values = {},
      at,
      all = [],
      none = [],
      when = {},
    } of mistakes as unknown as Mistake[]) {
      const { message, hint = "" } = sayNamed(says, values);
      expect(`${message} ${hint}`).not.toMatch(/undefined|\{[a-z]\w*\}/);
      expect(members).toEqual(expect.arrayContaining([...all, ...none, ...Object.keys(when)]));
      expect(members).toContain(at ?? members[0]);
    }
  }
});

test("an object has a mistake exactly where one is named, and the empty is unset", () => {
  const mistakes: readonly Mistake[] = [
    { none: ["one", "other"], says: "policy/outcome#none" },
    { all: ["one", "other"], says: "policy/outcome#two", at: "other" },
    { when: { isOn: [false] }, all: ["one"], says: "policy/post-actions" },
  ];
  const namedIn = (value: JsonObject) => {
    const problems = mistakeProblems(mistakes, value, ["spec"], ["one", "other", "isOn"]);
    expect(areAvoided(mistakes)(value)).toBe(problems.length === 0);
    return problems.map(({ path, code }) => `${path.join(".")} ${code}`);
  };
  expect(namedIn({ isOn: true, one: {} })).toEqual([]);
  expect(namedIn({})).toEqual(["spec policy/outcome"]);
  expect(namedIn({ one: "", other: [] })).toEqual(["spec policy/outcome"]);
  expect(namedIn({ isOn: true, one: "a", other: "b" })).toEqual(["spec.other policy/outcome"]);
  expect(namedIn({ isOn: null, one: "a" })).toEqual(["spec policy/post-actions"]);
});
