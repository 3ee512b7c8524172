import type { Resource } from "../manifest/resource.js";
import { isObject, type Json, type JsonObject } from "../model/json.js";
import type { Shape, SpecShape } from "../schema/shape.js";

/** What the names in references mean without the service: ids of apps, and ids of people by their addresses. */
export interface OfflineNames {
  readonly apps: Readonly<Record<string, string>>;
  /** The id of the person with an e-mail address; the address itself where there is none. */
  readonly user: (email: string) => string;
}

/** A spec with a text in place of each reference: the id or the alias that the manifest writes. */
export function plainSpec(
  { spec }: Pick<Resource, "spec">,
  shape: SpecShape,
  names: OfflineNames,
): JsonObject {
  return plain(spec, shape, names) as JsonObject;
}

function plain(value: Json, shape: Shape | SpecShape, names: OfflineNames): Json {
  if (shape.type === "list" && Array.isArray(value))
    return value.map((item) => plain(item, shape.item, names));
  if (!isObject(value)) return value;
  if (shape.type === "string" && shape.form.is === "id") return idOf(value, shape.form.of, names);
  if (shape.type !== "object" && shape.type !== "map") return value;
  const members = Object.entries(value).map(([name, member]) => {
    const inner = shape.type === "map" ? shape.value : shape.fields.get(name);
    return [name, inner === undefined ? member : plain(member, inner, names)] as const;
  });
  return Object.fromEntries(members);
}

function idOf(reference: JsonObject, of: string, { apps, user }: OfflineNames): string {
  const [[by, name] = ["", ""]] = Object.entries(reference);
  const text = String(name);
  if (of === "app" && by === "name") return Object.hasOwn(apps, text) ? (apps[text] ?? text) : text;
  return of === "user" && by === "email" ? user(text) : text;
}
