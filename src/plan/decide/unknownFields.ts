import { owns, unitsOf } from "../../diff/own.js";
import type { Interface } from "../../kinds/interface.js";
import type { Kind } from "../../kinds/kind.js";
import type { Entry } from "../../state/snapshot.js";

/** The fields of an object whose value is not known. */
interface UnknownFields {
  /** Their last write got no answer. */
  readonly unknown: readonly string[];
  /** remit did not own them when it last wrote the object. */
  readonly unseen: readonly string[];
}

export const NO_UNKNOWN_FIELDS: UnknownFields = { unknown: [], unseen: [] };

/**
 * The fields whose value a record does not tell. A create sends every field, so that remit wrote those that it does not
 * own, too.
 */
export function unknownFieldsIn(
  { applied, unknown = [] }: Entry,
  owned: readonly string[],
  { verbs, shape }: Pick<Kind, "verbs" | "shape">,
  on: Interface,
): UnknownFields {
  if (verbs[on].includes("create")) return { unknown, unseen: [] };
  const before = Object.keys(applied);
  const unseen = unitsOf(shape).filter((unit) => owns(owned, unit) && !owns(before, unit));
  return { unknown, unseen: unseen.flatMap(({ members }) => members) };
}
