import { reachOf, unreadBy } from "../../impact/rule/reach.js";
import { kindOf } from "../../kinds/kindOf.js";
import { isObject, type JsonObject } from "../../model/json.js";
import { formatPath, type Path } from "../../model/path.js";
import type { ObjectShape } from "../../schema/shape.js";
import type { Step } from "../step.js";

/** An expression that holds for everyone, or may do so. */
export interface OpenExpression {
  /** Its formatted path. */
  readonly path: string;
  readonly text: string;
  readonly isSure: boolean;
  /** Whether only asking each person tells. */
  readonly isOfPeople: boolean;
  /** What of it remit does not evaluate; null for nothing, and where it holds for everyone. */
  readonly unread: string | null;
}

/** Whether only people tell whether a step opens to everyone. */
export function opensByPeople({ after, address }: Step): boolean {
  return after !== null && openExpressions(after, kindOf(address).shape).some(({ isOfPeople }) => isOfPeople);
}

/** The expressions in an object that are always true, and those of which that could not be decided. */
export function openExpressions(value: JsonObject, shape: ObjectShape): readonly OpenExpression[] {
  return expressionsIn(value, shape).flatMap(({ path, text }): readonly OpenExpression[] => {
    const reach = reachOf(text);
    if (reach === "depends" || reach === "no one") return [];
    const isSure = reach === "everyone";
    const unread = isSure ? null : unreadBy(text);
    return [{ path, text, isSure, isOfPeople: reach === "unjudged", unread }];
  });
}

/** Whether a step writes an expression that the object did not have before. */
export function writesExpression({ before, after, address }: Step): boolean {
  const { shape } = kindOf(address);
  const was = expressionsIn(before ?? {}, shape);
  return expressionsIn(after ?? {}, shape).some(
    ({ path, text }) => !was.some((one) => one.path === path && one.text === text),
  );
}

function expressionsIn(
  value: JsonObject,
  shape: ObjectShape,
  path: Path = [],
): readonly Pick<OpenExpression, "path" | "text">[] {
  return [...shape.fields].flatMap(([name, field]) => {
    const [inner, here] = [value[name], [...path, name]];
    if (field.type === "object" && isObject(inner)) return expressionsIn(inner, field, here);
    const isExpression = field.type === "string" && field.form.is === "expression";
    return isExpression && typeof inner === "string" ? [{ path: formatPath(here), text: inner }] : [];
  });
}
