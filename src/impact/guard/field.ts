import type { Shape, SpecShape } from "../../schema/shape.js";

/** What a field of a guard's input is: every field has one, so that a name that is none is a mistake and never `false`. */
export type Field =
  | { readonly type: "string" | "bool" | "double" | "dyn" }
  | { readonly type: "list"; readonly item: Field }
  | { readonly type: "map"; readonly value: Field }
  /** Two messages with one name are of one type. */
  | { readonly type: "message"; readonly fields: Fields; readonly name?: string };

/** The fields of a message, by their names. */
export type Fields = ReadonlyMap<string, Field>;

/** The fields of the specs of some kinds: one that only some of them have is unset in the others. */
export function fieldsOf(shapes: readonly Pick<SpecShape, "fields">[]): Fields {
  return shapes.map(({ fields }) => mapped(fields)).reduce(joined, new Map());
}

function mapped(fields: ReadonlyMap<string, Shape>): Fields {
  return new Map([...fields].map(([name, shape]) => [name, fieldOf(shape)]));
}

function fieldOf(shape: Shape): Field {
  switch (shape.type) {
    case "string":
      return { type: "string" };
    case "number":
      return { type: "double" };
    case "boolean":
    case "marker":
      return { type: "bool" };
    case "list":
      return { type: "list", item: fieldOf(shape.item) };
    case "map":
      return { type: "map", value: fieldOf(shape.value) };
    case "object":
      return { type: "message", fields: mapped(shape.fields) };
    default:
      return shape satisfies never;
  }
}

function joined(some: Fields, others: Fields): Fields {
  const all = new Map(some);
  for (const [name, field] of others) {
    const known = all.get(name);
    all.set(name, known === undefined ? field : joinedField(known, field));
  }
  return all;
}

/** What two kinds call by one name: of two meanings, only the value itself tells which it is. */
function joinedField(one: Field, other: Field): Field {
  if (one.type === "message" && other.type === "message")
    return { type: "message", fields: joined(one.fields, other.fields) };
  if (one.type === "list" && other.type === "list")
    return { type: "list", item: joinedField(one.item, other.item) };
  if (one.type === "map" && other.type === "map")
    return { type: "map", value: joinedField(one.value, other.value) };
  return one.type === other.type ? one : { type: "dyn" };
}
