import type { Kind } from "../../kinds/kind.js";
import { type Address, formatAddress } from "../../model/address.js";
import { isObject, type Json } from "../../model/json.js";
import { pendingAddress } from "../../model/pending.js";
import { type Shape, type SpecShape, shapeAt } from "../../schema/shape.js";
import type { CreatedObject } from "../../state/snapshot.js";
import { pendingOf } from "../pendingStep.js";
import { deedOf, type Step } from "../step.js";
import { isWriting } from "./effect.js";
import type { StoredStep } from "./stored.js";

/**
 * Whether a step has the id of another object where a manifest could not have put it, or of an object that no earlier
 * step creates. Where the plan has no step for the object, only the state can tell: `stepWithoutParent` asks it.
 */
export function isForgedReference(
  step: StoredStep,
  steps: readonly StoredStep[],
  { shape }: Pick<Kind, "shape">,
): boolean {
  const { identity, after, key, needs } = step;
  if (!isInPlace(identity, shape) || !isInPlace(after, shape)) return true;
  const named = shape.identity.map((name) => identity[name]);
  if (key?.some((part, place) => pendingAddress(part) !== null && part !== named[place])) return true;
  // What is blocked sends nothing, and what it waits for may be blocked, too.
  if (!isWriting(step)) return false;
  return pendingOf(step).some((address) => {
    const creator = steps.find((one) => isSame(one.address, address));
    if (creator === undefined) return false;
    const isMade = deedOf(creator) === "create" && creator.key === null;
    return !isMade || !needs.some((need) => isSame(need, address));
  });
}

/** The first step that needs the id of an object which neither a step of the plan nor this effect creates. */
export function stepWithoutParent(
  steps: readonly Step[],
  created: readonly CreatedObject[],
): Step | undefined {
  const made = new Set([...steps, ...created].map(({ address }) => formatAddress(address)));
  return steps
    .filter(isWriting)
    .find((step) => pendingOf(step).some((address) => !made.has(formatAddress(address))));
}

/** Whether each id that is pending stands where the schema takes a manifest of its kind. */
function isInPlace(value: Json | undefined, at: Shape | SpecShape | undefined): boolean {
  if (value === undefined || value === null) return true;
  if (typeof value === "string") {
    const address = pendingAddress(value);
    if (address === null) return true;
    return at?.type === "string" && at.form.is === "id" && at.form.manifest === address.kind;
  }
  if (Array.isArray(value))
    return value.every((item, place) => isInPlace(item, at === undefined ? at : shapeAt(at, [place])));
  if (!isObject(value)) return true;
  return Object.entries(value).every(([name, member]) =>
    isInPlace(member, at === undefined ? at : shapeAt(at, [name])),
  );
}

function isSame(one: Address, other: Address): boolean {
  return formatAddress(one) === formatAddress(other);
}
