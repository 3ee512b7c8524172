import { chosen } from "../../diff/compare.js";
import { reachOf } from "../../impact/rule/reach.js";
import { isObject, type Json, type JsonObject } from "../../model/json.js";
import type { Group, ObjectShape, Shape } from "../../schema/shape.js";

type Value = Json | undefined;
/** What is lost: the members on the way to what no longer restricts anything. */
type Lost = readonly string[];

/**
 * The restrictions that an object had and does not have any more, as the service reads it: the schema marks what narrows
 * and what is open. Another choice or another criterion takes the place of the one before. What is lost as a whole is
 * named as a whole. `isInside`: whether the object is within what narrows, so that each of its fields does.
 */
export function lostRestrictions(
  before: JsonObject,
  after: JsonObject,
  shape: ObjectShape,
  isInside = false,
): readonly Lost[] {
  const chosenFrom = shape.groups.flatMap((group) => lostChoice(before, after, group, shape, isInside));
  const grouped = new Set(shape.groups.flatMap(({ members }) => members));
  const others = [...shape.fields].flatMap(([name, field]) => {
    if (grouped.has(name) || field.onlyWith !== undefined) return [];
    const [was, is] = [before[name], after[name]];
    if (!isInside && field.narrows !== true)
      return field.type === "object" ? below(name, lostInside(was, is, field, false)) : [];
    if (!restricts(was, field, shape, before)) return [];
    return restricts(is, field, shape, after) ? below(name, lostInside(was, is, field, true)) : [[name]];
  });
  const lost = [...chosenFrom, ...others];
  const isReplaced = isInside && lost.length > 0 && isNarrowed(before, after, shape);
  return isReplaced ? lost.filter((way) => way.length > 1) : lost;
}

/** Whether an object has a criterion that it did not have. */
function isNarrowed(before: JsonObject, after: JsonObject, shape: ObjectShape): boolean {
  return [...shape.fields].some(
    ([name, field]) =>
      field.onlyWith === undefined &&
      !restricts(before[name], field, shape, before) &&
      restricts(after[name], field, shape, after) &&
      !isTrivial(after[name] ?? null, field),
  );
}

const DAY_IN_SECONDS = 86_400;

/**
 * Whether a new criterion hardly keeps anything out, so that it replaces none. Such are every value there is, an
 * expression that may be true for all, hardly any time, and a day before or after every grant.
 */
function isTrivial(value: Json, shape: Shape): boolean {
  if (shape.type === "object") {
    const set = isObject(value) ? Object.entries(value) : [];
    return set.every(([name, one]) => {
      const field = shape.fields.get(name);
      return field !== undefined && (!restricts(one, field) || isTrivial(one, field));
    });
  }
  if (shape.type === "list") {
    const { item } = shape;
    if (item.type !== "string" || item.form.is !== "enum" || !Array.isArray(value)) return false;
    const { values, unset, open } = item.form;
    return values.every((one) => unset.includes(one) || open.includes(one) || value.includes(one));
  }
  if (shape.type !== "string" || typeof value !== "string") return false;
  switch (shape.form.is) {
    case "expression":
      return ["everyone", "undecided"].includes(reachOf(value));
    case "duration":
      return isHardlyAnyTime(Number.parseFloat(value) / DAY_IN_SECONDS, shape);
    case "timestamp":
      return value < "2000" || value >= "2100";
    default:
      return false;
  }
}

/** Whether a time keeps out hardly anything: a century where more time lets more through, otherwise less than a day. */
function isHardlyAnyTime(days: number, { wider }: Shape): boolean {
  return wider === "more" ? days >= 36_500 : days < 1;
}

function lostChoice(
  before: JsonObject,
  after: JsonObject,
  group: Group,
  shape: ObjectShape,
  isInside: boolean,
): readonly Lost[] {
  if (!isInside && !narrowsBy(group, shape)) return [];
  const [from, to] = [chosen(before, group), chosen(after, group)];
  if (from === null || !choiceRestricts(before[from], from, group, shape, before)) return [];
  if (to === null || !choiceRestricts(after[to], to, group, shape, after)) return [[from]];
  const field = shape.fields.get(from);
  return from !== to || field === undefined
    ? []
    : below(from, lostInside(before[from], after[to], field, true));
}

