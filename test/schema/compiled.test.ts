import { createRequire } from "node:module";
import standalone from "ajv/dist/standalone/index.js";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import automation from "../../schemas/entitlement-automation.json" with { type: "json" };
import resourceType from "../../schemas/resource-type.json" with { type: "json" };
import templateScope from "../../schemas/template-scope.json" with { type: "json" };
import type { Json, JsonObject } from "../../src/model/json.js";
import { condense } from "../../src/schema/compile.js";
import { HINTS } from "../../src/schema/hints.js";
import { makeValidator } from "../../src/schema/validator.js";

const SCHEMAS = { resourceType, automation, templateScope } as unknown as Record<string, JsonObject>;

/** The checks of a schema: compiled in this process, and written as code for later, as the build does it. */
function checksOf(schema: JsonObject) {
  const condensed = condense(schema);
  const later = makeValidator({ source: true });
  const code = standalone.default(later, later.compile(condensed));
  const module = { exports: later.compile(true) };
  new Function("module", "require", "HINTS", code)(module, createRequire(import.meta.url), HINTS);
  return { now: makeValidator({ optimize: false }).compile(condensed), later: module.exports };
}

/** Every name that a schema has at any depth. */
function namesIn(schema: Json): readonly string[] {
  if (Array.isArray(schema)) return schema.flatMap(namesIn);
  if (schema === null || typeof schema !== "object") return [];
  return Object.entries(schema).flatMap(([name, value]) => [name, ...namesIn(value)]);
}

describe.each(Object.entries(SCHEMAS))("the check of %s that the build writes", (_, schema) => {
  const { now, later } = checksOf(schema);
  const [example] = (schema.examples ?? []) as readonly Json[];
  const value = fc.oneof(
    fc.constantFrom<Json>(
      null,
      true,
      0,
      "",
      "x",
      "30d",
      "86400s",
      "2026-01-01T00:00:00Z",
      [],
      {},
      [{}],
      ["x"],
    ),
    fc.string(),
  );
  const names = [...new Set(namesIn(schema))];

  function broken(whole: Json, place: readonly number[], name: string, put: Json): Json {
    const [at, ...rest] = place;
    if (at === undefined || whole === null || typeof whole !== "object") return put;
    if (Array.isArray(whole))
      return whole.map((item, index) => (index === at % whole.length ? broken(item, rest, name, put) : item));
    const keys = Object.keys(whole);
    const key = at % (keys.length + 1) === keys.length ? name : (keys[at % (keys.length + 1)] ?? name);
    return { ...(whole as JsonObject), [key]: broken((whole as JsonObject)[key] ?? {}, rest, name, put) };
  }

  it("finds the same as the check that the sources compile", () => {
    fc.assert(
      fc.property(
        fc.array(fc.nat(20), { maxLength: 6 }),
        fc.constantFrom(...names),
        value,
        (place, name, put) => {
          const document = broken(example ?? {}, place, name, put);
          expect(later(document)).toBe(now(document));
          expect(later.errors).toEqual(now.errors);
        },
      ),
      { numRuns: 60 },
    );
  });
});
