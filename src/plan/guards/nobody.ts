import { chosen } from "../../diff/compare.js";
import { reachOf } from "../../impact/rule/reach.js";
import { isObject, type Json, type JsonObject } from "../../model/json.js";
import { formatPath, type Path } from "../../model/path.js";
import type { Group, Shape, SpecShape } from "../../schema/shape.js";

/**
 * Why a condition can hold for no one, in the author's words; null where it can hold for some people, or where the
 * object has no condition of its own. It is decided by what the condition means, not by how it is written.
 */
export function emptinessOf(value: JsonObject, shape: SpecShape): string | null {
  const group = shape.groups.find((one) => isCondition(one, shape));
  if (group === undefined) return null;
  const member = chosen(value, group);
  if (member === null) return "no condition is left";
  const field = shape.fields.get(member);
  if (field === undefined) return null;
  if (field.type === "marker") return `\`${member}\` holds for no one`;
  const held = value[member];
  const empty = emptyExpression(held, field, [member]);
  if (empty !== null) return `\`${empty}\` holds for no one`;
  return isFilled(held) ? null : `\`${member}\` is empty`;
}

/** A choice directly under `spec` with an expression among its members. */
function isCondition({ members }: Group, { fields }: SpecShape): boolean {
  return members.some((member) => {
    const field = fields.get(member);
    return field?.type === "object" && [...field.fields.values()].some(isExpression);
  });
}

function isExpression(shape: Shape): boolean {
  return shape.type === "string" && shape.form.is === "expression";
}

function emptyExpression(value: Json | undefined, shape: Shape, path: Path): string | null {
  if (shape.type !== "object" || !isObject(value)) return null;
  for (const [name, field] of shape.fields) {
    const inner = value[name];
    if (isExpression(field) && typeof inner === "string" && reachOf(inner) === "no one") {
      return formatPath([...path, name]);
    }
  }
  return null;
}

function isFilled(value: Json | undefined): boolean {
  if (Array.isArray(value)) return value.length > 0;
  if (isObject(value)) return Object.values(value).some(isFilled);
  return value !== undefined && value !== null && value !== "";
}
