import type { Json, JsonObject } from "../model/json.js";
import { onceFor } from "../model/onceFor.js";
import type { Shape, SpecShape } from "../schema/shape.js";
import { fieldsAndGroupsOf } from "./fieldOrGroup.js";
import { withUnnamed } from "./unnamed.js";

/** What is owned as one: a field directly under `spec`, or all members of a one-of group there. */
export interface Unit {
  readonly name: string;
  readonly members: readonly string[];
  /** The shape of an object that has this unit alone, so that its changes bear their full paths. */
  readonly shape: Extract<Shape, { readonly type: "object" }>;
}

/** Everything of a kind that can be owned; what names the object, or is used to create it, cannot. */
export const unitsOf = onceFor((shape: SpecShape): readonly Unit[] => {
  const fixed = new Set([...shape.identity, ...shape.createOnly, ...shape.requestOnly]);
  return fieldsAndGroupsOf(shape).flatMap((part): readonly Unit[] => {
    if (part.type === "group") {
      const { name } = part.group;
      // A choice that remit has no name for stands under the group's name.
      const members = [...part.group.members, name];
      return [{ name, members, shape: { type: "object", fields: part.shapes, groups: [part.group] } }];
    }
    if (fixed.has(part.name)) return [];
    const fields = new Map([[part.name, part.shape]]);
    return [{ name: part.name, members: [part.name], shape: { type: "object", fields, groups: [] } }];
  });
}, new WeakMap());

/** Whether a unit is among the owned fields: of a group, any member owns the whole. */
export function owns(owned: readonly string[], unit: Unit): boolean {
  return unit.members.some((member) => owned.includes(member));
}

/** The owned fields as they are sent and remembered; null where one is cleared on purpose. */
export function ours(fields: JsonObject, owned: readonly string[]): JsonObject {
  return Object.fromEntries(owned.map((name) => [name, fields[name] ?? null]));
}

/**
 * The whole object as it will be: the owned fields as wanted, with what remit has no name for inside them, and all others
 * as they are.
 */
export function carryOver(
  current: JsonObject,
  fields: JsonObject,
  owned: readonly string[],
  shape: SpecShape,
): JsonObject {
  const members = unitsOf(shape).flatMap((unit) => {
    const isOwned = owns(owned, unit);
    return unit.members.flatMap((member): readonly (readonly [string, Json])[] => {
      const value = isOwned
        ? withUnnamed(fields[member], current[member], unit.shape.fields.get(member))
        : current[member];
      return value === undefined || value === null ? [] : [[member, value]];
    });
  });
  return Object.fromEntries(members);
}

/** Fields that were applied by us and are owned no longer: they are left as they are. */
export function givenBack(
  applied: JsonObject,
  owned: readonly string[],
  shape: SpecShape,
): readonly string[] {
  return unitsOf(shape)
    .filter((unit) => !owns(owned, unit))
    .flatMap((unit) => unit.members.filter((member) => Object.hasOwn(applied, member)));
}
