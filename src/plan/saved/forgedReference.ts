import type { Kind } from "../../kinds/kind.js";
import { type Address, formatAddress } from "../../model/address.js";
import { isObject, type Json } from "../../model/json.js";
import { pendingAddress } from "../../model/pending.js";
import { type Shape, type SpecShape, shapeAt } from "../../schema/shape.js";
import type { CreatedObject } from "../../state/snapshot.js";
import { awaitedBy, neededAtOnce, pendingOf } from "../pendingStep.js";
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
  const first = [...step.needs, ...awaitedBy(step)];
  const atOnce = neededAtOnce(step);
  // What is blocked sends nothing, and what it waits for may be blocked, too.
  if (!isWriting(step)) return false;
  if (isMisplaced(step, shape)) return true;
  return pendingOf(step).some((address) => {
    const creator = steps.find((one) => isSame(one.address, address));
    if (creator === undefined) return false;
    const isMade = deedOf(creator) === "create" && creator.key === null;
    const isEarly = atOnce.some((one) => isSame(one, address));
    return !isMade || !(isEarly ? step.needs : first).some((need) => isSame(need, address));
  });
}

/** Whether an id is pending where a manifest could not have put it: in the place of another kind, or in a key alone. */
function isMisplaced(step: StoredStep, shape: SpecShape): boolean {
  const { after, key } = step;
  const { identity, owned } = step.managed;
  const written = { ...identity, ...Object.fromEntries(owned.map((name) => [name, after?.[name] ?? null])) };
  const isWrong = (id: string, kind: string | undefined) => {
    const address = pendingAddress(id);
    return address !== null && address.kind !== kind;
  };
  if (idsIn(written, shape).some(({ id, kind }) => isWrong(id, kind))) return true;
  return (key ?? []).some(
    (part, place) => pendingAddress(part) !== null && part !== identity[shape.identity[place] ?? ""],
  );
}

/** The ids of a value, with the kind of the manifests that their places take. */
function idsIn(
  value: Json,
  at: Shape | SpecShape | undefined,
): readonly { readonly id: string; readonly kind: string | undefined }[] {
  if (at === undefined || value === null) return [];
  if (typeof value === "string")
    return at.type === "string" && at.form.is === "id" ? [{ id: value, kind: at.form.manifest }] : [];
  if (Array.isArray(value)) return value.flatMap((item, place) => idsIn(item, shapeAt(at, [place])));
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([name, member]) => idsIn(member, shapeAt(at, [name])));
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

function isSame(one: Address, other: Address): boolean {
  return formatAddress(one) === formatAddress(other);
}
