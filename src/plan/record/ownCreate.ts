import type { Kind } from "../../kinds/kind.js";
import type { Entry, Uncertain } from "../../state/snapshot.js";
import type { Step } from "../step.js";

/**
 * The create of unknown result that made the object of a step: where names repeat, what was found without an id in the
 * manifest is what it made. Null where there is none, or where a person chose the object.
 */
export function ownCreate(
  {
    entry,
    uncertain,
    kind,
  }: { readonly entry: Entry | null; readonly uncertain: Uncertain | null; readonly kind: Kind },
  step: Pick<Step, "managed">,
): Uncertain | null {
  const isFound = kind.namesRepeat === true && entry === null && kind.key(step.managed.identity) === null;
  return isFound ? uncertain : null;
}
