import { groupAt } from "../model/groupBy.js";
import { canonical, isObject, type Json, type JsonObject } from "../model/json.js";
import { canonicalDuration } from "../schema/duration.js";
import type { Group, ListOrder, ListShape, Shape, SpecShape, TextShape } from "../schema/shape.js";
import { canonicalTimestamp } from "../schema/timestamp.js";
import type { Kind } from "./kind.js";
import { listOf, without } from "./spelling.js";
import { choiceFor } from "./unnamed.js";

/**
 * The one normal form of a spec's fields as the service shows them. Whatever stands for unset is left out: null, empty
 * texts, lists and maps, false, and an enum's zero name. Markers stay, because their presence is the choice, and so does
 * a set member of a one-of group, however empty. Members stand in the order of the schema, sets are sorted and hold each
 * item once, durations and date-times have one spelling. Every other text stays letter by letter. Inside a field, set
 * members that remit has no name for stay as they came, behind the others. An unnamed member that is a group's choice
 * stands under the group's name. Normalising twice changes nothing.
 */
export function normalise(fields: JsonObject, shape: SpecShape): JsonObject {
  return Object.fromEntries([
    ...namedMembers(fields, shape, "shown"),
    ...shape.groups.flatMap(({ name }) => (isObject(fields[name]) ? [[name, fields[name]] as const] : [])),
  ]);
}

/**
 * The one spelling of a spec's fields as an author writes them: as `normalise` spells them, with everything that is
 * written but null. Expressions and prose end without a newline.
 */
export function normaliseWritten(fields: JsonObject, shape: SpecShape): JsonObject {
  return Object.fromEntries(namedMembers(fields, shape, "written"));
}

/** Who says it: the service sends every member, and an author writes what is meant. */
type Source = "shown" | "written";

type Member = readonly [name: string, value: Json];

type Members = Pick<SpecShape, "fields" | "groups">;

function namedMembers(value: JsonObject, { fields, groups }: Members, source: Source): readonly Member[] {
  const members: Member[] = [];
  for (const [name, shape] of fields) {
    const member = value[name];
    if (member === undefined || member === null) continue;
    const normal = normalValue(member, shape, source);
    if (normal !== undefined) members.push([name, normal]);
    else if (isObject(member) && groups.some((group) => group.members.includes(name)))
      members.push([name, {}]);
  }
  return members;
}

/** Members that the schema does not describe and that are set, by name: the service shows those that are not, too. */
function unnamedMembers(value: JsonObject, { fields, groups }: Members): readonly Member[] {
  const unnamed = Object.keys(value)
    .filter((name) => !fields.has(name) && !isUnset(value[name] ?? null))
    .sort();
  if (unnamed.length === 0) return [];
  const isNamed = (name: string) => groups.some((group) => group.name === name);
  const choices = new Map<Group, Member[]>();
  const others: Member[] = [];
  for (const name of unnamed) {
    const member: Member = [name, value[name] ?? null];
    const group = isNamed(name) ? undefined : choiceFor(member, value, groups);
    if (group === undefined) others.push(member);
    else groupAt(choices, group).push(member);
  }
  const chosen = [...choices].map(([{ name }, found]): Member => [name, Object.fromEntries(found)]);
  return [...others, ...chosen].sort(([one], [other]) => (one < other ? -1 : 1));
}

/** An empty object may be a choice. */
function isUnset(value: Json): boolean {
  return (
    value === null ||
    value === false ||
    value === 0 ||
    value === "" ||
    (Array.isArray(value) && value.length === 0)
  );
}

// Undefined stands for unset. What does not fit its shape stays as it is.
function normalValue(value: Json, shape: Shape, source: Source): Json | undefined {
  if (value === null) return undefined;
  const isWritten = source === "written";
  switch (shape.type) {
    case "marker":
      return isObject(value) && !isWritten ? Object.fromEntries(unnamedMembers(value, NONE)) : value;
    case "boolean":
      return value === false && !isWritten ? undefined : value;
    case "number":
      return value === 0 && !isWritten ? undefined : value;
    case "string":
      return typeof value === "string" ? normalText(value, shape, source) : value;
    case "list":
      return Array.isArray(value) ? normalList(value, shape, source) : value;
    case "map":
      return isObject(value) ? normalMap(value, shape.value, source) : value;
    case "object": {
      if (!isObject(value)) return value;
      const members = namedMembers(value, shape, source);
      if (isWritten) return Object.fromEntries(members);
      const all = [...members, ...unnamedMembers(value, shape)];
      return all.length === 0 ? undefined : Object.fromEntries(all);
    }
    default:
      return shape satisfies never;
  }
}

