import { isObject, type Json, type JsonObject } from "../model/json.js";

/**
 * A schema without what it says twice for the sake of editors: the pairs of a group that `x-groups` names, and the
 * known values that `x-enum` lists.
 */
export function condense(schema: JsonObject): JsonObject {
  const isTwice = (name: string) =>
    (name === "allOf" && schema["x-groups"] !== undefined) ||
    (name === "anyOf" && schema["x-enum"] !== undefined);
  return Object.fromEntries(
    Object.entries(schema).flatMap(([name, value]) => (isTwice(name) ? [] : [[name, condensed(value)]])),
  );
}

function condensed(value: Json): Json {
  if (Array.isArray(value)) return value.map(condensed);
  return isObject(value) ? condense(value) : value;
}
