import { onceFor } from "../model/onceFor.js";
import type { Group, ObjectShape, Shape } from "../schema/shape.js";

/** What an object is made of: fields that stand alone, and one-of groups, each at the place of its first member. */
export type FieldOrGroup =
  | { readonly type: "field"; readonly name: string; readonly shape: Shape }
  | { readonly type: "group"; readonly group: Group; readonly shapes: ReadonlyMap<string, Shape> };

/** The parts of an object's shape, in the shape's order. */
export const fieldsAndGroupsOf = onceFor((shape: ObjectShape): readonly FieldOrGroup[] => {
  const told = new Set<Group>();
  return [...shape.fields].flatMap(([name, field]): readonly FieldOrGroup[] => {
    const group = shape.groups.find((candidate) => candidate.members.includes(name));
    if (group === undefined) return [{ type: "field", name, shape: field }];
    if (told.has(group)) return [];
    told.add(group);
    const shapes = new Map([...shape.fields].filter(([member]) => group.members.includes(member)));
    return [{ type: "group", group, shapes }];
  });
}, new WeakMap());
