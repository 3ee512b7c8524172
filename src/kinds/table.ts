import type { Call, Segment } from "../model/call.js";
import { isObject, type Json, type JsonObject, same } from "../model/json.js";
import type { Key } from "../model/key.js";
import { once } from "../model/once.js";
import { clearingValue, outlineSpec, setByService } from "../schema/outline.js";
import type { SpecShape, ValueDiagnostic } from "../schema/shape.js";
import type { Trail } from "./inventory.js";
import {
  type Concern,
  type Kind,
  type KindPart,
  type KindReads,
  type ListedPart,
  meanwhileOf,
  type Observed,
  writtenLast,
} from "./kind.js";
import { normalise, notCompared } from "./normalise.js";
import type { KeyedWork, KindRow, PartRow, Update } from "./row.js";
import {
  type Around,
  api,
  get,
  hasSameName,
  inside,
  isGone,
  listOf as itemsOf,
  keyAsked,
  keyIn,
  mask,
  membersOf,
  pick,
  recordIn,
  search,
  textOf,
  timesOf,
  wrapped,
} from "./spelling.js";
import { asSent, unnamedChoice } from "./unnamed.js";

/**
 * What the record in one of some envelopes shows; undefined where there is none, and for a record of something deleted.
 * What the record does not say of its key is as it was asked for.
 */
type See = (body: Json, envelopes: readonly Around[], asked: Key) => Observed | undefined;

const UNSET: Readonly<Record<string, Json>> = { boolean: false, number: 0, string: "" };

/** A kind as its row says: the one reader of rows. */
export function kindFrom(row: KindRow): Kind {
  const { noun, replies, parts, parents, existsBy, isNamedOnce, builtIn, also = {} } = row;
  // A run has objects of few kinds: what follows from the schema of one is made when it is first asked for.
  const shape = once(() => outlineSpec(row.schema));
  const seen = once(() => seeing(row, shape()));
  const calls = once(() => writing(row, shape()));
  const hasId = hasOwnId(row);
  const concern = concernOf(row);
  const later = laterFields(row);
  const see: See = (body, envelopes, asked) => seen()(body, envelopes, asked);
  const { read, created = read, updated = read } = replies;
  const observe: KindReads["observe"] = (body, key) =>
    also.observe === undefined ? see(body, [read, updated, created], key) : also.observe(body, key, shape());
  const list = listOf(row, shape, see);
  const listed = parts?.flatMap((part) => (part.as === "lists" ? [part] : [])) ?? [];
  return {
    ...row,
    ...also,
    noun: { one: noun[0], many: noun[1] },
    get shape() {
      return shape();
    },
    ...(listed.length > 0 && { mistakes: (spec) => mistakesIn(spec, listed, also.mistakes) }),
    verbs: row.verbs ?? { core: [], full: ["create", "update", "delete"] },
    isPointedAt: hasId,
    isMasked: row.isWhole !== true,
    holdsOthers: concern.as === "holdings" || concern.as === "profile",
    key: (spec) => keyIn(shape(), spec),
    ...(hasId ? { matches: also.matches ?? hasSameName } : {}),
    ...(hasId && isNamedOnce !== true ? { namesRepeat: true as const } : {}),
    ...(later.length === 0 ? {} : { followsCreate: later }),
    ...(builtIn && {
      isBuiltIn: ({ fields }) => Object.entries(builtIn).every(([name, value]) => fields[name] === value),
    }),
    reads: {
      ...(existsBy && { existsBy }),
      one: (key) => get(`Get${row.name}`, pathOf(row.at, shape(), key), membersOf(read).slice(0, 1)),
      observe,
      ...(row.isList && { isList: row.isList }),
      ...(parts && { parts: parts.map((part) => partOf(part, shape)) }),
      ...(parents && {
        parents: {
          of: (ids) => search(parents.search, { [parents.by]: [...ids] }),
          within: (all) => search(parents.search, { [parents.within]: all.map(([parent = ""]) => parent) }),
          row: (one) => see(one, [""], []),
        },
      }),
      ...(replies.row === undefined ? {} : { list }),
    },
    concern,
    get inventory() {
      const trails = row.found.map((trail) => ({ ...ownTrail(noun[1], list), ...trail }));
      return { trails, gaps: row.gaps ?? [] };
    },
    calls: (work) => calls()(work),
    // Of an object with parts, any reply may be about one of them.
    answer: (work, replies) => {
      const own = parts === undefined ? replies.slice(-1) : replies;
      return own.flatMap((reply) => observe(reply, keyAsked(work, shape())) ?? []).at(-1);
    },
  };
}

function mistakesIn(
  spec: JsonObject,
  listed: readonly ListedPart[],
  own: Kind["mistakes"],
): readonly ValueDiagnostic[] {
  const ofParts = listed.flatMap(({ field, mistakes }) => mistakes(itemsOf(spec, field)));
  return [...(own?.(spec) ?? []), ...ofParts];
}

function partOf(part: PartRow, shape: () => SpecShape): KindPart {
  if (part.as === "items" || part.as === "lists") return part;
  const { operation, at, expects, none, ...rest } = part;
  return { ...rest, none, call: (key: Key) => get(operation, pathOf(at, shape(), key), expects) };
}

type List = NonNullable<KindReads["list"]>;

function listOf({ name, at, replies, listed }: KindRow, shape: () => SpecShape, see: See): List {
  const collection = at.slice(0, at.lastIndexOf("/"));
  return {
    of: (key) => listed?.() ?? get(`List${name}s`, pathOf(collection, shape(), key), ["list"]),
    row: (row, key) => see(row, [replies.row ?? ""], key),
  };
}

