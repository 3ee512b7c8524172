import { chosen, compare } from "../../../diff/compare.js";
import { fieldsAndGroupsOf } from "../../../diff/fieldOrGroup.js";
import { unnamedIn } from "../../../diff/unnamed.js";
import { keyOf, normaliseWritten } from "../../../kinds/normalise.js";
import type { Operation } from "../../../manifest/edit/edit.js";
import { isObject, type Json, type JsonObject } from "../../../model/json.js";
import type { Path } from "../../../model/path.js";
import type { Group, ListShape, Shape, SpecShape } from "../../../schema/shape.js";
import { finderOf, type NameOf, pointedAt, writtenLike } from "./written.js";

/** One step towards the tenant's value: where, as a comparison names it, and what to write; or why that is not possible. */
export interface Correction {
  readonly place: Path;
  readonly operation: Operation | null;
  readonly problem: string | null;
}

/** What to write at a place. */
export function corrected(place: Path, operation: Operation): Correction {
  return { place, operation, problem: null };
}

/** Why nothing can be written at a place. */
export function uncorrected(place: Path, problem: string): Correction {
  return { place, operation: null, problem };
}

/** Takes a member away from the object at a path. */
function without(name: string, path: Path, place: Path): Correction {
  return corrected(place, { do: "members", path, removed: [name], added: [] });
}

/** A value three times: as it is written, with ids for its names, and as the tenant has it, normalised. */
interface Triple {
  readonly written: Json;
  readonly meant: Json;
  readonly current: Json | undefined;
}

interface Place {
  /** Where it is written. */
  readonly path: Path;
  /** Where a comparison finds it: rows have other places there. */
  readonly place: Path;
  readonly holder: JsonObject;
}

type Members = Extract<Shape, { type: "object" }>;

/** Everything that has to be written for a member to have the tenant's value; nothing where it has it. */
export function align(triple: Triple, shape: Shape, at: Place, nameOf: NameOf): readonly Correction[] {
  const { written, meant, current } = triple;
  if (current === undefined || written === null) return [set(current ?? null, shape, triple, at, nameOf)];
  if (compare(current, normal(meant, shape), shape).length === 0) return [];
  if (shape.type === "object" && isObject(written) && isObject(meant) && isObject(current))
    return alignObject({ written, meant, current }, shape, at, nameOf);
  if (shape.type === "map" && isObject(written) && isObject(meant) && isObject(current))
    return alignMap({ written, meant, current }, shape.value, at, nameOf);
  if (shape.type === "list" && Array.isArray(written) && Array.isArray(meant) && Array.isArray(current))
    return written.length === 0 || current.length === 0
      ? [set(current, shape, triple, at, nameOf)]
      : alignRows({ written, meant, current }, shape, at, nameOf);
  // What an author cannot write stays.
  return shape.type === "marker" ? [] : [set(current, shape, triple, at, nameOf)];
}

/** The normal form of one value as an author writes it. */
export function normal(value: Json, shape: Shape): Json | undefined {
  const spec: SpecShape = { ...ALONE, fields: new Map([["value", shape]]) };
  return normaliseWritten({ value }, spec).value;
}

const ALONE = {
  type: "object",
  groups: [],
  identity: [],
  required: [],
  createOnly: [],
  always: [],
  neededToCreate: [],
  defaults: {},
  requestOnly: [],
} as const;

/** The whole value, in the place of the one that is written. */
function set(
  value: Json,
  shape: Shape,
  { written }: Triple,
  { path, place, holder }: Place,
  nameOf: NameOf,
): Correction {
  const unnamed = unnamedInside(value, shape);
  if (unnamed !== null) return uncorrected(place, unnamed);
  const isProse = shape.type === "string" && (shape.form.is === "text" || shape.form.is === "expression");
  const by = finderOf(shape.type === "string" ? written : undefined);
  const pointed = pointedAt(value, shape, holder);
  if (by === null || pointed === null) {
    const text = value === null ? null : writtenLike(value, shape, written, holder, nameOf);
    return corrected(place, { do: "set", path, value: text, isProse });
  }
  const reference = nameOf(pointed, by);
  if (reference === null)
    return uncorrected(
      place,
      `it is written by its ${by}, and remit finds no name that only ${pointed.id} has`,
    );
  const [form = by] = Object.keys(reference);
  const name = { path: [...path, by], value: reference[by] ?? null };
  return corrected(place, {
    do: "set",
    ...(form === by ? name : { path, value: reference }),
    isProse: false,
  });
}

function unnamedInside(value: Json, shape: Shape): string | null {
  const [first] = unnamedIn({ value }, { ...ALONE, fields: new Map([["value", shape]]) });
  return first === undefined ? null : `remit has no name for ${first.replace(/^value\.?/, "")} in it`;
}

type Objects = { readonly written: JsonObject; readonly meant: JsonObject; readonly current: JsonObject };

function alignObject(three: Objects, shape: Members, at: Place, nameOf: NameOf): readonly Correction[] {
  const corrections = fieldsAndGroupsOf(shape).flatMap((part) =>
    part.type === "group"
      ? alignChoice(three, part.group, part.shapes, at, nameOf)
      : alignMember(three, part.name, part.shape, at, nameOf),
  );
  return emptied(corrections, three.written, at);
}

