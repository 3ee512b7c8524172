import type { Segment } from "../model/call.js";
import { isObject, type Json, type JsonObject } from "../model/json.js";
import type { Key } from "../model/key.js";
import { setByService } from "../schema/outline.js";
import type { SpecShape } from "../schema/shape.js";
import { type Around, recordIn } from "./envelope.js";
import type { Observed } from "./kind.js";
import { normalise } from "./normalise.js";
import { notCompared } from "./notCompared.js";
import type { KindRow } from "./row.js";
import { api, inside, isGone, pick, textOf, timesOf } from "./spelling.js";
import { unnamedChoice } from "./unnamed.js";

/** The path that a place in a row stands for, with the parts of a key in its braces. */
export function pathOf(
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
export function hasOwnId({ at }: Pick<KindRow, "at">): boolean {
  return isKeyPart(at.split("/").at(-1) ?? "");
}

function isKeyPart(part: string): boolean {
  return part.startsWith("{");
}

/** The fields that a manifest may write and a write may set, without those that have calls of their own. */
export function ownFields({ parts = [] }: Pick<KindRow, "parts">, shape: SpecShape): readonly string[] {
  const others = [
    ...shape.identity,
    ...shape.createOnly,
    ...shape.requestOnly,
    ...parts.map(({ field }) => field),
  ];
  return [...shape.fields.keys()].filter((name) => !others.includes(name));
}

/**
 * What the record in one of some envelopes shows; undefined where there is none, and for a record of something deleted.
 * What the record does not say of its key is as it was asked for.
 */
export type See = (body: Json, envelopes: readonly Around[], asked: Key) => Observed | undefined;

/** How the records of a row are read. */
export function seeing(row: KindRow, shape: SpecShape): See {
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

const UNSET: Readonly<Record<string, Json>> = { boolean: false, number: 0, string: "" };

/** Whether a record has these members; a reply may leave out what is empty or false. */
function isOf(record: JsonObject, members: JsonObject): boolean {
  return Object.entries(members).every(([name, value]) => (record[name] || UNSET[typeof value]) === value);
}
