import { isUnknown } from "../diff/change.js";
import { keptOtherwise } from "../diff/kept.js";
import { carryOver, ours } from "../diff/own.js";
import type { Kind } from "../kinds/kind.js";
import { canonical, type JsonObject, same } from "../model/json.js";
import { writes } from "./calls.js";
import { plain } from "./freeze.js";
import type { Step } from "./step.js";

/** Whether the ids that a step shows are those that its key, and so its calls, have. */
export function isNamedByKey({ key, identity }: Step, { shape }: Kind): boolean {
  if (key === null) return true;
  return shape.identity.every(
    (name, place) => !Object.hasOwn(identity, name) || identity[name] === key[place],
  );
}

/** Whether everything in `after` that is not owned is in `current`, unchanged and complete. */
export function carriesOver(
  { after, owned, before }: Pick<Step, "after" | "owned" | "before">,
  { shape }: Pick<Kind, "shape">,
  current: JsonObject | null = before,
): boolean {
  if (after === null) return true;
  return same(carryOver(current ?? {}, ours(after, owned), owned, shape), after);
}

/**
 * Whether a write shows exactly the differences between its `before` and its `after`. It may also show fields that are
 * written because their value is not known.
 */
export function isShownWhole(step: Step, { shape }: Kind): boolean {
  if (!writes(step) || step.after === null) return true;
  const there = keptOtherwise(step.before ?? {}, step.after, step.owned, shape);
  const meant = new Set(there.map((change) => canonical(plain(change))));
  const differing = step.changes.filter(({ change }) => !isUnknown(change));
  const shown = new Set(differing.map(({ change }) => canonical(plain(change))));
  return shown.size === meant.size && [...shown].every((one) => meant.has(one));
}
