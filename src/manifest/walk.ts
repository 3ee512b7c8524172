import { isObject, type Json } from "../model/json.js";
import type { Path } from "../model/path.js";
import type { Shape, SpecShape } from "../schema/shape.js";

/** A value inside a spec, with the shape the schema gives it; `path` counts from the spec. */
export interface Visited {
  readonly value: Json;
  readonly shape: Shape | SpecShape;
  readonly path: Path;
}

/** A spec and every value inside it that its shape knows, the outer before the inner. */
export function* walk(value: Json, shape: Shape | SpecShape, path: Path = []): Generator<Visited> {
  yield { value, shape, path };
  if (shape.type === "object" && isObject(value)) {
    for (const [name, member] of Object.entries(value)) {
      const field = shape.fields.get(name);
      if (field !== undefined) yield* walk(member, field, [...path, name]);
    }
  } else if (shape.type === "map" && isObject(value)) {
    for (const [name, member] of Object.entries(value)) yield* walk(member, shape.value, [...path, name]);
  } else if (shape.type === "list" && Array.isArray(value)) {
    for (const [at, item] of value.entries()) yield* walk(item, shape.item, [...path, at]);
  }
}
