import type { Seen } from "../current/world.js";
import type { JsonObject } from "../model/json.js";
import type { Entry } from "../state/snapshot.js";
import { fingerprint } from "./freeze.js";

/**
 * The fingerprint of an object as it was seen, or as recorded where nothing can be read; null where it is not
 * known at all. A step is stale when what it was decided on would now give another.
 */
export function proofOf(seen: Seen, entry: Entry | null): string | null {
  switch (seen.as) {
    case "present":
      return fingerprint({ present: seen.fields, managedBy: seen.managedBy ?? null });
    case "absent":
      return fingerprint({ present: null });
    case "recorded":
      return entry === null ? null : fingerprint(recordedFacts(entry));
    case "unread":
      return null;
  }
}

function recordedFacts({ applied, answered, unknown = [] }: Entry): JsonObject {
  return unknown.length === 0 ? { applied, answered } : { applied, answered, unknown };
}

/**
 * The fingerprint of what the state says of an object, without times; null where it says nothing. A step is stale
 * when it was decided on another record.
 */
export function recordProofOf(entry: Entry | null): string | null {
  if (entry === null) return null;
  const { at: _, ...rest } = entry;
  return fingerprint(rest);
}
