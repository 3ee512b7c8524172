import { stringify } from "yaml";
import type { Json, JsonObject } from "../../../model/json.js";
import { onceFor } from "../../../model/onceFor.js";
import { camelCase } from "../../answer/decoding.js";
import type { Operation } from "../../answer/operation.js";
import { SERVED } from "../../answer/operations.js";
import { ID, isIdName } from "../../tenant/identity.js";
import type { Message, Scalar, Type } from "../../wire/descriptor.js";
import type { Interface } from "../exchange.js";
import { SIGN_IN_SCHEMES, signInPaths } from "./signIn.js";

/** The OpenAPI 3.1 description of what an interface serves, made of the very table that serves it. */
export function describeApi(spoken: Interface): JsonObject {
  const operations = SERVED[spoken];
  const paths = [...new Set(operations.map((operation) => operation.path))].map((path): [string, Json] => [
    path,
    Object.fromEntries(
      operations
        .filter((operation) => operation.path === path)
        .map((operation) => [operation.method.toLowerCase(), describeOperation(operation, spoken)]),
    ),
  ]);
  return {
    openapi: "3.1.0",
    info: {
      title: "Access Governance API",
      version: "0.1.0-alpha",
      description: `What remit's sandbox serves as its ${spoken} interface. Enumerated fields may hold values not listed.`,
    },
    servers: [{ url: "/" }],
    security: [{ bearerAuth: [] }, { oauth: [] }],
    paths: { ...Object.fromEntries(paths), ...signInPaths(spoken) },
    components: {
      schemas: {
        Status: STATUS,
        ...schemasUnder(
          operations.filter(hasBody).map((operation) => operation.request),
          "request",
        ),
        ...schemasUnder(
          operations.map((operation) => operation.response),
          "reply",
        ),
      },
      securitySchemes: SIGN_IN_SCHEMES,
    },
  };
}

/** The same as the text that is published. */
export const describeApiAsYaml = onceFor((spoken: Interface) =>
  stringify(describeApi(spoken), { aliasDuplicateObjects: false, lineWidth: 0 }),
);

const STATUS: JsonObject = {
  type: "object",
  description: "A google.rpc.Status; the message ends with the id of the request.",
  properties: {
    code: { type: "integer" },
    message: { type: "string" },
    details: { type: "array", items: { type: "object" } },
  },
  required: ["code", "message"],
};

function hasBody(operation: Operation): boolean {
  return operation.method !== "GET";
}

function describeOperation(operation: Operation, spoken: Interface): JsonObject {
  const body = { "application/json": { schema: reference(operation, "request") } };
  return {
    operationId: operation.name,
    summary: operation.summary,
    "x-standing": SERVED.core.includes(operation) ? "documented" : "known",
    parameters: [
      ...pathParameters(operation, spoken),
      ...(hasBody(operation) ? [] : queryParameters(operation)),
    ],
    ...(hasBody(operation) ? { requestBody: { content: body } } : {}),
    responses: {
      200: {
        description: "Done.",
        headers: { "c1-trace-id": { description: "The id of the request.", schema: { type: "string" } } },
        content: { "application/json": { schema: reference(operation, "reply") } },
      },
      default: {
        description: "Refused.",
        content: { "application/json": { schema: { $ref: "#/components/schemas/Status" } } },
      },
    },
  };
}

function reference(operation: Operation, direction: Direction): JsonObject {
  const type = direction === "request" ? operation.request : operation.response;
  return { $ref: `#/components/schemas/${componentName(type, direction)}` };
}

function pathParameters(operation: Operation, spoken: Interface): readonly JsonObject[] {
  const isChecked = (name: string) => spoken === "full" && isIdName(name);
  return parameterNames(operation).map((name) => {
    const schema = { type: "string", ...(isChecked(name) && { pattern: ID.source }) };
    return { name, in: "path", required: true, schema };
  });
}

function queryParameters(operation: Operation): readonly JsonObject[] {
  const inPath = new Set(parameterNames(operation).map(camelCase));
  return [...operation.request.fields]
    .filter(([field]) => !inPath.has(field))
    .map(([field, type]) => ({
      name: field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      in: "query",
      schema: schemaOf(type, "reply"),
    }));
}

function parameterNames(operation: Operation): readonly string[] {
  return [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
}

/** Whether a schema is for what a client may send, or for what it is sent. */
type Direction = "request" | "reply";

/** The name under which a message's schema is kept. */
function componentName(type: Message, direction: Direction): string {
  return direction === "request" ? `${type.name}.Input` : type.name;
}

/** The schemas of messages and of every message in them, by component name. */
function schemasUnder(types: readonly Message[], direction: Direction): JsonObject {
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
function schemaOf(type: Type, direction: Direction): JsonObject {
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
