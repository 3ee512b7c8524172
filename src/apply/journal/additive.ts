import type { Kind } from "../../kinds/kind.js";
import { normalise } from "../../kinds/normalise.js";
import { listOf, without } from "../../kinds/spelling.js";
import type { JsonObject } from "../../model/json.js";
import type { StepRecord } from "../../plan/record/record.js";
import type { Entry } from "../../state/snapshot.js";
import { withWritten } from "../lateParts.js";

/**
 * Parts whose items no list shows, after a run that was cut off. Items are looked for by name: those that it was to add, and
 * those that the state has, which it was perhaps to remove.
 */
export function withRecordedItems(applied: JsonObject, entry: Entry | undefined, kind: Kind): JsonObject {
  return { ...applied, ...more(applied, entry?.applied ?? {}, kind) };
}

/**
 * The record with the items that were found, and with what was written of parts that the service shows late. What the run
 * added is remit's, too, or no later plan would look for it. Null where there is neither.
 */
export function withFoundItems(
  found: JsonObject,
  written: JsonObject,
  at: number,
  entry: Entry | undefined,
  kind: Kind,
): StepRecord | null {
  if (entry === undefined) return null;
  const items = more(entry.applied, found, kind);
  if (Object.keys({ ...items, ...written }).length === 0) return null;
  const { address: _, key: __, at: ___, ...record } = entry;
  const { applied, answered } = record;
  const shown = answered === null ? null : { ...answered, ...items };
  return withWritten({ ...record, applied: { ...applied, ...items }, answered: shown }, written, at);
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
