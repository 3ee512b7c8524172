import { explainUnseen } from "../../diff/cause.js";
import { isUnknown } from "../../diff/change.js";
import { divideKept, keptOtherwise } from "../../diff/kept.js";
import { carryOver, ours } from "../../diff/own.js";
import type { Kind } from "../../kinds/kind.js";
import { canonical, type JsonObject, same } from "../../model/json.js";
import { writes } from "../calls.js";
import { deedOf, type Step } from "../step.js";
import type { StoredStep } from "./stored.js";

/**
 * Whether the ids that a step shows are those that its key, and so its calls, have. Only the id that the service chooses
 * may be missing, because a manifest need not write it.
 */
export function isNamedByKey({ key, managed: { identity } }: StoredStep, kind: Kind): boolean {
  if (key === null) return true;
  const { identity: names } = kind.shape;
  const mayMiss = (place: number) => kind.matches !== undefined && place === names.length - 1;
  return names.every((name, place) =>
    Object.hasOwn(identity, name) ? identity[name] === key[place] : mayMiss(place),
  );
}

/** Whether everything in `after` that is not owned is in `current`, unchanged and complete. */
export function carriesOver(
  { after, managed: { owned }, before }: Pick<Step, "after" | "managed" | "before">,
  { shape }: Pick<Kind, "shape">,
  current: JsonObject | null = before,
): boolean {
  if (after === null) return true;
  return same(carryOver(current ?? {}, ours(after, owned), owned, shape), after);
}

/**
 * Whether a step shows exactly what its `before` and its `after` lead to. A write shows every difference, and a write over
 * something unseen every field that it clears. A step that only records shows no change, unless it records drift; any
 * other step shows nothing.
 */
export function showsAll(step: StoredStep, kind: Pick<Kind, "shape">): boolean {
  const { reason, changes, before, after } = step;
  const deed = deedOf(step);
  if (deed === "delete") return changes.length === 0 && before !== null && after === null;
  if (deed === "adopt") return isAdoptShown(step, kind);
  if (!writes(step)) {
    // Of an object that another one manages, a step shows where it differs.
    const mayDiffer = deed === "keep" && reason === "managed elsewhere";
    return (changes.length === 0 || mayDiffer) && before === null && after === null;
  }
  return after !== null && isWriteShown(step, after, kind);
}

const DRIFT_ALONE: Step["reason"] = "drift only";

/** Whether a step records what the tenant has now, and wants nothing else. */
export function isDriftAlone(step: StoredStep): boolean {
  return deedOf(step) === "adopt" && step.reason === DRIFT_ALONE;
}

/** Whether a step takes over what the tenant changed; a plan of drift alone decides nothing. */
export function takesOver(step: StoredStep): boolean {
  return step.recorded.driftedFrom !== null && !isDriftAlone(step);
}

function isAdoptShown(
  { reason, changes, before, after, managed: { owned } }: StoredStep,
  { shape }: Pick<Kind, "shape">,
): boolean {
  if (before === null || after === null) return false;
  if (reason === DRIFT_ALONE) return same(before, after) && changes.every(({ cause }) => cause === "drifted");
  return changes.length === 0 && divideKept(after, before, owned, shape).differs.length === 0;
}

function isWriteShown(step: StoredStep, after: JsonObject, { shape }: Pick<Kind, "shape">): boolean {
  const { changes, before } = step;
  const { owned } = step.managed;
  const isUnseen = before === null && deedOf(step) !== "create";
  const meant = isUnseen
    ? explainUnseen(after, owned, shape).map(({ change }) => change)
    : keptOtherwise(before ?? {}, after, owned, shape);
  // A field whose last write got no answer may be cleared again, although nothing is known to be there.
  const shown = changes.map(({ change }) => change).filter((change) => isUnseen || !isUnknown(change));
  return same([...new Set(meant.map(canonical))].sort(), [...new Set(shown.map(canonical))].sort());
}
