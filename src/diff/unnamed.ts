import { canonical, isObject, type Json, type JsonObject, same } from "../model/json.js";
import { type ListOrder, type Shape, type SpecShape, shapeAt } from "../schema/shape.js";
import type { Change } from "./change.js";
import { asObject, chosen, compare, entryOf, isSet } from "./compare.js";

type Value = Json | undefined;

/** The changes but those that only add a member that remit has no name for. */
export function withoutAdded(changes: readonly Change[], shape: Shape): readonly Change[] {
  return changes.filter(({ type, before, after, path }) => {
    if (type !== "value") return true;
    const at = shapeAt(shape, path);
    // A list in an order that counts is one value.
    if (
      at?.type === "list" &&
      Array.isArray(before) &&
      Array.isArray(after) &&
      before.length === after.length
    )
      return before.some((one, place) => {
        const inside = compare(one, after[place], at.item, [...path, place]);
        return withoutAdded(inside, shape).length > 0;
      });
    return before !== null || at !== undefined;
  });
}

/**
 * A value as it is wanted, with the members of the current one that remit has no name for: an author cannot write them,
 * so a write sends them back. What the wanted value does not have goes with everything in it.
 */
export function withUnnamed(wanted: Value, current: Value, shape: Shape | undefined): Value {
  if (shape === undefined || !isSet(wanted) || !isSet(current)) return wanted;
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
  if (order.by === "place") return mergeInOrder(wanted, current, item);
  if (order.by !== "key" || !current.some((row) => hasUnnamed(row, item))) return wanted;
  const keyOf = (row: Json) =>
    isObject(row) ? order.key.map((name) => canonical(row[name] ?? null)).join() : canonical(row);
  const rows = new Map(current.map((row) => [keyOf(row), row]));
  return wanted.map((row) => withUnnamed(row, rows.get(keyOf(row)), item) ?? row);
}

/** An item takes what the current one has that says the same, else the one in its place of a list of the same length. */
function mergeInOrder(wanted: readonly Json[], current: readonly Json[], item: Shape): readonly Json[] {
  const left = current.map((row) => ({ row, says: named(row, item) }));
  if (left.every(({ row, says }) => same(row, says))) return wanted;
  const taken = wanted.map((row) => {
    const at = left.findIndex(({ says }) => says !== null && compare(row, says, item, [0]).length === 0);
    return at === -1 ? undefined : left.splice(at, 1, { row: null, says: null })[0]?.row;
  });
  return wanted.map((row, place) => {
    const beside = wanted.length === current.length ? left[place]?.row : undefined;
    return withUnnamed(row, taken[place] ?? beside, item) ?? row;
  });
}

// Lists are long, and their rows seldom hold more than remit knows.
function hasUnnamed(row: Json, item: Shape): boolean {
  return item.type !== "object" || (isObject(row) && Object.keys(row).some((name) => !item.fields.has(name)));
}

/** Where a value holds what remit has no name for: `scope.futureScope`, `entitlements[].futureNote`; each place once, in order. */
export function unnamedIn(fields: JsonObject, shape: SpecShape): readonly string[] {
  const choices = shape.groups.flatMap(({ name }) => Object.keys(asObject(fields[name])));
  const inside = [...shape.fields].flatMap(([name, field]) => [...placesIn(fields[name], field, name)]);
  return [...new Set([...choices, ...inside])].sort();
}

function* placesIn(value: Json | undefined, shape: Shape, path: string): Generator<string> {
  if (shape.type === "marker") for (const name of Object.keys(asObject(value))) yield `${path}.${name}`;
  if (shape.type === "map")
    for (const [name, member] of Object.entries(asObject(value)))
      yield* placesIn(member, shape.value, `${path}.${name}`);
  if (shape.type === "list" && Array.isArray(value))
    for (const item of value) yield* placesIn(item, shape.item, `${path}[]`);
  if (shape.type !== "object") return;
  const groups = new Set(shape.groups.map(({ name }) => name));
  for (const [name, member] of Object.entries(asObject(value))) {
    const field = shape.fields.get(name);
    if (field !== undefined) yield* placesIn(member, field, `${path}.${name}`);
    else if (groups.has(name)) for (const choice of Object.keys(asObject(member))) yield `${path}.${choice}`;
    else yield `${path}.${name}`;
  }
}
