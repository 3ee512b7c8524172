import type { Kind } from "../../kinds/kind.js";
import { normalise } from "../../kinds/normalise.js";
import { listOf, without } from "../../kinds/spelling.js";
import type { JsonObject } from "../../model/json.js";
import type { StepRecord } from "../../plan/record/record.js";
import type { Entry } from "../../state/snapshot.js";

/**
 * Parts whose items no list shows, after a run that was cut off. Items are looked for by name: those that it was to add, and
 * those that the state has, which it was perhaps to remove.
 */
export function withRecordedItems(applied: JsonObject, entry: Entry | undefined, kind: Kind): JsonObject {
  return { ...applied, ...more(applied, entry?.applied ?? {}, kind) };
}

/**
 * The record with the items that were found: those that the run added are remit's, too, or no later plan would look for
 * them. Null where it added none.
 */
export function withFoundItems(found: JsonObject, entry: Entry | undefined, kind: Kind): StepRecord | null {
  if (entry === undefined) return null;
  const { applied, answered, rewritten, protected: isProtected } = entry;
  const items = more(applied, found, kind);
  if (Object.keys(items).length === 0) return null;
  const shown = answered === null ? null : { ...answered, ...items };
  return { applied: { ...applied, ...items }, answered: shown, rewritten, protected: isProtected };
}

/** The items of each such part, with those of another object; nothing of a part where that has no others. */
function more(fields: JsonObject, others: JsonObject, { reads: { parts = [] }, shape }: Kind): JsonObject {
  const all = parts.flatMap(({ as, field }) => {
    const known = listOf(fields, field);
    const added = as === "items" ? without(listOf(others, field), known) : [];
    return added.length === 0 ? [] : [[field, [...known, ...added]] as const];
  });
  return normalise(Object.fromEntries(all), shape);
}
