import { isObject, type Json } from "../model/json.js";
import type { Path } from "../model/path.js";
import type { Shape, SpecShape } from "../schema/shape.js";

/** A value inside a manifest, and the shape the schema gives it; `path` counts from the manifest. */
export interface Visited {
  readonly value: Json;
  readonly shape: Shape | SpecShape;
  readonly path: Path;
}

/** Visits a value and every value inside it that its shape knows, the outer before the inner. */
export function walk(visited: Visited, visit: (visited: Visited) => void): void {
  visit(visited);
  const { value, shape, path } = visited;
  if (shape.type === "object" && isObject(value)) {
    for (const [name, member] of Object.entries(value)) {
      const field = shape.fields.get(name);
      if (field !== undefined) walk({ value: member, shape: field, path: [...path, name] }, visit);
    }
  } else if (shape.type === "map" && isObject(value)) {
    for (const [name, member] of Object.entries(value))
      walk({ value: member, shape: shape.value, path: [...path, name] }, visit);
  } else if (shape.type === "list" && Array.isArray(value)) {
    for (const [at, item] of value.entries())
      walk({ value: item, shape: shape.item, path: [...path, at] }, visit);
  }
}
