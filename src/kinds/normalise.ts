import { canonical, isObject, type Json, type JsonObject } from "../model/json.js";
import { canonicalDuration } from "../schema/duration.js";
import type { ListOrder, Shape, SpecShape } from "../schema/shape.js";
import { canonicalTimestamp } from "../schema/timestamp.js";

/**
 * The one normal form of a spec's fields. Everything that the service treats as unset is left out: null, empty texts,
 * lists and maps, false, and an enum's zero name. Markers stay, because their presence is the choice, and so does
 * a set member of a one-of group, however empty. Members stand in the order of the schema, sets are sorted and hold
 * each item once, durations and date-times have one spelling, expressions and prose end without a newline.
 * Normalising twice changes nothing.
 */
export function normalise(fields: JsonObject, shape: SpecShape): JsonObject {
  return normalMembers(fields, shape);
}

function normalMembers(
  value: JsonObject,
  { fields, groups }: Pick<SpecShape, "fields" | "groups">,
): JsonObject {
  const members: { [name: string]: Json } = {};
  for (const [name, shape] of fields) {
    const member = value[name];
    if (member === undefined || member === null) continue;
    const normal = normalValue(member, shape);
    if (normal !== undefined) members[name] = normal;
    else if (isObject(member) && groups.some((group) => group.members.includes(name))) members[name] = {};
  }
  return members;
}

// Undefined stands for unset.
function normalValue(value: Json, shape: Shape): Json | undefined {
  if (value === null) return undefined;
  switch (shape.type) {
    case "marker":
      return isObject(value) ? {} : undefined;
    case "boolean":
      return value === true ? true : undefined;
    case "string":
      return typeof value === "string" ? normalText(value, shape) : undefined;
    case "list":
      return Array.isArray(value) ? normalList(value, shape.item, shape.order) : undefined;
    case "map":
      return isObject(value) ? normalMap(value, shape.value) : undefined;
    case "object": {
      if (!isObject(value)) return undefined;
      const members = normalMembers(value, shape);
      return Object.keys(members).length === 0 ? undefined : members;
    }
    default:
      return shape satisfies never;
  }
}

function normalText(raw: string, { form }: Extract<Shape, { type: "string" }>): string | undefined {
  const text = form.is === "expression" || form.is === "text" ? withoutNewlines(raw) : raw;
  if (text === "") return undefined;
  if (form.is === "enum") return form.unset.includes(text) ? undefined : text;
  if (form.is === "duration") return canonicalDuration(text) ?? text;
  if (form.is === "timestamp") return canonicalTimestamp(text) ?? text;
  return text;
}

// The block scalars that such texts are written in end with newlines that are not part of the meaning.
function withoutNewlines(text: string): string {
  let end = text.length;
  while (text[end - 1] === "\n") end -= 1;
  return text.slice(0, end);
}

function normalList(list: readonly Json[], item: Shape, order: ListOrder): readonly Json[] | undefined {
  const items = list.map((one) => normalValue(one, item)).filter((one) => one !== undefined);
  if (items.length === 0) return undefined;
  if (order.by === "place" || items.length === 1) return items;
  const byKey = new Map(items.map((one) => [keyOf(one, order), one]));
  return [...byKey].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, one]) => one);
}

function keyOf(item: Json, order: ListOrder): string {
  if (typeof item === "string") return item;
  if (order.by !== "key" || !isObject(item)) return canonical(item);
  return order.key.map((name) => canonical(item[name] ?? null)).join(" ");
}

function normalMap(map: JsonObject, shape: Shape): JsonObject | undefined {
  const members = Object.keys(map)
    .sort()
    .flatMap((name) => {
      const value = normalValue(map[name] ?? null, shape);
      return value === undefined ? [] : [[name, value] as const];
    });
  return members.length === 0 ? undefined : Object.fromEntries(members);
}
