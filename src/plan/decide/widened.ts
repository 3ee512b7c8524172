import { canonical, isObject, type Json, type JsonObject } from "../../model/json.js";
import { formatPath, type Path } from "../../model/path.js";
import type { ObjectShape, Shape } from "../../schema/shape.js";

/**
 * The criteria, as formatted paths, that still restrict and let strictly more through than before. Only the hint `x-wider`
 * of the schema says in which direction a criterion widens; one without it is not judged.
 */
export function widenedIn(before: JsonObject, after: JsonObject, shape: ObjectShape): readonly string[] {
  return inObject(before, after, shape, []);
}

function inObject(
  before: JsonObject,
  after: JsonObject,
  { fields }: ObjectShape,
  path: Path,
): readonly string[] {
  return [...fields].flatMap(([name, field]) => inField(before[name], after[name], field, [...path, name]));
}

function inField(
  before: Json | undefined,
  after: Json | undefined,
  shape: Shape,
  path: Path,
): readonly string[] {
  if (shape.type === "object")
    return isObject(before) && isObject(after) ? inObject(before, after, shape, path) : [];
  if (shape.type === "map") {
    if (!isObject(before) || !isObject(after)) return [];
    return Object.keys(before).flatMap((name) =>
      inField(before[name], after[name], shape.value, [...path, name]),
    );
  }
  if (shape.wider === undefined) return [];
  const [small, large] = shape.wider === "more" ? [before, after] : [after, before];
  return isLess(small, large, shape) ? [formatPath(path)] : [];
}

/** Whether one of two values that both restrict is less than the other: a shorter time, an earlier one, a part of a list. */
function isLess(small: Json | undefined, large: Json | undefined, shape: Shape): boolean {
  if (shape.type === "list") {
    if (!Array.isArray(small) || !Array.isArray(large) || small.length === 0) return false;
    const all = new Set(large.map(canonical));
    const part = new Set(small.map(canonical));
    return part.size < all.size && [...part].every((item) => all.has(item));
  }
  if (typeof small !== "string" || typeof large !== "string" || shape.type !== "string") return false;
  switch (shape.form.is) {
    case "duration":
      return Number.parseFloat(small) < Number.parseFloat(large);
    case "timestamp":
      return Date.parse(small) < Date.parse(large);
    default:
      return false;
  }
}
