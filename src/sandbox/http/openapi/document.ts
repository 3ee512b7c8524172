import { stringify } from "yaml";
import type { Json, JsonObject } from "../../../model/json.js";
import { onceFor } from "../../../model/onceFor.js";
import { camelCase } from "../../answer/decoding.js";
import type { Operation } from "../../answer/operation.js";
import { SERVED } from "../../answer/operations.js";
import { ID, isIdName } from "../../tenant/identity.js";
import type { Interface } from "../exchange.js";
import { componentName, type Direction, schemaOf, schemasUnder } from "./schema.js";
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