const NONE: Members = { fields: new Map(), groups: [] };

function normalText(text: string, { form }: TextShape, source: Source): string | undefined {
  // An empty duration, date-time or enum is another way to write null; the service refuses it.
  if (text === "" && (source === "shown" || NEVER_EMPTY.has(form.is))) return undefined;
  if (form.is === "duration") return canonicalDuration(text) ?? text;
  if (form.is === "timestamp") return canonicalTimestamp(text) ?? text;
  if (source === "written")
    return form.is === "expression" || form.is === "text" ? withoutNewlines(text) : text;
  // The first name in `x-unset` is the enum's zero name, which the service shows for unset.
  return form.is === "enum" && text === form.unset[0] ? undefined : text;
}

const NEVER_EMPTY: ReadonlySet<TextShape["form"]["is"]> = new Set(["duration", "timestamp", "enum"]);

// A block scalar ends such texts with newlines that the author does not mean.
function withoutNewlines(text: string): string {
  let end = text.length;
  while (text[end - 1] === "\n") end -= 1;
  return text.slice(0, end);
}

function normalList(list: readonly Json[], { item, order }: ListShape, source: Source) {
  const items = list.map((one) => normalValue(one, item, source)).filter((one) => one !== undefined);
  if (items.length === 0) return source === "written" ? items : undefined;
  // A filtered list has room for more and a copy has not: plans keep many.
  if (order.by === "place" || items.length === 1) return items.slice();
  const byKey = new Map(items.map((one) => [keyOf(one, order), one]));
  return [...byKey].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, one]) => one);
}

/** What distinguishes an item of a list from its siblings, where its place does not. */
export function keyOf(item: Json, order: ListOrder): string {
  if (typeof item === "string") return item;
  if (order.by !== "key" || !isObject(item)) return canonical(item);
  return order.key.map((name) => canonical(item[name] ?? null)).join(" ");
}

function normalMap(map: JsonObject, shape: Shape, source: Source): JsonObject | undefined {
  const members = Object.keys(map)
    .sort()
    .flatMap((name) => {
      const value = normalValue(map[name] ?? null, shape, source);
      return value === undefined ? [] : [[name, value] as const];
    });
  return members.length === 0 && source === "shown" ? undefined : Object.fromEntries(members);
}

/**
 * The names of the members of records that are set and that a kind does not compare, each once and in order. The service
 * sets them, or remit has no name for them. Without such members the result is empty.
 */
export function notCompared(
  records: readonly JsonObject[],
  isLeftOut: (name: string, value: Json) => boolean,
  nameOf = (name: string) => name,
): { readonly notCompared?: readonly string[] } {
  const names = records.flatMap((record) =>
    Object.entries(record).flatMap(([name, value]) =>
      isSet(value) && isLeftOut(name, value) ? [nameOf(name)] : [],
    ),
  );
  return names.length === 0 ? {} : { notCompared: [...new Set(names)].sort() };
}

function isSet(value: Json): boolean {
  return value !== null && value !== "";
}

/** Whether an object has parts whose items no list shows: what is in one is read item by item, by name. */
export function hasItems({ reads: { parts = [] } }: Pick<Kind, "reads">): boolean {
  return parts.some(({ as }) => as === "items");
}

/** The items of each such part, with those of another object; nothing of a part where that has no others. */
export function moreItems(
  fields: JsonObject,
  others: JsonObject,
  { reads: { parts = [] }, shape }: Kind,
): JsonObject {
  const all = parts.flatMap(({ as, field }) => {
    const known = listOf(fields, field);
    const added = as === "items" ? without(listOf(others, field), known) : [];
    return added.length === 0 ? [] : [[field, [...known, ...added]] as const];
  });
  return normalise(Object.fromEntries(all), shape);
}
