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