/** Whether no choice of a group means no restriction: one of its members narrows, or restricts nothing. */
function narrowsBy({ members, open }: Group, { fields }: ObjectShape): boolean {
  return open.length > 0 || members.some((member) => fields.get(member)?.narrows === true);
}

/** A choice that remit has no name for may restrict. */
function choiceRestricts(
  value: Value,
  member: string,
  { open }: Group,
  shape: ObjectShape,
  holder: JsonObject,
): boolean {
  const field = shape.fields.get(member);
  if (field === undefined) return isObject(value) && Object.keys(value).length > 0;
  return !open.includes(member) && restricts(value, field, shape, holder);
}

function lostInside(before: Value, after: Value, shape: Shape, isInside: boolean): readonly Lost[] {
  if (shape.type === "object" && isSelection(shape)) return [];
  if (shape.type === "object")
    return lostRestrictions(isObject(before) ? before : {}, isObject(after) ? after : {}, shape, isInside);
  if (shape.type !== "map" || !isObject(before)) return [];
  const now = isObject(after) ? after : {};
  const without = (one: JsonObject, other: JsonObject) =>
    Object.keys(one).filter(
      (name) => restricts(one[name], shape.value) && !restricts(other[name], shape.value),
    );
  return without(now, before).length > 0 ? [] : without(before, now).map((name) => [name]);
}

/** Whether a value that narrows keeps anything out. */
function restricts(value: Value, shape: Shape, siblings?: ObjectShape, holder: JsonObject = {}): boolean {
  if (value === undefined || value === null) return false;
  switch (shape.type) {
    case "marker":
      return true;
    case "boolean":
      return value === true;
    case "number":
      return value !== 0;
    case "list":
      return Array.isArray(value) && value.length > 0 && !value.some((item) => isOpen(item, shape.item));
    case "map":
      return isObject(value) && Object.values(value).some((one) => restricts(one, shape.value));
    case "object":
      return isObject(value) && objectRestricts(value, shape);
    case "string":
      return typeof value === "string" && !isUnset(value, shape) && isComplete(value, siblings, holder);
    default:
      return shape satisfies never;
  }
}

/** Whether an object selects what it lists: without items, it selects nothing. */
function isSelection({ fields }: ObjectShape): boolean {
  return [...fields.values()].every((field) => field.type === "list" && field.narrows !== true);
}

function objectRestricts(value: JsonObject, shape: ObjectShape): boolean {
  if (isSelection(shape)) return true;
  const named = [...shape.fields].filter(([, { onlyWith }]) => onlyWith === undefined);
  const isUnnamed = ([name, one]: readonly [string, Json]) => !shape.fields.has(name) && one !== null;
  return (
    named.some(([name, field]) => restricts(value[name], field, shape, value)) ||
    Object.entries(value).some(isUnnamed)
  );
}

function isOpen(item: Json, shape: Shape): boolean {
  return (
    shape.type === "string" &&
    shape.form.is === "enum" &&
    typeof item === "string" &&
    shape.form.open.includes(item)
  );
}

/** A span of time that is nothing keeps nothing out, either. */
function isUnset(value: string, { form }: Extract<Shape, { readonly type: "string" }>): boolean {
  if (form.is === "enum") return value === "" || form.unset.includes(value);
  return value.trim() === "" || (form.is === "duration" && value === "0s");
}

/** Whether everything is set that is used with a value alone: a filter of specific ids without ids keeps nothing out. */
function isComplete(value: string, siblings: ObjectShape | undefined, holder: JsonObject): boolean {
  const needed = [...(siblings?.fields ?? [])].filter(
    ([, { onlyWith }]) => onlyWith !== undefined && onlyWith.value === value,
  );
  return needed.every(([name, field]) => restricts(holder[name], field));
}

function below(name: string, lost: readonly Lost[]): readonly Lost[] {
  return lost.map((way) => [name, ...way]);
}
