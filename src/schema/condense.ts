import { isObject, type Json, type JsonObject } from "../model/json.js";

const HINTS: ReadonlyMap<string, string> = new Map([
  ["allOf", "x-groups"],
  ["anyOf", "x-enum"],
  ["pattern", "x-form"],
]);

/**
 * A schema without its repetitions for editors, which do not know the hints: the rules of a group in `x-groups`, the
 * values in `x-enum`, the pattern of an `x-form`.
 */
export function condense(schema: JsonObject): JsonObject {
  const isTwice = (name: string) => {
    const hint = HINTS.get(name);
    return hint !== undefined && schema[hint] !== undefined;
  };
  return Object.fromEntries(
    Object.entries(schema).flatMap(([name, value]) => (isTwice(name) ? [] : [[name, condensed(value)]])),
  );
}

function condensed(value: Json): Json {
  if (Array.isArray(value)) return value.map(condensed);
  return isObject(value) ? condense(value) : value;
}
