import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Json, JsonObject } from "../../src/model/json.js";
import { formatPath } from "../../src/model/path.js";
import { compile } from "../../src/schema/compile.js";
import type { ValueDiagnostic } from "../../src/schema/shape.js";

/** A problem as a table tells it. */
const line = ({ code, path, on, message, hint }: ValueDiagnostic) =>
  `${code} at ${on} ${formatPath(path) || "."}: ${message}. ${hint}`;

const text = { type: "string" } as const;
const object = (properties: JsonObject, more: JsonObject = {}): JsonObject => ({
  type: "object",
  properties,
  additionalProperties: false,
  ...more,
});
const FIELDS = object({ displayName: text, description: text });
const FINDER = {
  type: ["string", "object"],
  properties: { name: text, alias: text },
  minProperties: 1,
  maxProperties: 1,
};
const CHOICE = {
  type: "object",
  "x-groups": { users_scope: ["all", "some", "none"] },
  properties: {
    all: { type: ["object", "null"] },
    some: { type: ["object", "null"] },
    none: { type: ["object", "null"] },
  },
};

const TABLE: readonly (readonly [what: string, schema: JsonObject, value: Json, told: readonly string[]])[] =
  [
    ["a value as it should be", FIELDS, { displayName: "x" }, []],
    [
      "a field misspelt",
      FIELDS,
      { displayNam: "x" },
      [
        "schema/unknown-field at name displayNam: displayNam is not a field of the document. Did you mean displayName?",
      ],
    ],
    [
      "a field like no other",
      FIELDS,
      { owner: "x" },
      [
        "schema/unknown-field at name owner: owner is not a field of the document. The fields are displayName, description.",
      ],
    ],
    [
      "a field of a marker",
      object({ all: object({}, { "x-marker": true }) }),
      { all: { users: [] } },
      [
        "schema/unknown-field at name all.users: users is not known here: all is an empty object, and its presence is the choice. Write `all: {}`.",
      ],
    ],
    [
      "a field that is missing",
      object({ id: { ...text, examples: ["2fsg"] } }, { required: ["id"] }),
      {},
      ["schema/required at name .: the document has no id. Add it, for instance `id: 2fsg`."],
    ],
    [
      "one of two fields missing",
      object(
        { id: text, name: text, of: text },
        { anyOf: [{ required: ["id"] }, { required: ["name", "of"] }] },
      ),
      { of: "x" },
      ["schema/required at name .: the document needs id, or name and of. Add what is missing."],
    ],
    [
      "a number for a text",
      object({ id: text }),
      { id: 12 },
      [
        "schema/type at value id: id must be a text, and is the number 12. Put it in quotes, so that it is a text.",
      ],
    ],
    [
      "a text for a list that may be null",
      object({ ids: { type: ["array", "null"], items: text } }),
      { ids: "one" },
      ["schema/type at value ids: ids must be a list, and is a text. Write a list: [one]."],
    ],
    [
      "an item of another type",
      object({ ids: { type: "array", items: text } }),
      { ids: ["a", null, {}] },
      [
        "schema/type at value ids[1]: item 2 of ids must be a text, and is empty. Write a text.",
        "schema/type at value ids[2]: item 3 of ids must be a text, and is an object. Write a text.",
      ],
    ],
    [
      "a word outside of a closed list",
      object({ interface: { enum: ["full", "core"] } }),
      { interface: "ful" },
      ['schema/enum at value interface: "ful" is not a known value of interface. Did you mean full?'],
    ],
    [
      "a word outside of an open list",
      object({
        status: { ...text, "x-enum": ["ENABLED", "DISABLED"], anyOf: [{ enum: ["ENABLED"] }, text] },
      }),
      { status: "ROBOT" },
      ['schema/enum at value status: "ROBOT" is not a known value of status. Known are ENABLED, DISABLED.'],
    ],
    [
      "the empty word, which clears",
      object({ status: { ...text, "x-enum": ["ENABLED"] } }),
      { status: "" },
      [],
    ],
    [
      "another word than the only one",
      object({ apiVersion: { const: "remit/v1" } }),
      { apiVersion: "v1" },
      ['schema/value at value apiVersion: apiVersion is "v1", and must be "remit/v1". Write "remit/v1".'],
    ],
    [
      "no duration",
      object({
        age: { ...text, "x-form": "duration", pattern: "^never$", patternErrorMessage: "Write 90d." },
      }),
      { age: "3 months" },
      ['schema/format at value age: "3 months" is not a duration. Write 90d.'],
    ],
    [
      "no date-time",
      object({ at: { ...text, "x-form": "timestamp" } }),
      { at: "2026-02-30T00:00:00Z" },
      ['schema/format at value at: "2026-02-30T00:00:00Z" is not a date-time. Write a date-time.'],
    ],
    [
      "all of a group",
      object({ scope: CHOICE }),
      { scope: { some: {}, all: {}, none: {} } },
      [
        "schema/one-of at name scope.all: some and all cannot both be set: a scope has one users_scope. Remove one of them.",
        "schema/one-of at name scope.none: some and none cannot both be set: a scope has one users_scope. Remove one of them.",
      ],
    ],
    [
      "one of a group beside nulls",
      object({ scope: CHOICE }),
      { scope: { some: null, all: {}, none: null } },
      [],
    ],
    [
      "too long a list",
      object({ ids: { type: "array", maxItems: 1 } }),
      { ids: ["a", "b"] },
      [
        "schema/too-many at value ids: ids has 2 items; at most 1 are allowed. Remove some, or select by another criterion.",
      ],
    ],
    [
      "a finder of nothing",
      object({ appId: FINDER }),
      { appId: {} },
      ["schema/value at value appId: appId does not say what to look for. Write its name or alias."],
    ],
    [
      "a finder of two things",
      object({ appId: FINDER }),
      { appId: { name: "a", alias: "b" } },
      ["schema/value at value appId: appId has several search fields. Keep one of name and alias."],
    ],
    [
      "a text of no form that is known",
      object({ name: { ...text, pattern: "^[a-z]+$", patternErrorMessage: "Use small letters." } }),
      { name: "A" },
      ['schema/value at value name: name is "A", which does not have the required form. Use small letters.'],
    ],
    [
      "numbers out of bounds",
      object({ a: { type: "integer", minimum: 1 }, b: { type: "number", maximum: 9 } }),
      { a: 0, b: 10 },
      [
        "schema/value at value a: a is 0; the least is 1. Write another value.",
        "schema/value at value b: b is 10; the most is 9. Write another value.",
      ],
    ],
    [
      "none of several forms, told once",
      object({ a: { anyOf: [{ type: "null" }, { ...text, minLength: 3 }] } }),
      { a: "x" },
      ["schema/value at value a: a has none of the allowed forms. Write another value."],
    ],
    [
      "a rule that has no words of its own",
      object({ a: { not: { type: "null" } } }),
      { a: null },
      ["schema/value at value a: a is not valid (not). Write another value."],
    ],
  ];

