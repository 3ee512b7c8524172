import { keyOf } from "../kinds/normalise.js";
import { isObject, type Json, type JsonObject, same } from "../model/json.js";
import type { Path } from "../model/path.js";
import type {
  Group,
  ListOrder,
  ListShape,
  ObjectShape,
  Shape,
  SpecShape,
  TextForm,
} from "../schema/shape.js";
import type { Change } from "./change.js";
import { type FieldOrGroup, fieldsAndGroupsOf } from "./fieldOrGroup.js";

type Value = Json | undefined;

const NOTHING: JsonObject = {};
const NONE: readonly Change[] = [];

/**
 * Every difference between two normalised values of one shape, in the shape's order: the one comparison in the
 * program. Null, undefined, and what is empty without being a marker are all unset.
 */
export function compare(
  before: Value,
  after: Value,
  shape: Shape | SpecShape,
  path: Path = [],
): readonly Change[] {
  if (before === after) return NONE;
  if (!fits(before, shape) || !fits(after, shape)) return compareOpaque(before, after, path);
  switch (shape.type) {
    case "object":
      return compareObjects(asObject(before), asObject(after), shape, path);
    case "map":
      return compareMaps(asObject(before), asObject(after), shape.value, path);
    case "list":
      return compareLists(asList(before), asList(after), shape, path);
    case "marker":
      if (isSet(before) !== isSet(after)) return [valueChange(path, before, after)];
      return compareUnnamed(asObject(before), asObject(after), isUnnamedInMarker, path);
    case "boolean":
      return (before === true) === (after === true) ? NONE : [valueChange(path, before, after)];
    case "number":
      return compareOpaque(before, after, path);
    case "string":
      return compareTexts(asText(before), asText(after), shape.form, path);
  }
}

function compareObjects(before: JsonObject, after: JsonObject, shape: ObjectShape, path: Path) {
  const found: Change[] = [];
  for (const part of fieldsAndGroupsOf(shape)) {
    const changes =
      part.type === "group"
        ? compareChoices(before, after, part, path)
        : compareMember(before[part.name], after[part.name], part.shape, path, part.name);
    found.push(...changes);
  }
  // The fields directly under `spec` are compared by those that know all of them.
  if (path.length === 0) return found;
  const isUnnamed = (name: string) =>
    !shape.fields.has(name) && !shape.groups.some((group) => group.name === name);
  const unnamed = compareUnnamed(before, after, isUnnamed, path);
  return unnamed.length === 0 ? found : [...found, ...unnamed];
}

const isUnnamedInMarker = () => true;

/** Each member that remit has no name for is one value, whatever is in it. */
function compareUnnamed(
  before: JsonObject,
  after: JsonObject,
  isUnnamed: (name: string) => boolean,
  path: Path,
): readonly Change[] {
  // Nearly every object has none, and a plan compares very many.
  const [were, are] = [Object.keys(before), Object.keys(after)];
  if (!were.some(isUnnamed) && !are.some(isUnnamed)) return NONE;
  const names = new Set([...were, ...are].filter(isUnnamed));
  return [...names]
    .sort()
    .flatMap((name) => compareOpaque(entryOf(before, name), entryOf(after, name), [...path, name]));
}

function compareOpaque(before: Value, after: Value, path: Path): readonly Change[] {
  const [was, is] = [orUnset(before), orUnset(after)];
  return same(was, is) ? NONE : [valueChange(path, was, is)];
}

/** What the service shows for a member that is not set, null. */
function orUnset(value: Value): Json {
  const isUnset =
    value === undefined ||
    value === false ||
    value === 0 ||
    value === "" ||
    (Array.isArray(value) && value.length === 0);
  return isUnset || (typeof value === "string" && value.endsWith("_UNSPECIFIED")) ? null : value;
}

/** Whether a value is of the type that its shape describes; unset fits everywhere. */
function fits(value: Value, { type }: Shape | SpecShape): boolean {
  if (value === undefined || value === null) return true;
  if (type === "list") return Array.isArray(value);
  if (type === "string" || type === "boolean" || type === "number") return typeof value === type;
  return isObject(value);
}

function compareMember(before: Value, after: Value, shape: Shape, path: Path, name: string) {
  return before === after ? NONE : compare(before, after, shape, path.concat(name));
}

/** Another member chosen is one change, whatever the two members hold. */
function compareChoices(
  before: JsonObject,
  after: JsonObject,
  part: Extract<FieldOrGroup, { readonly type: "group" }>,
  path: Path,
): readonly Change[] {
  const { group, shapes } = part;
  const [from, to] = [chosen(before, group), chosen(after, group)];
  if (from !== to) {
    const held = { before: holds(before, from), after: holds(after, to) };
    const opens = to !== null && group.open.includes(to);
    return [{ type: "choice", path, group: group.name, from, to, opens, ...held }];
  }
  if (from === null) return NONE;
  const shape = shapes.get(from);
  if (shape === undefined) return compareOpaque(before[from], after[from], [...path, from]);
  return compareMember(before[from], after[from], shape, path, from);
}

