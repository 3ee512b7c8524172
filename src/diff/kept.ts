import type { JsonObject } from "../model/json.js";
import type { Path } from "../model/path.js";
import type { SpecShape } from "../schema/shape.js";
import type { Change } from "./change.js";
import { compare } from "./compare.js";
import { owns, unitsOf } from "./own.js";
import { divide, type Meaning } from "./spelling.js";
import { withoutAdded } from "./unnamed.js";

/** The owned fields that the service keeps with another value than remit sent. */
export function keptOtherwise(
  sent: JsonObject,
  answered: JsonObject,
  owned: readonly string[],
  shape: SpecShape,
): readonly Change[] {
  return unitsOf(shape)
    .filter((unit) => owns(owned, unit))
    .flatMap((unit) => compare(sent, answered, unit.shape));
}

/**
 * The same fields, those with another meaning apart from those that are only spelled otherwise. What the service added
 * under a name that remit does not know is neither: no author can write it.
 */
export function divideKept(
  sent: JsonObject,
  answered: JsonObject,
  owned: readonly string[],
  shape: SpecShape,
): Meaning {
  if (sent === answered) return { differs: [], spells: [] };
  const parts = unitsOf(shape)
    .filter((unit) => owns(owned, unit))
    .map((unit) =>
      divide(withoutAdded(compare(sent, answered, unit.shape), unit.shape), sent, answered, unit.shape),
    );
  return {
    differs: parts.flatMap(({ differs }) => differs),
    spells: parts.flatMap(({ spells }) => spells),
  };
}

/** The place of a change in a spec: of a choice, that of the chosen member. */
export function placeOf(change: Change): Path {
  const member = change.type === "choice" ? (change.to ?? change.from) : null;
  return member === null ? change.path : [...change.path, member];
}

/** What the state keeps of an object: what was last applied, and the whole that the service answered. */
export interface Recorded {
  readonly applied: JsonObject;
  readonly answered: JsonObject | null;
}

/** The fields of a recorded object: as the service last answered, or as last sent where it answered nothing. */
export function recordedFields({ answered, applied }: Recorded): JsonObject {
  return answered ?? applied;
}

/** The fields of a recorded object as they were last seen: as a run recorded its drift, and otherwise as recorded. */
export function lastSeen(entry: Recorded & { readonly drift?: JsonObject }): JsonObject {
  return entry.drift ?? recordedFields(entry);
}
