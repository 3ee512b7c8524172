import type { Json, JsonObject } from "../../../model/json.js";
import type { Message, Scalar, Type } from "../../wire/descriptor.js";

/** Whether a schema is for what a client may send, or for what it is sent. */
export type Direction = "request" | "reply";

/** The name under which a message's schema is kept. */
export function componentName(type: Message, direction: Direction): string {
  return direction === "request" ? `${type.name}.Input` : type.name;
}

/** The schemas of messages and of every message in them, by component name. */
export function schemasUnder(types: readonly Message[], direction: Direction): JsonObject {
  const found = new Map<string, Json>();
  function visit(type: Type): void {
    if (typeof type === "string" || type.kind === "enum") return;
    if (type.kind !== "message") {
      visit(type.of);
      return;
    }
    const name = componentName(type, direction);
    if (found.has(name)) return;
    found.set(name, messageSchema(type, direction));
    for (const field of type.fields.values()) visit(field);
  }
  for (const type of types) visit(type);
  return Object.fromEntries(found);
}

/** The schema of a field of that type. */
export function schemaOf(type: Type, direction: Direction): JsonObject {
  if (typeof type === "string") return SCALARS[direction][type];
  switch (type.kind) {
    case "message":
      return {
        anyOf: [{ $ref: `#/components/schemas/${componentName(type, direction)}` }, { type: "null" }],
      };
    case "enum":
      return direction === "reply"
        ? { type: "string", enum: type.names }
        : { anyOf: [{ enum: [...type.names, null] }, { type: "integer" }] };
    case "list": {
      const bound = Number.isFinite(type.most) ? { maxItems: type.most } : {};
      const items = itemSchema(type.of, direction);
      return { type: direction === "reply" ? "array" : ["array", "null"], items, ...bound };
    }
    case "map":
      return {
        type: direction === "reply" ? "object" : ["object", "null"],
        additionalProperties: itemSchema(type.of, direction),
      };
  }
}

/** An item of a list or map is never null. */
function itemSchema(type: Type, direction: Direction): JsonObject {
  if (typeof type === "string") return SCALARS.item[type];
  if (type.kind !== "message") return schemaOf(type, "reply");
  return { $ref: `#/components/schemas/${componentName(type, direction)}` };
}

function messageSchema(type: Message, direction: Direction): JsonObject {
  const fields = [...type.fields];
  const shown = fields.map(([name]) => name).filter((name) => !type.oneofs.has(name));
  const groups = [...new Set(type.oneofs.values())].map((group): [string, Json] => [
    group,
    [...type.oneofs].filter(([, other]) => other === group).map(([member]) => member),
  ]);
  return {
    type: "object",
    properties: Object.fromEntries(fields.map(([name, field]) => [name, schemaOf(field, direction)])),
    ...(direction === "reply" && shown.length > 0 ? { required: shown } : {}),
    additionalProperties: false,
    ...(groups.length > 0 ? { "x-at-most-one-of": Object.fromEntries(groups) } : {}),
  };
}

const DURATION = "^-?[0-9]+(\\.[0-9]{1,9})?s$";

/** Scalars as they stand in a list, in a reply and in a request, where null is as good as nothing. */
const SCALARS: Readonly<Record<Direction | "item", Readonly<Record<Scalar, JsonObject>>>> = {
  item: {
    string: { type: "string" },
    bool: { type: "boolean" },
    int32: { type: "integer", format: "int32" },
    int64: { type: "string", format: "int64" },
    timestamp: { type: "string", format: "date-time" },
    duration: { type: "string", pattern: DURATION },
    mask: { type: "string" },
    any: { type: "object", properties: { "@type": { type: "string" } }, required: ["@type"] },
    free: { type: "object" },
  },
  reply: {
    string: { type: "string" },
    bool: { type: "boolean" },
    int32: { type: "integer", format: "int32" },
    int64: { type: "string", format: "int64" },
    timestamp: { type: ["string", "null"], format: "date-time" },
    duration: { type: ["string", "null"], pattern: DURATION },
    mask: { type: ["string", "null"] },
    any: { type: ["object", "null"] },
    free: { type: ["object", "null"] },
  },
  request: {
    string: { type: ["string", "null"] },
    bool: { type: ["boolean", "null"] },
    int32: { type: ["integer", "null"], format: "int32" },
    int64: { type: ["string", "integer", "null"], format: "int64" },
    timestamp: { type: ["string", "null"], format: "date-time" },
    duration: { type: ["string", "null"], pattern: DURATION },
    mask: { type: ["string", "null"], description: "Paths in lowerCamel, joined by commas." },
    any: { type: ["object", "null"] },
    free: { type: ["object", "null"] },
  },
};