describe("a check tells of", () => {
  it.each(TABLE)("%s", (_what, schema, value, told) => {
    expect(compile(schema)(value).map(line)).toEqual(told);
  });

  it("the second of a group with the place of the first", () => {
    const [problem] = compile(CHOICE)({ all: {}, some: {} });
    expect(problem?.related).toEqual([{ path: ["all"], message: "all is set here" }]);
  });
  it("an unknown word as a warning where the list is open, as an error where it is closed", () => {
    const severities = [{ ...text, "x-enum": ["A"] }, { enum: ["A"] }].map(
      (schema) => compile(schema)("B")[0]?.severity,
    );
    expect(severities).toEqual(["warning", "error"]);
  });
  it("what it checks by the name it is given", () => {
    expect(compile(FIELDS, "remit.yaml")({ x: 1 })[0]?.message).toBe("x is not a field of remit.yaml");
  });
  it("names that mean something to JavaScript or to a pointer as any other", () => {
    const paths = compile(FIELDS)(JSON.parse('{"__proto__":1,"a/b~c":1}')).map(({ path }) => path);
    expect(paths).toEqual([["__proto__"], ["a/b~c"]]);
  });
  it("a word of a million letters in few, and no more than a thousand faults", () => {
    const names = Object.fromEntries(Array.from({ length: 3_000 }, (_, at) => [`${at}`.padEnd(300, "x"), 1]));
    const problems = compile(FIELDS)({ ...names, description: "x".repeat(1_000_000) });
    expect(problems).toHaveLength(1_000);
    expect(Math.max(...problems.map((problem) => line(problem).length))).toBeLessThan(900);
  });
});

it("a check never finds a fault without words for it", () => {
  const schemas = TABLE.map(([, schema]) => compile(schema));
  fc.assert(
    fc.property(fc.jsonValue(), fc.constantFrom(...schemas), (value, check) => {
      for (const { message, hint } of check(value as Json)) {
        expect(message).not.toBe("");
        expect(hint).toMatch(/[.?]$/);
      }
    }),
  );
});
