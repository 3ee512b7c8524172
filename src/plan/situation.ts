import type { Seen } from "../current/world.js";
import type { Interface, Kind } from "../kinds/kind.js";
import type { Json, JsonObject } from "../model/json.js";
import type { Key } from "../model/key.js";
import type { Entry, Uncertain } from "../state/snapshot.js";

/** All that is known of one object when a step is decided. */
export interface Situation {
  readonly kind: Kind;
  /** What the service offers for the kind. */
  readonly on: Interface;
  readonly seen: Seen;
  readonly entry: Entry | null;
  /** A create of it whose outcome nobody could learn. */
  readonly uncertain: Uncertain | null;
}

/** What stands for the object in a fingerprint: as it was seen, or as it is recorded where nothing can be read. */
export function evidence(seen: Seen, entry: Entry | null): Json | undefined {
  switch (seen.as) {
    case "present":
      return { present: seen.fields, managedBy: seen.managedBy ?? null };
    case "absent":
      return { present: null };
    case "recorded":
      return entry === null ? undefined : { applied: entry.applied, answered: entry.answered };
    case "unread":
      return undefined;
  }
}

/** The fields that name an object, taken from its key. */
export function identityOf(kind: Kind, key: Key): JsonObject {
  return Object.fromEntries(kind.shape.identity.map((name, place) => [name, key[place] ?? null]));
}
