import { compare } from "../../diff/compare.js";
import { owns, unitsOf } from "../../diff/own.js";
import type { Kind } from "../../kinds/kind.js";
import type { JsonObject } from "../../model/json.js";
import type { Entry } from "../../state/snapshot.js";
import type { Seen } from "../../tenant/known.js";

/**
 * Fields as they were before remit first managed them, where the tenant is not known to have that value now; null where one
 * was not set. A manifest that writes them restores them.
 */
export function restorable(
  { original = {} }: Pick<Entry, "original">,
  fields: readonly string[],
  seen: Seen,
  { shape }: Pick<Kind, "shape">,
): JsonObject {
  const members = unitsOf(shape).flatMap((unit) => {
    const known = unit.members.filter((name) => Object.hasOwn(original, name));
    if (known.length === 0 || !owns(fields, unit)) return [];
    const isSo = seen.as === "present" && compare(original, seen.fields, unit.shape).length === 0;
    return isSo ? [] : known.map((name) => [name, original[name] ?? null] as const);
  });
  return Object.fromEntries(members);
}
