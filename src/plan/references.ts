import type { Kind } from "../kinds/kind.js";
import { isObject, type Json, type JsonObject } from "../model/json.js";
import type { Key } from "../model/key.js";
import { type Path, valueAt } from "../model/path.js";
import { pendingAddress } from "../model/pending.js";
import { type Shape, type SpecShape, shapeAt, type TextForm } from "../schema/shape.js";

/** An object pointed at, as in the names of a plan: `app:ID`, `entitlement:APP/ID`. */
export type Reference = string;

/** Every object that the ids in a value point at, with repetitions. */
export function referencesIn(value: JsonObject, shape: SpecShape): readonly Reference[] {
  const found: Reference[] = [];
  eachId(value, shape, value, gatherInto(found));
  return found;
}

/** Every object that the ids in a part of a value point at, by the way to that part. */
export function referencesAt(
  part: Json,
  path: Path,
  whole: JsonObject,
  shape: SpecShape,
): readonly Reference[] {
  const found: Reference[] = [];
  const at = shapeAt(shape, path);
  const holder = valueAt(whole, path.slice(0, -1));
  if (at !== undefined) eachId(part, at, isObject(holder) ? holder : {}, gatherInto(found));
  return found;
}

function gatherInto(found: Reference[]): VisitId {
  return (value, { of, within }, holder) => {
    // An id that is pending points at nothing that is there.
    if (typeof value !== "string" || pendingAddress(value) !== null) return;
    const app = within === undefined ? undefined : holder[within];
    found.push(typeof app === "string" ? `${of}:${app}/${value}` : `${of}:${value}`);
  };
}

/** The form of a field with an id. */
export type IdForm = Extract<TextForm, { readonly is: "id" }>;

/**
 * Sees what stands where an id may, with the object that it stands in. The way to it has the names of fields, and holds
 * during the call alone.
 */
type VisitId = (value: Json, form: IdForm, holder: JsonObject, way: readonly string[]) => void;

/** Visits all that stands where an id may, in a value. */
export function eachId(
  value: Json | undefined,
  shape: Shape | SpecShape,
  holder: JsonObject,
  visit: VisitId,
  way: string[] = [],
): void {
  if (value === undefined || value === null) return;
  if (shape.type === "object" && isObject(value)) {
    for (const [name, field] of shape.fields) {
      way.push(name);
      eachId(value[name], field, value, visit, way);
      way.pop();
    }
  } else if (shape.type === "map" && isObject(value)) {
    for (const member of Object.values(value)) eachId(member, shape.value, holder, visit, way);
  } else if (shape.type === "list" && Array.isArray(value)) {
    for (const item of value) eachId(item, shape.item, holder, visit, way);
  } else if (shape.type === "string" && shape.form.is === "id") visit(value, shape.form, holder, way);
}

/** What others write to point at an object of a kind; undefined where nothing can. */
export function referenceTo({ shape }: Pick<Kind, "shape">, key: Key): Reference | undefined {
  const field = shape.fields.get(shape.identity.at(-1) ?? "");
  if (field?.type !== "string" || field.form.is !== "id") return undefined;
  const { of, within } = field.form;
  // A resource is pointed at by its app and its id, without the type that its key has, too.
  const app = within === undefined ? [] : [key[shape.identity.indexOf(within)] ?? ""];
  return `${of}:${[...app, key.at(-1) ?? ""].join("/")}`;
}
