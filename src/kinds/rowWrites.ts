import type { Call, Segment } from "../model/call.js";
import { isObject, type Json, type JsonObject, same } from "../model/json.js";
import { clearingValues } from "../schema/cleared.js";
import type { SpecShape } from "../schema/shape.js";
import { membersOf, wrapped } from "./envelope.js";
import type { Kind } from "./kind.js";
import { meanwhileOf, writtenLast } from "./meanwhile.js";
import type { KeyedWork, KindRow, Update } from "./row.js";
import { hasOwnId, ownFields, pathOf } from "./rowRecords.js";
import { keyAsked, mask, pick, textOf } from "./spelling.js";
import { asSent } from "./unnamed.js";

/** The fields of a row that a create does not take. */
export function laterFields({ afterCreate = [], parts = [] }: KindRow): readonly string[] {
  return [...afterCreate, ...parts.map(({ field }) => field)];
}

/** The calls that write an object of a row. */
export function writing(row: KindRow, shape: SpecShape): Kind["calls"] {
  const { at, replies, sends, isWhole, createOnly = {} } = row;
  const { createAt = hasOwnId(row) ? at.slice(0, at.lastIndexOf("/")) : at } = row;
  const [fields, later] = [ownFields(row, shape), laterFields(row)];
  const atOnce = fields.filter((name) => !later.includes(name));
  const valuesOf = valuesFor(row, shape);
  const update = updating(row, shape);
  const { read, created = read } = replies;
  const madeId: Segment = { reply: [...membersOf(created), shape.identity.at(-1) ?? ""] };

  const own = (what: KeyedWork) => row.also?.change?.(what, update, shape) ?? [update(what)];
  const change = (what: KeyedWork) => withLists(what, row, own);
  const create = ({ key, identity, after }: KeyedWork): Call => {
    const fixed = Object.entries(pick(identity, shape.createOnly)).map(([name, value]) => [
      createOnly[name] ?? name,
      value,
    ]);
    const sent = valuesOf(after, atOnce, isWhole ? atOnce : []);
    return {
      operation: `Create${row.name}`,
      method: "POST",
      path: pathOf(createAt, shape, key),
      body: wrapped(sends.create ?? "", { ...Object.fromEntries(fixed), ...sent, ...row.created }),
      effect: "once",
      expects: membersOf(created).slice(0, 1),
    };
  };

  return (work) => {
    const { verb, identity, after, before, fields } = work;
    const what: KeyedWork = { key: keyAsked(work, shape), identity, before: before ?? {}, after, fields };
    if (verb === "delete") {
      const path = pathOf(at, shape, what.key);
      return [{ operation: `Delete${row.name}`, method: "DELETE", path, body: {}, effect: "repeatable" }];
    }
    if (verb !== "create") return change(what);
    const isInRing = work.awaits !== undefined && row.meanwhile !== undefined;
    const first = isInRing ? meanwhileOf(row.meanwhile, identity, after) : after;
    const rest = later.filter((name) => !isUnset(first[name]));
    const last = writtenLast(first, after);
    const made = [...what.key.slice(0, -1), madeId];
    const changes = (names: readonly string[], before: JsonObject, to: JsonObject) =>
      names.length === 0 ? [] : change({ ...what, key: made, before, after: to, fields: names });
    return [
      create({ ...what, after: first }),
      ...changes(rest, {}, first),
      ...changes(last, first, after).map((call, place) =>
        place === 0 && work.awaits !== undefined ? { ...call, awaits: work.awaits } : call,
      ),
    ];
  };
}

/** The calls of the parts with lists of their own go last, one for each item; the rest is sent where it changes. */
function withLists(
  what: KeyedWork,
  { parts = [] }: KindRow,
  own: (what: KeyedWork) => readonly Call[],
): readonly Call[] {
  const lists = parts.filter((part) => part.as === "lists" && what.fields.includes(part.field));
  if (lists.length === 0) return own(what);
  const { key, before, after } = what;
  const fields = what.fields.filter((name) => lists.every(({ field }) => field !== name));
  const isChanged = fields.some((name) => !same(before[name] ?? null, after[name] ?? null));
  const changes = lists.flatMap((part) => (part.as === "lists" ? part.change(key, before, after) : []));
  return [...(isChanged ? own({ ...what, fields }) : []), ...changes];
}

function updating(row: KindRow, shape: SpecShape): Update {
  const { at, updateAt = at, sends, isWhole, renamed = {}, oneOf = {}, beside = [] } = row;
  const { read, updated = read } = row.replies;
  const fields = ownFields(row, shape);
  const valuesOf = valuesFor(row, shape);
  const operation = `${row.verbs?.full.includes("set") === true ? "Set" : "Update"}${row.name}`;
  return ({ key, identity, after, fields: changed }) => {
    const isSet = (name: string) => textOf(after, name) !== "";
    const nameOf = (name: string) => renamed[name] ?? (isSet(name) ? name : (oneOf[name] ?? name));
    const sent = valuesOf(after, isWhole ? fields : changed);
    const either = Object.keys(oneOf).map(
      (name) => [name, isSet(name) ? (after[name] ?? null) : {}] as const,
    );
    const object = Object.entries({ ...sent, ...Object.fromEntries(either) });
    return {
      operation,
      method: "POST",
      path: pathOf(updateAt, shape, key),
      body: {
        ...wrapped(sends.update, Object.fromEntries(object.map(([name, value]) => [nameOf(name), value]))),
        ...(isWhole ? {} : { updateMask: mask(changed.map(nameOf)) }),
        ...pick(sent, beside),
        ...pick(identity, shape.requestOnly),
      },
      effect: "repeatable",
      expects: membersOf(updated).slice(0, 1),
    };
  };
}

/** Some fields as they are sent; those of `clears` have a value where they are not set. */
function valuesFor({ cleared = {}, isWhole, also = {} }: KindRow, shape: SpecShape) {
  const empty: JsonObject = { ...clearingValues(shape), ...cleared };
  const choices = isWhole ? shape.groups.map(({ name }) => name) : [];
  return (after: JsonObject, names: readonly string[], clears = names): JsonObject => {
    const written = pick(after, [...names, ...choices]);
    const cleared = clears.flatMap((name) =>
      empty[name] === undefined ? [] : [[name, empty[name]] as const],
    );
    const sent = asSent({ ...Object.fromEntries(cleared), ...(also.sent?.(written) ?? written) }, shape);
    return isObject(sent) ? sent : {};
  };
}

function isUnset(value: Json | undefined): boolean {
  if (value === undefined || value === null || value === false) return true;
  return Array.isArray(value) ? value.length === 0 : isObject(value) && Object.keys(value).length === 0;
}
