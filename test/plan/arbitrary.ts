import fc from "fast-check";
import type { Json, JsonObject } from "../../src/model/json.js";
import type { Shape, SpecShape, TextForm } from "../../src/schema/shape.js";

const ids = fc.constantFrom(
  "aaaaaaaaaaaaaaaaaaaaaaaaaa1",
  "aaaaaaaaaaaaaaaaaaaaaaaaaa2",
  "aaaaaaaaaaaaaaaaaaaaaaaaaa3",
);
const words = fc.constantFrom("a", "B", "true", "é\u0301 < | ` \u001b[31m", "two\nlines", "__proto__");

/** Any value of a shape, as a manifest may write it: members left out, empty, or null, and one of a group at most. */
export function anyOf(shape: Shape | SpecShape): fc.Arbitrary<Json> {
  switch (shape.type) {
    case "object":
      return anyObject(shape);
    case "marker":
      return fc.constant({});
    case "boolean":
      return fc.boolean();
    case "number":
      return fc.nat({ max: 3 });
    case "map":
      return fc.dictionary(words, anyOf(shape.value), { maxKeys: 2 });
    case "list":
      return fc.array(anyOf(shape.item), { maxLength: 3 });
    case "string":
      return anyText(shape.form);
  }
}

function anyText(form: TextForm): fc.Arbitrary<string> {
  switch (form.is) {
    case "id":
      return ids;
    case "enum":
      return fc.constantFrom(...form.values);
    case "duration":
      return fc.constantFrom("90d", "86400s", "12h30m");
    case "timestamp":
      return fc.constantFrom("2026-01-31T00:00:00Z", "2026-01-31T02:00:00+02:00");
    case "plain":
    case "text":
    case "expression":
      return words;
  }
}

/** Members that are not in `without`, each there or not; of a group one at most. */
export function anyObject(
  { fields, groups }: Pick<SpecShape, "fields" | "groups">,
  without: readonly string[] = [],
): fc.Arbitrary<JsonObject> {
  const members = Object.fromEntries(
    [...fields].filter(([name]) => !without.includes(name)).map(([name, field]) => [name, anyOf(field)]),
  );
  const choices = fc.tuple(...groups.map((group) => fc.constantFrom(null, ...group.members)));
  return fc.tuple(fc.record(members, { requiredKeys: [] }), choices).map(([value, chosen]) => {
    const isLeft = (name: string) =>
      groups.every((group, at) => !group.members.includes(name) || chosen[at] === name);
    return Object.fromEntries(
      Object.entries(value).flatMap(([name, member]) =>
        member === undefined || !isLeft(name) ? [] : [[name, member]],
      ),
    );
  });
}
