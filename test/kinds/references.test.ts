import { describe, expect, it } from "vitest";
import { kinds } from "../../src/kinds/index.js";
import type { Shape, SpecShape } from "../../src/schema/shape.js";

/** The kinds whose manifests may stand somewhere in a value. */
function namedIn(shape: Shape | SpecShape): readonly string[] {
  switch (shape.type) {
    case "string":
      return shape.form.is === "id" && shape.form.manifest !== undefined ? [shape.form.manifest] : [];
    case "list":
      return namedIn(shape.item);
    case "map":
      return namedIn(shape.value);
    case "object":
      return [...shape.fields.values()].flatMap(namedIn);
    default:
      return [];
  }
}

describe("references between manifests", () => {
  it.each(kinds.map((kind) => [kind.name, kind] as const))("of %s cannot form a circle", (_, kind) => {
    for (const name of namedIn(kind.shape)) {
      const target = kinds.find((one) => one.name === name);
      expect(target?.rank, name).toBeLessThan(kind.rank);
    }
  });
});