function ownTrail(noun: string, { of, row }: List): Trail {
  return {
    noun,
    per: "tenant",
    on: ["full"],
    call: (app) => of([app]),
    keys(shown, app) {
      const observed = row(shown, [app]);
      return observed === undefined ? [] : [observed.key];
    },
    shows: "the object",
    isRequired: true,
  };
}

function concernOf({ takesAlong: as, concern }: KindRow): Concern {
  if (as === undefined) return concern ?? { as: "nothing" };
  return { as: "holdings", of: (key) => ({ as, appId: key[0] ?? "", id: key.at(-1) ?? "" }) };
}

/** The path that a place in a row stands for, with the parts of a key in its braces. */
function pathOf(
  place: string,
  { identity }: Pick<SpecShape, "identity">,
  key: readonly Segment[],
): readonly Segment[] {
  const parts = place.split("/");
  return api(
    ...parts.map((part) => (isKeyPart(part) ? (key[identity.indexOf(part.slice(1, -1))] ?? "") : part)),
  );
}

/** Whether an object has an id of its own below a collection; else its place has one object at most. */
function hasOwnId({ at }: Pick<KindRow, "at">): boolean {
  return isKeyPart(at.split("/").at(-1) ?? "");
}

function isKeyPart(part: string): boolean {
  return part.startsWith("{");
}

/** The fields that a manifest may write and a write may set, without those that have calls of their own. */
function ownFields({ parts = [] }: Pick<KindRow, "parts">, shape: SpecShape): readonly string[] {
  const others = [
    ...shape.identity,
    ...shape.createOnly,
    ...shape.requestOnly,
    ...parts.map(({ field }) => field),
  ];
  return [...shape.fields.keys()].filter((name) => !others.includes(name));
}

/** How the records of a row are read. */
function seeing(row: KindRow, shape: SpecShape): See {
  const { renamed = {}, madeByPeople = {}, madeWith, ofParts = [], also = {} } = row;
  const fields = ownFields(row, shape);
  const hasId = hasOwnId(row);
  const spec = inside(inside(row.schema, "$defs") ?? {}, "spec") ?? {};
  const isSetByService = setByService(spec);
  const known = new Set([...shape.fields.keys(), ...Object.values(renamed), ...ofParts]);

  function fieldsIn(record: JsonObject, choices: JsonObject): JsonObject {
    const written = Object.fromEntries(
      fields.flatMap((name) => {
        const value = record[renamed[name] ?? name] ?? null;
        return value === null ? [] : [[name, value] as const];
      }),
    );
    return normalise({ ...(also.shown?.(written) ?? written), ...choices }, shape);
  }

  return (body, envelopes, asked) => {
    const [record] = envelopes.flatMap((envelope) => recordIn(body, envelope));
    if (record === undefined || isGone(record)) return undefined;
    const key = shape.identity.map((name, at) => (hasId ? textOf(record, name) : "") || (asked[at] ?? ""));
    if (key.includes("") || (hasId && textOf(record, shape.identity.at(-1) ?? "") === "")) return undefined;
    const isKnown = (name: string, value: Json) => known.has(name) || isSetByService(name, value);
    const choices: JsonObject = Object.assign(
      {},
      ...shape.groups.map((group) => unnamedChoice(record, group, isKnown)),
    );
    const chosen = Object.values(choices).flatMap((choice) => (isObject(choice) ? Object.keys(choice) : []));
    return {
      key,
      fields: fieldsIn(record, choices),
      ...(madeWith === undefined ? {} : { madeWith: normalise(pick(record, madeWith), shape) }),
      ...(isOf(record, madeByPeople) ? {} : { isConnected: true as const, ...writtenIn(record, row) }),
      ...(row.switchedOnAs !== undefined && record[row.switchedOnAs] !== true
        ? { isOff: true as const }
        : {}),
      ...timesOf(record),
      ...also.says?.(record),
      ...notCompared([record], (name) => !known.has(name) && !chosen.includes(name)),
    };
  };
}

/** The fields of what a connector makes that it writes itself. */
function writtenIn(
  record: JsonObject,
  { connectorWrites: writes }: KindRow,
): Pick<Observed, "connectorWrites"> {
  if (writes === undefined) return {};
  const edited = textOf(record, writes.butFor ?? "").split(",");
  return { connectorWrites: writes.fields.filter((name) => !edited.includes(name)) };
}

/** Whether a record has these members; a reply may leave out what is empty or false. */
function isOf(record: JsonObject, members: JsonObject): boolean {
  return Object.entries(members).every(([name, value]) => (record[name] || UNSET[typeof value]) === value);
}

/** The fields of a row that a create does not take. */
function laterFields({ afterCreate = [], parts = [] }: KindRow): readonly string[] {
  return [...afterCreate, ...parts.map(({ field }) => field)];
}

/** The calls that write an object of a row. */
function writing(row: KindRow, shape: SpecShape): Kind["calls"] {
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
  const choices = isWhole ? shape.groups.map(({ name }) => name) : [];
  const emptyOf = (name: string) => {
    const field = shape.fields.get(name);
    // A row may say that null clears a field.
    return Object.hasOwn(cleared, name) ? cleared[name] : field && clearingValue(field);
  };
  return (after: JsonObject, names: readonly string[], clears = names): JsonObject => {
    const written = pick(after, [...names, ...choices]);
    const empty = clears.flatMap((name) => {
      const value = emptyOf(name);
      return value === undefined ? [] : [[name, value] as const];
    });
    const sent = asSent({ ...Object.fromEntries(empty), ...(also.sent?.(written) ?? written) }, shape);
    return isObject(sent) ? sent : {};
  };
}

function isUnset(value: Json | undefined): boolean {
  if (value === undefined || value === null || value === false) return true;
  return Array.isArray(value) ? value.length === 0 : isObject(value) && Object.keys(value).length === 0;
}
