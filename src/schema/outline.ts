import { isObject, type Json, type JsonObject } from "../model/json.js";
import type { Group, ListOrder, Shape, SpecShape, Target, TextForm } from "./shape.js";
import { canonicalTimestamp } from "./timestamp.js";

/** The shape that a kind's JSON Schema gives its `spec`. */
export function outlineSpec(schema: JsonObject): SpecShape {
  const spec = member(member(schema, "$defs"), "spec");
  const shape = outline(spec, schema);
  if (shape.type !== "object") throw new Error("the schema of a spec describes an object");
  const identity = texts(spec["x-identity"]);
  const neededToCreate = fieldsWith("x-create-only", spec);
  const createOnly = fieldsWith("x-create-only", spec, [true, "optional"]);
  return {
    ...shape,
    identity,
    required: neededBy(spec).filter((name) => ![...identity, ...createOnly].includes(name)),
    defaults: defaultsOf(spec, identity),
    createOnly,
    always: texts(spec.required).filter((name) => createOnly.includes(name)),
    neededToCreate,
    requestOnly: fieldsWith("x-request-only", spec),
  };
}

/** The fields that a manifest needs, also those that it needs only without an id. One that may be null may be missing. */
function neededBy({ required, anyOf, properties }: JsonObject): readonly string[] {
  const choices = Array.isArray(anyOf) ? anyOf.filter(isObject) : [];
  const fields = isObject(properties ?? null) ? (properties as JsonObject) : {};
  const isNullable = (name: string) => texts(member(fields, name).type).includes("null");
  const chosen = choices.flatMap((choice) => texts(choice.required));
  return [...texts(required), ...chosen.filter((name) => !isNullable(name))];
}

function defaultsOf(spec: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = member(member(spec, "properties"), name).default;
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

function fieldsWith(hint: string, spec: JsonObject, values: readonly Json[] = [true]): readonly string[] {
  return Object.entries(member(spec, "properties")).flatMap(([name, field]) =>
    isObject(field) && values.includes(field[hint] ?? null) ? [name] : [],
  );
}

/**
 * Whether the service sets a member of a record, as the schema marks it in `x-set-by-service`: by its name, or by `*At`
 * for each time whose name ends so.
 */
export function setByService(node: JsonObject): (name: string, value: Json) => boolean {
  const marked = texts(node["x-set-by-service"]);
  const names = new Set(marked);
  const ends = marked.filter((text) => text.startsWith("*")).map((text) => text.slice(1));
  return (name, value) =>
    names.has(name) || (isTime(value) && ends.some((end) => name.length > end.length && name.endsWith(end)));
}

function isTime(value: Json): boolean {
  return typeof value === "string" && canonicalTimestamp(value) !== undefined;
}

/** The shape of one node of a schema; `root` is where its references lead. */
function outline(node: JsonObject, root: JsonObject): Shape {
  const shape = outlineForm(node, root);
  const { "x-narrows": narrows, "x-only-with": onlyWith, "x-wider": wider, "x-alerts": alerts } = node;
  const [[sibling, value] = []] = isObject(onlyWith) ? Object.entries(onlyWith) : [];
  return {
    ...shape,
    ...(narrows === true ? { narrows } : {}),
    ...(wider === "more" || wider === "less" ? { wider } : {}),
    ...(isObject(alerts) ? { alerts: alerts as Readonly<Record<string, string>> } : {}),
    ...(sibling === undefined ? {} : { onlyWith: { sibling, value: String(value) } }),
  };
}

function outlineForm(node: JsonObject, root: JsonObject): Shape {
  const { $ref: reference } = node;
  if (typeof reference === "string") return outline(followed(reference, root), root);
  if (isObject(node["x-id"])) return { type: "string", form: idForm(node["x-id"], node["x-manifest"]) };
  if (node["x-marker"] === true)
    return node["x-elsewhere"] === true ? { type: "marker", selects: "elsewhere" } : { type: "marker" };
  const types = Array.isArray(node.type) ? node.type : [node.type];
  if (types.includes("boolean")) return { type: "boolean" };
  if (types.includes("integer") || types.includes("number")) return { type: "number" };
  if (types.includes("array"))
    return { type: "list", item: outline(member(node, "items"), root), order: orderOf(node) };
  if (types.includes("object")) return outlineObject(node, root);
  const { "x-free": free } = node;
  const isFree = free === "white space" || free === "precision";
  return { type: "string", form: formOf(node), ...(isFree ? { free } : {}) };
}

function outlineObject(node: JsonObject, root: JsonObject): Shape {
  if (isObject(node.additionalProperties))
    return { type: "map", value: outline(node.additionalProperties, root) };
  const fields = Object.keys(member(node, "properties")).map(
    (name) => [name, outline(member(member(node, "properties"), name), root)] as const,
  );
  return { type: "object", fields: new Map(fields), groups: groupsOf(node) };
}

function groupsOf(node: JsonObject): readonly Group[] {
  const groups = node["x-groups"];
  if (!isObject(groups)) return [];
  const properties = member(node, "properties");
  const isOpen = (name: string) => {
    const field = properties[name];
    return isObject(field) && field["x-open"] === true;
  };
  return Object.entries(groups).map(([name, listed]) => {
    const members = texts(listed);
    return { name, members, open: members.filter(isOpen) };
  });
}

function orderOf(node: JsonObject): ListOrder {
  if (node["x-set"] === true) return { by: "set" };
  const key = texts(node["x-key"]);
  return key.length > 0 ? { by: "key", key } : { by: "place" };
}

function formOf(node: JsonObject): TextForm {
  if (Array.isArray(node["x-enum"]))
    return {
      is: "enum",
      values: texts(node["x-enum"]),
      unset: texts(node["x-unset"]),
      open: texts(node["x-open"]),
    };
  const form = node["x-form"];
  const { "x-environment": environment = "rule" } = node;
  if (form === "expression") return { is: form, environment: String(environment) };
  if (form === "text" || form === "duration" || form === "timestamp") return { is: form };
  return { is: "plain" };
}

function idForm(hint: JsonObject, manifest: Json | undefined): TextForm {
  return {
    is: "id",
    of: hint.of as Target,
    ...(typeof hint.within === "string" && { within: hint.within }),
    ...(typeof manifest === "string" && { manifest }),
  };
}

function followed(reference: string, root: JsonObject): JsonObject {
  const way = reference.replace("#/", "").split("/");
  return way.reduce((node, name) => member(node, name), root);
}

function member(node: JsonObject, name: string): JsonObject {
  const value = node[name];
  if (!isObject(value)) throw new Error(`the schema has no ${name} where one is needed`);
  return value;
}

function texts(value: Json | undefined): readonly string[] {
  return Array.isArray(value) ? value.map(String) : [];
}

/**
 * What a write sends for a field that it clears; undefined where no value does that. An object, a choice or a time is cleared
 * where the mask names it and the body does not.
 */
export function clearingValue(shape: Shape): Json | undefined {
  switch (shape.type) {
    case "boolean":
      return false;
    case "number":
      return 0;
    case "list":
      return [];
    case "string":
      return clearingText(shape);
    default:
      return undefined;
  }
}

function clearingText({ form }: Extract<Shape, { type: "string" }>): string | undefined {
  if (form.is === "enum") return form.unset[0];
  return form.is === "duration" || form.is === "timestamp" ? undefined : "";
}
