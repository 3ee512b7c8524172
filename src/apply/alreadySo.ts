import { compare } from "../diff/compare.js";
import { carryOver, ours } from "../diff/own.js";
import type { Kind } from "../kinds/kind.js";
import type { Step } from "../plan/step.js";
import type { Seen } from "../tenant/known.js";

/** Whether every field that the step owns is as it wants; the others are the service's. */
export function isAlreadySo(
  { action, after, managed: { owned } }: Step,
  seen: Seen,
  { shape }: Kind,
): boolean {
  if (action === "delete") return seen.as === "absent";
  if (seen.as !== "present" || seen.managedBy !== undefined) return false;
  const wanted = carryOver(seen.fields, ours(after ?? {}, owned), owned, shape);
  return compare(seen.fields, wanted, shape).length === 0;
}
