import { unitsOf } from "../diff/own.js";
import type { Kind } from "../kinds/kind.js";
import type { JsonObject } from "../model/json.js";

/** What a reply that is not the documented one shows of an object, and the fields that it leaves out as they were sent. */
export function partlyShown(shown: JsonObject, sent: JsonObject, { shape }: Kind): JsonObject {
  const members = unitsOf(shape).flatMap((unit) => {
    const source = unit.members.some((member) => Object.hasOwn(shown, member)) ? shown : sent;
    return unit.members.flatMap((member) => {
      const value = source[member];
      return value === undefined ? [] : [[member, value] as const];
    });
  });
  return Object.fromEntries(members);
}
