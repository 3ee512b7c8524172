import { type JsonObject, same } from "../model/json.js";
import type { SpecShape } from "../schema/shape.js";
import { type Cause, type Change, touches } from "./change.js";
import { compare } from "./compare.js";
import { keptOtherwise, type Recorded, recordedFields } from "./kept.js";
import { ours, owns, type Unit, unitsOf } from "./own.js";
import { divide } from "./spelling.js";
import { withoutAdded } from "./unnamed.js";

/** A difference and who made it. */
export interface Explained {
  readonly change: Change;
  readonly cause: Cause;
}

/**
 * What separates the current object from the desired one in its owned fields, each with its cause; empty when in
 * sync. Manifest and tenant may differ in spelling that the schema declares free, if neither changed since the last
 * apply. A field among the `unknown` or the `unseen` is never in sync: the last write of the one got no answer, and the
 * other was never seen.
 */
export function explain(
  current: JsonObject,
  desired: JsonObject,
  owned: readonly string[],
  recorded: Recorded | null,
  shape: SpecShape,
  unknown: readonly string[] = [],
  unseen: readonly string[] = [],
): readonly Explained[] {
  const found: Explained[] = [];
  for (const unit of unitsOf(shape)) {
    if (!owns(owned, unit)) continue;
    const changes = compare(current, desired, unit.shape);
    if (owns(unknown, unit) || owns(unseen, unit)) {
      const cause = owns(unknown, unit) ? "unknown" : "first";
      found.push(...stated(changes, unit, owned).map((change) => ({ change, cause }) as const));
    } else if (changes.length > 0) {
      found.push(...explainUnit(changes, current, desired, recorded, unit));
    }
  }
  return found;
}

/**
 * The differences from nothing known to the desired object. A field that is cleared differs, too: from a value that
 * was never seen.
 */
export function explainUnseen(
  desired: JsonObject,
  owned: readonly string[],
  shape: SpecShape,
): readonly Explained[] {
  return unitsOf(shape)
    .filter((unit) => owns(owned, unit))
    .flatMap((unit) => stated(compare({}, desired, unit.shape), unit, owned))
    .map((change) => ({ change, cause: "first" }));
}

/** A write sends every owned field that it touches, also one that is only spelled otherwise: it shows all of them. */
export function withRespelled(
  found: readonly Explained[],
  current: JsonObject,
  after: JsonObject,
  owned: readonly string[],
  shape: SpecShape,
): readonly Explained[] {
  const all = keptOtherwise(current, after, owned, shape).map(
    (change): Explained => found.find((one) => same(one.change, change)) ?? { change, cause: "edited" },
  );
  return [...all, ...found.filter((one) => !all.includes(one))];
}

/** The changes of a unit whose value is not known: where nothing differs, that the unit is written all the same. */
function stated(changes: readonly Change[], unit: Unit, owned: readonly string[]): readonly Change[] {
  if (changes.length > 0) return changes;
  const members = unit.members.filter((member) => owned.includes(member));
  return members.map((member) => ({ type: "value", path: [member], before: null, after: null }));
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
  const { differs } = divide(changes, current, desired, unit.shape);
  return changes.flatMap((change) => {
    const cause = causeOf(touches(edits, change), touches(drifts, change), differs.includes(change));
    return cause === null ? [] : [{ change, cause }];
  });
}

function causeOf(edited: boolean, drifted: boolean, differs: boolean): Cause | null {
  if (edited) return drifted ? "both" : "edited";
  if (drifted) return "drifted";
  return differs ? "not kept" : null;
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
    (unit) =>
      owns(owned, unit) && withoutAdded(compare(recorded.applied, wanted, unit.shape), unit.shape).length > 0,
  );
}
