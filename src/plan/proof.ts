import type { Seen } from "../current/world.js";
import type { Kind, Observed } from "../kinds/kind.js";
import { normalise } from "../kinds/normalise.js";
import type { Entry } from "../state/snapshot.js";
import { fingerprint } from "./freeze.js";

/** What was seen of an object, in its normal form; undefined stands for one that is not there. */
export function seenAs(kind: Kind, observed: Observed | undefined): Seen {
  if (observed === undefined) return { as: "absent" };
  return { as: "present", ...observed, fields: normalise(observed.fields, kind.shape) };
}

/**
 * The fingerprint of an object as it was seen, or as recorded where nothing can be read; null where it is not
 * known at all. A plan is stale when what it was made from would now give another.
 */
export function proofOf(seen: Seen, entry: Entry | null): string | null {
  switch (seen.as) {
    case "present":
      return fingerprint({ present: seen.fields, managedBy: seen.managedBy ?? null });
    case "absent":
      return fingerprint({ present: null });
    case "recorded":
      return entry === null ? null : fingerprint({ applied: entry.applied, answered: entry.answered });
    case "unread":
      return null;
  }
}