function alignMap(three: Objects, shape: Shape, at: Place, nameOf: NameOf): readonly Correction[] {
  const names = new Set([...Object.keys(three.written), ...Object.keys(three.current)]);
  const corrections = [...names].sort().flatMap((name) => alignMember(three, name, shape, at, nameOf));
  return emptied(corrections, three.written, at);
}

/** An object that loses all that it has is written as an empty one. */
function emptied(
  corrections: readonly Correction[],
  written: JsonObject,
  { path, place }: Place,
): readonly Correction[] {
  const removed = corrections.flatMap(({ operation }) =>
    operation?.do === "members" ? operation.removed : [],
  );
  const isKept = corrections.some(
    ({ operation }) => operation === null || operation.do !== "members" || operation.added.length > 0,
  );
  if (isKept || removed.length < Object.keys(written).length || removed.length === 0) return corrections;
  return [corrected(place, { do: "set", path, value: {}, isProse: false })];
}

function alignMember(
  { written, meant, current }: Objects,
  name: string,
  shape: Shape,
  { path, place }: Place,
  nameOf: NameOf,
): readonly Correction[] {
  const own = Object.hasOwn(written, name) ? (written[name] ?? null) : undefined;
  const now = Object.hasOwn(current, name) ? current[name] : undefined;
  const inside = { path: [...path, name], place: [...place, name], holder: current };
  if (own === undefined) {
    if (now === undefined || now === null) return [];
    return [added(name, now, shape, { path, place: inside.place, holder: current }, nameOf)];
  }
  const isUnset = now === undefined || now === null;
  if (isUnset && compare(undefined, normal(meant[name] ?? null, shape), shape).length === 0) return [];
  if (isUnset) return [without(name, path, inside.place)];
  return align({ written: own, meant: meant[name] ?? null, current: now }, shape, inside, nameOf);
}

function added(
  name: string,
  value: Json,
  shape: Shape,
  { path, place, holder }: Place,
  nameOf: NameOf,
): Correction {
  const problem = unnamedInside(value, shape);
  if (problem !== null) return uncorrected(place, problem);
  const member = { name, value: writtenLike(value, shape, undefined, holder, nameOf) };
  return corrected(place, { do: "members", path, removed: [], added: [member] });
}

/** The choice of a one-of group: another member in the place of the one that is written. */
export function alignChoice(
  { written, meant, current }: Objects,
  group: Group,
  shapes: ReadonlyMap<string, Shape>,
  at: Place,
  nameOf: NameOf,
): readonly Correction[] {
  const { path, place } = at;
  const [from, to] = [chosen(meant, group), chosen(current, group)];
  const shape = to === null ? undefined : shapes.get(to);
  if (from === to) {
    if (from === null || shape === undefined) return [];
    return alignMember({ written, meant, current }, from, shape, at, nameOf);
  }
  if (to === null) return from === null ? [] : [without(from, path, [...place, from])];
  const here = { path, place: [...place, to], holder: current };
  if (shape === undefined)
    return [uncorrected(here.place, "the tenant has a choice that remit has no name for")];
  const value = current[to] ?? null;
  // `to: null` may be written beside it.
  if (Object.hasOwn(written, to)) {
    const triple = { written: null, meant: null, current: value };
    const chosenNow = set(value, shape, triple, { ...here, path: [...path, to] }, nameOf);
    return [...(from === null ? [] : [without(from, path, here.place)]), chosenNow];
  }
  const correction = added(to, value, shape, here, nameOf);
  const [member] = correction.operation?.do === "members" ? correction.operation.added : [];
  if (from === null || member === undefined) return [correction];
  return [corrected(here.place, { do: "swap", path, from, to: member })];
}

type Lists = {
  readonly written: readonly Json[];
  readonly meant: readonly Json[];
  readonly current: readonly Json[];
};
function alignRows(
  { written, meant, current }: Lists,
  shape: ListShape,
  at: Place,
  nameOf: NameOf,
): readonly Correction[] {
  const { order, item } = shape;
  const rows = meant.map((row) => normal(row, item) ?? null);
  const nameAt = (row: Json, place: number) => (order.by === "place" ? String(place) : keyOf(row, order));
  const now = new Map(current.map((row, place) => [nameAt(row, place), row]));
  const names = rows.map(nameAt);
  // A comparison puts rows in the order of their names.
  const places = order.by === "place" ? names : [...new Set(names)].sort();
  const inside = rows.flatMap((_, at_): readonly Correction[] => {
    const name = names[at_] ?? "";
    const row = now.get(name);
    if (row === undefined) return [];
    const { path, place, holder } = at;
    const here = { path: [...path, at_], place: [...place, places.indexOf(name)], holder };
    const triple = { written: written[at_] ?? null, meant: meant[at_] ?? null, current: row };
    return align(triple, item, here, nameOf);
  });
  const removed = names.flatMap((name, place) => (now.has(name) ? [] : [place]));
  const known = new Set(names);
  const fresh = [...now].flatMap(([name, row]) => (known.has(name) ? [] : [row]));
  if (removed.length === 0 && fresh.length === 0) return inside;
  const { path, place, holder } = at;
  const unnamed = fresh.map((row) => unnamedInside(row, item)).find((one) => one !== null) ?? null;
  if (unnamed !== null) return [...inside, uncorrected(place, unnamed)];
  const like = written.at(-1);
  const rowsAdded = fresh.map((row) => writtenLike(row, item, like, holder, nameOf));
  return [...inside, corrected(place, { do: "rows", path, removed, added: rowsAdded })];
}
