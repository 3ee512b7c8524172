import { isObject, type Json, type JsonObject } from "../model/json.js";
import type { Shape, SpecShape } from "../schema/shape.js";

/** Where a value holds what remit has no name for: `scope.futureScope`, `entitlements[].futureNote`; each place once, in order. */
export function unnamedIn(fields: JsonObject, shape: SpecShape): readonly string[] {
  const choices = shape.groups.flatMap(({ name }) => Object.keys(asObject(fields[name])));
  const inside = [...shape.fields].flatMap(([name, field]) => [...placesIn(fields[name], field, name)]);
  return [...new Set([...choices, ...inside])].sort();
}

function* placesIn(value: Json | undefined, shape: Shape, path: string): Generator<string> {
  if (shape.type === "marker") for (const name of Object.keys(asObject(value))) yield `${path}.${name}`;
  if (shape.type === "map")
    for (const [name, member] of Object.entries(asObject(value)))
      yield* placesIn(member, shape.value, `${path}.${name}`);
  if (shape.type === "list" && Array.isArray(value))
    for (const item of value) yield* placesIn(item, shape.item, `${path}[]`);
  if (shape.type !== "object") return;
  const groups = new Set(shape.groups.map(({ name }) => name));
  for (const [name, member] of Object.entries(asObject(value))) {
    const field = shape.fields.get(name);
    if (field !== undefined) yield* placesIn(member, field, `${path}.${name}`);
    else if (groups.has(name)) for (const choice of Object.keys(asObject(member))) yield `${path}.${choice}`;
    else yield `${path}.${name}`;
  }
}

function asObject(value: Json | undefined): JsonObject {
  return isObject(value) ? value : {};
}
