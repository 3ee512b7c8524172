import { nameIn } from "../../../kinds/spelling.js";
import { isObject, type Json, type JsonObject } from "../../../model/json.js";
import { referenceTo } from "../../../plan/references.js";
import type { OfIdentity, Step } from "../../../plan/step.js";
import { shortDuration } from "../../../schema/duration.js";
import type { Shape, SpecShape } from "../../../schema/shape.js";

/** Display names of ids, as a plan carries them: `app:ID`, `entitlement:APP/ID`. */
export type Names = Readonly<Record<string, string>>;

/**
 * A value as a reader sees it: flow YAML on one line, ids with their names; null if it is unset. The object around it may
 * say in which app an id is.
 */
export function showValue(
  value: Json,
  shape: Shape | SpecShape | undefined,
  names: Names,
  holder: JsonObject,
): string | null {
  return value === null ? null : show(value, shape, names, holder);
}

/** A short id with its name if that is known, otherwise the whole id. */
export function showId(id: string, name: string | undefined): string {
  return name === undefined ? id : `${name} (${shorten(id)})`;
}

/**
 * What a reader calls an object, by the ids of its key. An id that the manifest does not write stands behind the object's
 * own name, which any object may have; one that does not exist yet has the name alone.
 */
export function showTitle(
  { key, managed: { identity }, before, after }: Pick<Step, "key" | "before" | "after"> & OfIdentity,
  shape: SpecShape,
  names: Names,
): string {
  const members = shape.identity.flatMap((name): readonly (readonly [string, Json])[] => {
    const value = identity[name];
    return typeof value === "string" ? [[name, value]] : [];
  });
  const ids = Object.fromEntries(members);
  const way =
    pointer(ids, shape, names) ??
    members.map(([name, id]) => show(id, shape.fields.get(name), names, ids)).join(" › ");
  const known = key === null ? undefined : names[referenceTo({ shape }, key) ?? ""];
  const name = nameIn(after ?? before ?? {}) || known;
  const own = key?.[shape.identity.length - 1];
  if (members.length === shape.identity.length || (name === undefined && own === undefined)) return way;
  const last = own === undefined ? (name ?? "") : showId(own, name);
  return way === "" ? last : `${way} › ${last}`;
}

function shorten(id: string): string {
  return id.length <= 10 ? id : `${id.slice(0, 4)}…${id.slice(-2)}`;
}

function show(value: Json, shape: Shape | SpecShape | undefined, names: Names, holder: JsonObject): string {
  if (Array.isArray(value)) {
    const item = shape?.type === "list" ? shape.item : undefined;
    return `[${value.map((one) => show(one, item, names, holder)).join(", ")}]`;
  }
  if (isObject(value)) return pointer(value, shape, names) ?? showMembers(value, shape, names);
  if (typeof value !== "string") return String(value);
  if (shape?.type === "string" && shape.form.is === "id") {
    const { of, within } = shape.form;
    const app = within === undefined ? undefined : holder[within];
    return showId(value, names[typeof app === "string" ? `${of}:${app}/${value}` : `${of}:${value}`]);
  }
  const isDuration = shape?.type === "string" && shape.form.is === "duration";
  return isDuration ? shortDuration(value) : value;
}

function showMembers(value: JsonObject, shape: Shape | SpecShape | undefined, names: Names): string {
  const members = Object.entries(value).map(
    ([name, member]) => `${name}: ${show(member, memberShape(shape, name), names, value)}`,
  );
  return members.length === 0 ? "{}" : `{ ${members.join(", ")} }`;
}

// A pair of an app and something in it is printed as a path: `GitHub › github-admin (2fsg…5D)`.
function pointer(value: JsonObject, shape: Shape | SpecShape | undefined, names: Names): string | null {
  if (shape?.type !== "object" || Object.keys(value).length !== 2) return null;
  const inner = [...shape.fields].find(([name, field]) => Object.hasOwn(value, name) && isWithin(field));
  if (inner === undefined) return null;
  const [name, field] = inner;
  const within = field.type === "string" && field.form.is === "id" ? field.form.within : undefined;
  const [app, id] = [within === undefined ? undefined : value[within], value[name]];
  if (typeof app !== "string" || typeof id !== "string") return null;
  const appName = names[`app:${app}`] ?? app;
  return `${appName} › ${show(id, field, names, value)}`;
}

function isWithin(field: Shape): boolean {
  return field.type === "string" && field.form.is === "id" && field.form.within !== undefined;
}

function memberShape(shape: Shape | SpecShape | undefined, name: string): Shape | undefined {
  if (shape?.type === "map") return shape.value;
  return shape?.type === "object" ? shape.fields.get(name) : undefined;
}
