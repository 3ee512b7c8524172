import { owns, unitsOf } from "../diff/own.js";
import { unnamedIn } from "../diff/unnamed.js";
import type { Kind } from "../kinds/kind.js";
import { writes } from "./calls.js";
import { deedOf, type Step } from "./step.js";

/** How fresh the knowledge of an object must be when its step writes it. */
export type Freshness =
  /** Every read of this run counts, as long as it is not old. */
  | "recent"
  /** The object is deleted, or the write sends back what remit does not own: it is read just before. */
  | "close"
  /**
   * The object is read for this write alone: it is not known whether a create replaces what exists, or whether a list
   * shows all that was written before.
   */
  | "own";

/** How fresh the knowledge of a step's object must be before it is written. */
export function freshnessFor(
  step: Pick<Step, "action" | "replaces" | "key" | "managed" | "before" | "after" | "changes">,
  kind: Kind,
): Freshness {
  const deed = deedOf(step);
  if (!writes(step)) return "recent";
  if (deed === "delete") return "close";
  if (deed === "create") return step.key === null ? "recent" : "own";
  if (isSeenOnce(step, kind)) return "own";
  return sendsMore(step, kind) ? "close" : "recent";
}

/**
 * Whether a step changes a list that shows changes late, of which the state has no record: what differs may have been
 * written before.
 */
export function isSeenOnce({ before, changes }: Pick<Step, "before" | "changes">, { reads }: Kind): boolean {
  const lists = (reads.parts ?? []).flatMap(({ as, field }) => (as === "lists" ? [field] : []));
  return (
    lists.length > 0 &&
    before !== null &&
    changes.some(({ change, cause }) => cause === "first" && lists.includes(String(change.path[0])))
  );
}

/** Whether a write sends anything that the manifest does not say. */
function sendsMore(
  { managed: { owned }, after }: Pick<Step, "managed" | "after">,
  { shape, isMasked }: Kind,
): boolean {
  if (unnamedIn(after ?? {}, shape).length > 0) return true;
  return !isMasked && unitsOf(shape).some((unit) => !owns(owned, unit));
}
