import type { JsonObject } from "../model/json.js";
import type { Path } from "../model/path.js";
import type { SpecShape } from "../schema/shape.js";
import type { Cause, Change } from "./change.js";
import { compare } from "./compare.js";
import { ours, owns, type Unit, unitsOf } from "./own.js";
import { type Recorded, recordedFields } from "./recorded.js";

/** A difference and who made it. */
export interface Explained {
  readonly change: Change;
  readonly cause: Cause;
}

/**
 * What separates the current object from the desired one in its owned fields, each with its cause; empty when in
 * sync. A place where the manifest says what was last applied, and the tenant what it answered to that, is in
 * sync however the two differ: the service keeps it so.
 */
export function explain(
  current: JsonObject,
  desired: JsonObject,
  owned: readonly string[],
  recorded: Recorded | null,
  shape: SpecShape,
): readonly Explained[] {
  const found: Explained[] = [];
  for (const unit of unitsOf(shape)) {
    if (!owns(owned, unit)) continue;
    const changes = compare(current, desired, unit.shape);
    if (changes.length > 0) found.push(...explainUnit(changes, current, desired, recorded, unit));
  }
  return found;
}

function explainUnit(
  changes: readonly Change[],
  current: JsonObject,
  desired: JsonObject,
  recorded: Recorded | null,
  unit: Unit,
): readonly Explained[] {
  if (recorded === null || !unit.members.some((member) => Object.hasOwn(recorded.applied, member))) {
    return changes.map((change) => ({ change, cause: "first" }));
  }
  const edits = compare(recorded.applied, desired, unit.shape);
  const drifts = compare(recordedFields(recorded), current, unit.shape);
  return changes.flatMap((change) => {
    const cause = causeOf(touches(edits, change), touches(drifts, change));
    return cause === null ? [] : [{ change, cause }];
  });
}

function causeOf(edited: boolean, drifted: boolean): Cause | null {
  if (edited) return drifted ? "both" : "edited";
  return drifted ? "drifted" : null;
}

/** What the tenant changed by itself in the owned fields since the last apply. */
export function drift(recorded: Recorded, current: JsonObject, shape: SpecShape): readonly Change[] {
  const owned = Object.keys(recorded.applied);
  const before = recordedFields(recorded);
  return unitsOf(shape)
    .filter((unit) => owns(owned, unit))
    .flatMap((unit) => compare(before, current, unit.shape));
}

/** Whether what was applied is no longer what is wanted, or other fields are. */
export function recordIsStale(
  recorded: Recorded,
  desired: JsonObject,
  owned: readonly string[],
  shape: SpecShape,
): boolean {
  const wanted = ours(desired, owned);
  return unitsOf(shape).some(
    (unit) => owns(owned, unit) && compare(recorded.applied, wanted, unit.shape).length > 0,
  );
}

function touches(others: readonly Change[], change: Change): boolean {
  return others.some((other) => meet(change, other));
}

/** Whether two changes concern one place: one lies at or inside the other, or both choose in one group. */
function meet(one: Change, other: Change): boolean {
  if (one.type === "choice" && other.type === "choice" && one.path.length === other.path.length) {
    return one.group === other.group && within(one.path, other.path);
  }
  return reach(one).some((a) => reach(other).some((b) => within(a, b) || within(b, a)));
}

function reach(change: Change): readonly Path[] {
  if (change.type !== "choice") return [change.path];
  return [change.from, change.to].flatMap((member) => (member === null ? [] : [[...change.path, member]]));
}

/** A position in a list does not identify an item: keys do, so any two positions may be one item. */
function within(outer: Path, inner: Path): boolean {
  return outer.every(
    (part, at) => part === inner[at] || (typeof part === "number" && typeof inner[at] === "number"),
  );
}
