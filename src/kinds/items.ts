import type { JsonObject } from "../model/json.js";
import type { Kind } from "./kind.js";
import { normalise } from "./normalise.js";
import { listOf, without } from "./spelling.js";

/** Parts whose items no list shows: what is in one is read item by item, by name. */

/** Whether an object has such parts. */
export function hasItems({ reads: { parts = [] } }: Pick<Kind, "reads">): boolean {
  return parts.some(({ as }) => as === "items");
}

/** The items of each such part, with those of another object; nothing of a part where that has no others. */
export function moreItems(
  fields: JsonObject,
  others: JsonObject,
  { reads: { parts = [] }, shape }: Kind,
): JsonObject {
  const all = parts.flatMap(({ as, field }) => {
    const known = listOf(fields, field);
    const added = as === "items" ? without(listOf(others, field), known) : [];
    return added.length === 0 ? [] : [[field, [...known, ...added]] as const];
  });
  return normalise(Object.fromEntries(all), shape);
}
