import type { ListOrder, Shape, SpecShape, TextForm } from "../../src/schema/shape.js";

type ObjectShape = Extract<Shape, { readonly type: "object" }>;

export const marker: Shape = { type: "marker" };
export const flag: Shape = { type: "boolean" };
export const text = (is: "plain" | "text" | "expression" | "duration" = "plain"): Shape => ({
  type: "string",
  form: is === "expression" ? { is, environment: "rule" } : { is },
  ...(is === "expression" ? { free: "white space" } : {}),
});
export const id = (form: Omit<Extract<TextForm, { readonly is: "id" }>, "is">): Shape => ({
  type: "string",
  form: { is: "id", ...form },
});
export const list = (item: Shape, order: ListOrder = { by: "set" }): Shape => ({ type: "list", item, order });
export const keyed = (key: readonly string[], fields: Readonly<Record<string, Shape>>): Shape =>
  list(object(fields), { by: "key", key });
export const map = (value: Shape): Shape => ({ type: "map", value });

export function object(
  fields: Readonly<Record<string, Shape>>,
  groups: Readonly<Record<string, readonly string[]>> = {},
): ObjectShape {
  return {
    type: "object",
    fields: new Map(Object.entries(fields)),
    groups: Object.entries(groups).map(([name, members]) => ({
      name,
      members,
      open: members.filter((member) => member.startsWith("all")),
    })),
  };
}

export function spec(
  fields: Readonly<Record<string, Shape>>,
  groups: Readonly<Record<string, readonly string[]>>,
  identity: readonly string[],
  createOnly: readonly string[] = [],
): SpecShape {
  return {
    ...object(fields, groups),
    identity,
    required: [],
    createOnly,
    defaults: {},
    neededToCreate: createOnly,
    always: [],
    requestOnly: [],
  };
}
