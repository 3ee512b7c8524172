import { spelled } from "../../../author/authored.js";
import { isObject, type Json, type JsonObject } from "../../../model/json.js";
import type { Shape } from "../../../schema/shape.js";
import type { PointedAt } from "../../../tenant/names/catalogue.js";

/** What a manifest may write for an id in place of a reference of a form such as `name`; null where only the id is sure. */
export type NameOf = (pointed: PointedAt, by: string) => JsonObject | null;

/**
 * A value of the tenant as an author writes it, like another one: a name where that one has a name, if one is sure.
 * `holder` is what the value is a member of, with ids.
 */
export function writtenLike(
  value: Json,
  shape: Shape,
  like: Json | undefined,
  holder: JsonObject,
  nameOf: NameOf,
): Json {
  switch (shape.type) {
    case "string": {
      const pointed = pointedAt(value, shape, holder);
      const by = finderOf(like);
      return (pointed !== null && by !== null ? nameOf(pointed, by) : null) ?? spelled(value, shape);
    }
    case "list":
      if (!Array.isArray(value)) return value;
      return value.map((item) => writtenLike(item, shape.item, lastOf(like), holder, nameOf));
    case "map":
    case "object": {
      if (!isObject(value)) return value;
      const shapeOf = (name: string) => (shape.type === "map" ? shape.value : shape.fields.get(name));
      return Object.fromEntries(
        Object.entries(value).map(([name, item]) => {
          const inner = shapeOf(name);
          const other = isObject(like) ? like[name] : undefined;
          return [name, inner === undefined ? item : writtenLike(item, inner, other, value, nameOf)];
        }),
      );
    }
    default:
      return value;
  }
}

/** What an id points at; null for any other value. */
export function pointedAt(value: Json, shape: Shape, holder: JsonObject): PointedAt | null {
  if (shape.type !== "string" || shape.form.is !== "id" || typeof value !== "string") return null;
  const app = shape.form.within === undefined ? "" : holder[shape.form.within];
  return typeof app === "string" ? { of: shape.form.of, app, id: value } : null;
}

/** The form of a reference by name; null where an id is written. */
export function finderOf(like: Json | undefined): string | null {
  if (like === undefined || !isObject(like)) return null;
  return Object.keys(like)[0] ?? null;
}

function lastOf(like: Json | undefined): Json | undefined {
  return Array.isArray(like) ? like.at(-1) : undefined;
}
