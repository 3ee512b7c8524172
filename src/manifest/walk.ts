import { isObject, type Json } from "../model/json.js";
import type { Path } from "../model/path.js";
import type { Shape, SpecShape } from "../schema/shape.js";

/** A value inside a manifest, its shape in the schema, and its path, from the inside out. */
export interface Visited {
  readonly value: Json;
  readonly shape: Shape | SpecShape;
  readonly name: string | number;
  readonly within: Visited | null;
}

/** The path to a visited value, counted from the manifest. */
export function pathTo({ name, within }: Visited): Path {
  return within === null ? [name] : [...pathTo(within), name];
}

/** Visits a value and every value inside it that its shape knows, the outer before the inner. */
export function walk(visited: Visited, visit: (visited: Visited) => void): void {
  visit(visited);
  const { value, shape } = visited;
  if (shape.type === "list" && Array.isArray(value)) {
    for (let at = 0; at < value.length; at += 1)
      walk({ value: value[at] ?? null, shape: shape.item, name: at, within: visited }, visit);
  } else if ((shape.type === "object" || shape.type === "map") && isObject(value)) {
    for (const name of Object.keys(value)) {
      const field = shape.type === "map" ? shape.value : shape.fields.get(name);
      if (field !== undefined)
        walk({ value: value[name] ?? null, shape: field, name, within: visited }, visit);
    }
  }
}