/** The member of a one-of group that is set; its presence is the choice. The group's own name stands for an unnamed one. */
export function chosen(value: JsonObject, group: Group): string | null {
  return [...group.members, group.name].find((member) => isSet(value[member])) ?? null;
}

function holds(value: JsonObject, member: string | null): Json {
  return member === null ? null : (value[member] ?? null);
}

function compareMaps(before: JsonObject, after: JsonObject, shape: Shape, path: Path) {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names]
    .sort()
    .flatMap((name) => compareMember(entryOf(before, name), entryOf(after, name), shape, path, name));
}

/** A member that a map has itself. */
export function entryOf(map: JsonObject, name: string): Value {
  return Object.hasOwn(map, name) ? map[name] : undefined;
}

function compareLists(
  before: readonly Json[],
  after: readonly Json[],
  shape: ListShape,
  path: Path,
): readonly Change[] {
  const { order } = shape;
  if (order.by === "place")
    return isSameInOrder(before, after, shape, path) ? NONE : [valueChange(path, before, after)];
  const isWholeKey = isKeyOnly(shape);
  if (isWholeKey && isSameSequence(before, after, order)) return NONE;
  const [was, is] = [byName(before, order), byName(after, order)];
  const removed = [...was].flatMap(([name, item]) => (is.has(name) ? [] : [item]));
  const added = [...is].flatMap(([name, item]) => (was.has(name) ? [] : [item]));
  const inside = isWholeKey && order.by === "set" ? NONE : compareItems(was, is, shape.item, path);
  if (removed.length === 0 && added.length === 0) return inside;
  const lists = { before: [...was.values()], after: [...is.values()], added, removed };
  return [{ type: "set", path, ...lists }, ...inside];
}

function isSameInOrder(before: readonly Json[], after: readonly Json[], { item }: ListShape, path: Path) {
  return (
    before.length === after.length &&
    before.every((one, place) => compare(one, after[place], item, [...path, place]).length === 0)
  );
}

/** Whether items are equal as soon as their names are. */
function isKeyOnly({ order, item }: ListShape): boolean {
  return (
    order.by === "set" ||
    (order.by === "key" && item.type === "object" && item.fields.size === order.key.length)
  );
}

/** A quick look that spares most lists their names: normalised lists that are equal are in the same order. */
function isSameSequence(before: readonly Json[], after: readonly Json[], order: ListOrder): boolean {
  if (before.length !== after.length) return false;
  const members = order.by === "key" ? order.key : [];
  return before.every((item, place) => {
    const other = after[place];
    if (item === other || members.length === 0) return item === other;
    const [one, two] = [asObject(item), asObject(other)];
    return (
      isBare(one, members) && isBare(two, members) && members.every((member) => one[member] === two[member])
    );
  });
}

/** Whether an item has no member but its key's. */
function isBare(item: JsonObject, key: readonly string[]): boolean {
  return Object.keys(item).length <= key.length;
}

/** Items of one key may still differ in what is not part of the key. */
function compareItems(
  before: ReadonlyMap<string, Json>,
  after: ReadonlyMap<string, Json>,
  shape: Shape,
  path: Path,
): readonly Change[] {
  return [...after].flatMap(([name, item], place) =>
    before.has(name) ? compare(before.get(name), item, shape, [...path, place]) : [],
  );
}

/** A list's items without repetition, in the order of their names: how it was written does not matter. */
function byName(list: readonly Json[], order: ListOrder): ReadonlyMap<string, Json> {
  const named = list.map((item): readonly [string, Json] => [keyOf(item, order), item]);
  return new Map(named.sort(([one], [other]) => (one === other ? 0 : one < other ? -1 : 1)));
}

/** A list in the order that a comparison shows; one whose order counts stays as it is. */
export function inOrderOf(list: readonly Json[], { order }: ListShape): readonly Json[] {
  return order.by === "place" ? list : [...byName(list, order).values()];
}

function compareTexts(before: string, after: string, form: TextForm, path: Path): readonly Change[] {
  if (before === after || meant(before, form) === meant(after, form)) return NONE;
  const [was, is] = [before, after].map((text) => (meant(text, form) === "" ? null : text));
  if (form.is === "text" || form.is === "expression")
    return [{ type: "text", path, before: was ?? null, after: is ?? null }];
  return [valueChange(path, was, is)];
}

/** What a text says, however it is spelled: line ends are equal, and an author's block ends with newlines. */
function meant(text: string, form: TextForm): string {
  if (form.is === "enum" && form.unset.includes(text)) return "";
  const lines = text.includes("\r") ? text.replace(/\r\n?/g, "\n") : text;
  return form.is === "text" || form.is === "expression" ? lines.replace(/\n+$/, "") : lines;
}

function valueChange(path: Path, before: Value, after: Value): Change {
  return { type: "value", path, before: before ?? null, after: after ?? null };
}

/** Whether a value is there and not null. */
export function isSet(value: Value): boolean {
  return value !== undefined && value !== null;
}

/** A value as an object; an empty one where it is none. */
export function asObject(value: Value): JsonObject {
  return isObject(value) ? value : NOTHING;
}

function asList(value: Value): readonly Json[] {
  return Array.isArray(value) ? value : [];
}

function asText(value: Value): string {
  return typeof value === "string" ? value : "";
}
