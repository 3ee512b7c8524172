import { isClearing } from "../diff/change.js";
import { keptOtherwise } from "../diff/kept.js";
import type { Kind } from "../kinds/kind.js";
import { canonical, type Json } from "../model/json.js";
import { writes } from "./calls.js";
import type { Step } from "./step.js";

/** Whether the ids that a step shows are those that its key, and so its calls, have. */
export function isNamedByKey({ key, identity }: Step, { shape }: Kind): boolean {
  if (key === null) return true;
  return shape.identity.every(
    (name, place) => !Object.hasOwn(identity, name) || identity[name] === key[place],
  );
}

/**
 * Whether a write shows exactly the differences between its `before` and its `after`. Fields that the service spells
 * otherwise, and fields that are cleared although their value is not known, are excepted.
 */
export function isShownWhole(step: Step, { shape }: Kind, isRewritten: boolean): boolean {
  if (!writes(step.action) || step.after === null) return true;
  const there = keptOtherwise(step.before ?? {}, step.after, step.owned, shape);
  const meant = new Set(there.map((change) => canonical(plain(change))));
  const differing = step.changes.filter(({ change }) => !isClearing(change));
  const shown = new Set(differing.map(({ change }) => canonical(plain(change))));
  return [...shown].every((one) => meant.has(one)) && (isRewritten || shown.size === meant.size);
}

function plain(value: object): Json {
  return JSON.parse(JSON.stringify(value));
}
