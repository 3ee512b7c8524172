import { canonical, isObject, type Json, type JsonObject } from "../model/json.js";
import { type ListOrder, type Shape, type SpecShape, shapeAt } from "../schema/shape.js";
import type { Change } from "./change.js";
import { chosen } from "./compare.js";

type Value = Json | undefined;

/** The changes but those that only add a member that remit has no name for. */
export function withoutAdded(changes: readonly Change[], shape: Shape): readonly Change[] {
  return changes.filter(
    ({ type, before, path }) => type !== "value" || before !== null || shapeAt(shape, path) !== undefined,
  );
}

/**
 * A value as it is wanted, with the members of the current one that remit has no name for: an author cannot write them,
 * so a write sends them back. What the wanted value does not have goes with everything in it.
 */
export function withUnnamed(wanted: Value, current: Value, shape: Shape | undefined): Value {
  if (shape === undefined || !isKept(wanted) || !isKept(current)) return wanted;
  switch (shape.type) {
    case "marker":
      return isObject(current) ? current : wanted;
    case "object":
      return isObject(wanted) && isObject(current) ? mergeObject(wanted, current, shape) : wanted;
    case "map":
      return isObject(wanted) && isObject(current) ? mergeMap(wanted, current, shape.value) : wanted;
    case "list":
      return Array.isArray(wanted) && Array.isArray(current)
        ? mergeRows(wanted, current, shape.item, shape.order)
        : wanted;
    case "string":
    case "boolean":
    case "number":
      return wanted;
    default:
      return shape satisfies never;
  }
}

/** Fields without what remit has no name for in them: what an author can write. */
export function withoutUnnamed(
  fields: JsonObject,
  { fields: shapes }: Pick<SpecShape, "fields">,
): JsonObject {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]) => {
      const shape = shapes.get(name);
      return shape === undefined ? [] : [[name, named(value, shape)] as const];
    }),
  );
}

function named(value: Json, shape: Shape): Json {
  if (shape.type === "marker") return isObject(value) ? {} : value;
  if (shape.type === "object") return isObject(value) ? withoutUnnamed(value, shape) : value;
  if (shape.type === "list")
    return Array.isArray(value) ? value.map((item) => named(item, shape.item)) : value;
  if (shape.type !== "map" || !isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, named(member, shape.value)]),
  );
}

function isKept(value: Value): boolean {
  return value !== undefined && value !== null;
}

function mergeObject(
  wanted: JsonObject,
  current: JsonObject,
  { fields, groups }: Extract<Shape, { readonly type: "object" }>,
): JsonObject {
  const replaced = groups.filter((group) => chosen(wanted, group) !== null).map(({ name }) => name);
  const unnamed = Object.entries(current).filter(([name]) => !fields.has(name) && !replaced.includes(name));
  const named = Object.entries(wanted).map(
    ([name, value]) => [name, withUnnamed(value, entryOf(current, name), fields.get(name)) ?? value] as const,
  );
  return Object.fromEntries([...named, ...unnamed]);
}

function mergeMap(wanted: JsonObject, current: JsonObject, shape: Shape): JsonObject {
  return Object.fromEntries(
    Object.entries(wanted).map(
      ([name, value]) => [name, withUnnamed(value, entryOf(current, name), shape) ?? value] as const,
    ),
  );
}

function mergeRows(wanted: readonly Json[], current: readonly Json[], item: Shape, order: ListOrder) {
  if (order.by !== "key" || !current.some((row) => hasUnnamed(row, item))) return wanted;
  const keyOf = (row: Json) =>
    isObject(row) ? order.key.map((name) => canonical(row[name] ?? null)).join() : canonical(row);
  const rows = new Map(current.map((row) => [keyOf(row), row]));
  return wanted.map((row) => withUnnamed(row, rows.get(keyOf(row)), item) ?? row);
}

// Lists are long, and their rows seldom hold more than remit knows.
function hasUnnamed(row: Json, item: Shape): boolean {
  return item.type !== "object" || (isObject(row) && Object.keys(row).some((name) => !item.fields.has(name)));
}

function entryOf(value: JsonObject, name: string): Value {
  return Object.hasOwn(value, name) ? value[name] : undefined;
}
