import { reachOf } from "../impact/reach.js";
import { isObject, type Json, type JsonObject } from "../model/json.js";
import { formatPath, type Path } from "../model/path.js";
import type { Shape, SpecShape } from "../schema/shape.js";

type ObjectShape = Extract<Shape, { readonly type: "object" }> | SpecShape;

/** The formatted paths of the expressions in an object that are always true. */
export function openExpressions(value: JsonObject, shape: ObjectShape, path: Path = []): readonly string[] {
  return [...shape.fields].flatMap(([name, field]) => {
    const [inner, here] = [value[name], [...path, name]];
    if (field.type === "object" && isObject(inner)) return openExpressions(inner, field, here);
    const isExpression = field.type === "string" && field.form.is === "expression";
    return isExpression && isTrue(inner) ? [formatPath(here)] : [];
  });
}

function isTrue(value: Json | undefined): boolean {
  return typeof value === "string" && reachOf(value) === "everyone";
}
