import { chosen } from "../../diff/compare.js";
import { reachOf, unreadBy } from "../../impact/rule/reach.js";
import { kindOf } from "../../kinds/index.js";
import { environmentOf, expressionFaults } from "../../manifest/expressionFaults.js";
import { isObject, type Json, type JsonObject } from "../../model/json.js";
import { formatPath, type Path } from "../../model/path.js";
import type { Group, ObjectShape, Shape, SpecShape, TextForm } from "../../schema/shape.js";
import { say } from "../../words/say.js";
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

/** The expressions in the fields of an object; those in its lists are conditions of one item, and not of the object. */
function expressionsIn(
  value: JsonObject,
  shape: ObjectShape,
): readonly Pick<OpenExpression, "path" | "text">[] {
  const own = allExpressions(value, shape).filter(({ path }) =>
    path.every((part) => typeof part === "string"),
  );
  return own.map(({ path, text }) => ({ path: formatPath(path), text }));
}

interface WrittenExpression {
  readonly path: Path;
  readonly text: string;
  readonly form: ExpressionForm;
}

type ExpressionForm = Extract<TextForm, { readonly is: "expression" }>;

/** Every expression in a value, in its lists and maps, too. */
function allExpressions(
  value: Json | undefined,
  shape: Shape | ObjectShape,
  path: Path = [],
): readonly WrittenExpression[] {
  switch (shape.type) {
    case "string": {
      const { form } = shape;
      return form.is === "expression" && typeof value === "string" ? [{ path, text: value, form }] : [];
    }
    case "list":
      return (Array.isArray(value) ? value : []).flatMap((item, at) =>
        allExpressions(item, shape.item, [...path, at]),
      );
    case "map":
      return Object.entries(isObject(value ?? null) ? (value as JsonObject) : {}).flatMap(([name, inner]) =>
        allExpressions(inner, shape.value, [...path, name]),
      );
    case "object":
      return isObject(value ?? null)
        ? [...shape.fields].flatMap(([name, field]) =>
            allExpressions((value as JsonObject)[name], field, [...path, name]),
          )
        : [];
    default:
      return [];
  }
}

/** What is wrong with the expressions that a step writes and that the object did not have before; null for nothing. */
export function expressionInvalid({ before, after, address }: Step): string | null {
  if (after === null) return null;
  const { shape } = kindOf(address);
  const known = new Set(allExpressions(before ?? {}, shape).map(({ text }) => text));
  const faults = allExpressions(after, shape).flatMap(({ path, text, form }) =>
    text === "" || known.has(text) ? [] : faultsOf(formatPath(path), text, form),
  );
  return faults.length === 0 ? null : faults.join("; ");
}

function faultsOf(name: string, text: string, form: ExpressionForm): readonly string[] {
  return expressionFaults(text, environmentOf(form)).flatMap(
    ({ code, severity, message: fault, hint: next }) => {
      if (severity !== "error") return [];
      if (code === "expression/syntax")
        return [say("guard/expression-invalid#syntax", { name, fault }).message];
      return [say("guard/expression-invalid#unknown", { name, fault, next }).message];
    },
  );
}

/**
 * That a condition can hold for no one, in the author's words; null where it can hold for some people, or where the
 * object has no condition of its own. It is decided by what the condition means, not by how it is written.
 */
export function emptinessOf(value: JsonObject, shape: SpecShape): string | null {
  const group = shape.groups.find((one) => isCondition(one, shape));
  if (group === undefined) return null;
  const member = chosen(value, group);
  if (member === null) return say("guard/nobody#none").message;
  const field = shape.fields.get(member);
  if (field === undefined) return null;
  if (field.type === "marker") return say("guard/nobody#never", { member }).message;
  const held = value[member];
  const empty = emptyExpression(held, field, [member]);
  if (empty !== null) return say("guard/nobody#never", { member: empty }).message;
  return isFilled(held) ? null : say("guard/nobody#empty", { member }).message;
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
