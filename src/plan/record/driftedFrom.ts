import type { Change } from "../../diff/change.js";
import { divideKept, recordedFields } from "../../diff/kept.js";
import { ours, owns, type Unit, unitsOf } from "../../diff/own.js";
import { type JsonObject, same } from "../../model/json.js";
import type { SpecShape } from "../../schema/shape.js";
import type { Entry } from "../../state/snapshot.js";
import type { Present } from "../../tenant/known.js";
import type { Step } from "../step.js";

type Applied = Pick<Entry, "applied">;

/**
 * An object before the tenant changed what its manifest takes over: these fields have the values of the last apply. Null
 * where there is none. What a step only changes back is not accepted.
 */
export function acceptedFrom(
  entry: Applied | null,
  current: JsonObject,
  after: JsonObject,
  owned: readonly string[],
  shape: SpecShape,
): JsonObject | null {
  if (entry === null || entry.applied === current) return null;
  const isAccepted = (unit: Unit) =>
    owns(owned, unit) &&
    isChanged(unit, entry.applied, current, shape) &&
    isChanged(unit, entry.applied, after, shape);
  return withApplied(entry.applied, current, unitsOf(shape).filter(isAccepted));
}

/** An object with the values of the last apply in every field that the tenant changed since; null where there is none. */
export function recordedFrom({ applied }: Applied, current: JsonObject, shape: SpecShape): JsonObject | null {
  const changed = unitsOf(shape).filter((unit) => isChanged(unit, applied, current, shape));
  return withApplied(applied, current, changed);
}

/**
 * A removed object before the tenant changed it: the managed fields that changed have the values that the service answered
 * to the last apply. An object with the same values that was made anew was like itself. Null for the object of the last
 * apply with its values, and where the state has no record of it.
 */
export function deletedFrom(
  entry: Entry | null,
  { fields, createdAt }: Pick<Present, "fields" | "createdAt">,
  shape: SpecShape,
): JsonObject | null {
  if (entry === null) return null;
  const applied = ours(recordedFields(entry), Object.keys(entry.applied));
  return recordedFrom({ applied }, fields, shape) ?? (isAnother(entry, createdAt) ? fields : null);
}

// The clocks of the service and of the run that recorded an object may differ by so many milliseconds.
const BETWEEN_CLOCKS = 60_000;

/**
 * Whether an object was made at another time than the recorded one. Where no time is recorded, as of an object that an apply
 * adopted, one that was made after its record is another one. An unknown time tells nothing.
 */
function isAnother({ createdAt: recorded, at }: Entry, now: string | undefined): boolean {
  if (now === undefined || recorded === now) return false;
  if (recorded === undefined) return Date.parse(now) > Date.parse(at) + BETWEEN_CLOCKS;
  return Date.parse(recorded) !== Date.parse(now);
}

/** Whether a step deletes an object that was made anew since the last apply, with the values of that apply. */
export function isMadeAnew({
  action,
  before,
  recorded: { driftedFrom },
}: Pick<Step, "action" | "before" | "recorded">): boolean {
  return action === "delete" && driftedFrom !== null && same(driftedFrom, before);
}

/** What the tenant changed since the last apply, of what a step shows or takes over. */
export function changesSinceApply(
  { before, recorded: { driftedFrom } }: Pick<Step, "before" | "recorded">,
  shape: SpecShape,
): readonly Change[] {
  if (driftedFrom === null) return [];
  const now = before ?? {};
  return divideKept(driftedFrom, now, Object.keys({ ...driftedFrom, ...now }), shape).differs;
}

/** Whether a field that was applied has another meaning now; the service may spell it otherwise. */
function isChanged(unit: Unit, applied: JsonObject, now: JsonObject, shape: SpecShape): boolean {
  const names = unit.members.filter((member) => Object.hasOwn(applied, member));
  return names.length > 0 && divideKept(applied, now, names, shape).differs.length > 0;
}

function withApplied(applied: JsonObject, current: JsonObject, units: readonly Unit[]): JsonObject | null {
  if (units.length === 0) return null;
  const members = units.flatMap((unit) => unit.members);
  const others = Object.entries(current).filter(([name]) => !members.includes(name));
  const before = Object.entries(ours(applied, members)).filter(([, value]) => value !== null);
  return Object.fromEntries([...others, ...before]);
}
