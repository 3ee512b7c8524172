import { chosen } from "../diff/compare.js";
import { reachOf } from "../impact/reach.js";
import { isObject, type Json, type JsonObject } from "../model/json.js";
import { formatPath, type Path } from "../model/path.js";
import type { Group, Shape, SpecShape } from "../schema/shape.js";

type ObjectShape = Extract<Shape, { readonly type: "object" }> | SpecShape;

/** Where a value lets everybody in, and where it does not. */
export interface Openness {
  /** Formatted paths of expressions that are always true. */
  readonly constant: ReadonlySet<string>;
  /** The formatted path of each group that keeps some out, with that of the member that does, as the author writes it. */
  readonly restricted: ReadonlyMap<string, string>;
}

/** Looks for what lets everybody in, and for the restrictions that keep some out. */
export function opennessOf(value: JsonObject, shape: SpecShape): Openness {
  const constant = new Set<string>();
  const restricted = new Map<string, string>();
  visitObject(value, shape, [], constant, restricted);
  return { constant, restricted };
}

function visitObject(
  value: JsonObject,
  shape: ObjectShape,
  path: Path,
  constant: Set<string>,
  restricted: Map<string, string>,
): void {
  for (const group of shape.groups) {
    if (group.open.length === 0) continue;
    const member = chosen(value, group);
    if (member !== null && restricts(member, value[member], group, shape)) {
      restricted.set(formatPath([...path, group.name]), formatPath([...path, member]));
    }
  }
  for (const [name, field] of shape.fields) {
    const inner = value[name];
    if (field.type === "object" && isObject(inner))
      visitObject(inner, field, [...path, name], constant, restricted);
    if (field.type === "string" && field.form.is === "expression" && isTrue(inner)) {
      constant.add(formatPath([...path, name]));
    }
  }
}

function restricts(member: string, value: Json | undefined, group: Group, shape: ObjectShape): boolean {
  if (group.open.includes(member)) return false;
  const marker = shape.fields.get(member)?.type === "marker";
  return marker || (isObject(value) && Object.keys(value).length > 0);
}

function isTrue(value: Json | undefined): boolean {
  return typeof value === "string" && reachOf(value) === "everyone";
}
