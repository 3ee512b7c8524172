import type { Json, JsonObject } from "../model/json.js";

/**
 * The names of the members of records that are set and that a kind does not compare, each once and in order. The service
 * sets them, or remit has no name for them. Without such members the result is empty.
 */
export function notCompared(
  records: readonly JsonObject[],
  isLeftOut: (name: string, value: Json) => boolean,
  nameOf = (name: string) => name,
): { readonly notCompared?: readonly string[] } {
  const names = records.flatMap((record) =>
    Object.entries(record).flatMap(([name, value]) =>
      isSet(value) && isLeftOut(name, value) ? [nameOf(name)] : [],
    ),
  );
  return names.length === 0 ? {} : { notCompared: [...new Set(names)].sort() };
}

function isSet(value: Json): boolean {
  return value !== null && value !== "";
}
