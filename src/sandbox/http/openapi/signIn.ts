import type { JsonObject } from "../../../model/json.js";
import type { Interface } from "../exchange.js";

/** How a request says who sends it. */
export const SIGN_IN_SCHEMES: JsonObject = {
  bearerAuth: { type: "http", scheme: "bearer" },
  oauth: { type: "oauth2", flows: { clientCredentials: { tokenUrl: "/auth/v1/token", scopes: {} } } },
};

/** The way to a token, and to who one is with it: served beside the operations, not as one of them. */
export function signInPaths(spoken: Interface): JsonObject {
  return {
    "/auth/v1/token": { post: TOKEN },
    ...(spoken === "full" ? { "/api/v1/auth/introspect": { get: INTROSPECT } } : {}),
  };
}

function object(properties: JsonObject, required = Object.keys(properties)): JsonObject {
  return { type: "object", properties, required };
}

function json(description: string, schema: JsonObject): JsonObject {
  return { description, content: { "application/json": { schema } } };
}

function form(properties: JsonObject, required: readonly string[]): JsonObject {
  const schema = object(properties, [...required]);
  return { required: true, content: { "application/x-www-form-urlencoded": { schema } } };
}

const text: JsonObject = { type: "string" };
const seconds: JsonObject = { type: "integer" };
const texts: JsonObject = { type: "array", items: text };

const DENIED = json("Denied.", object({ error: text, error_description: text }, ["error"]));
const REFUSED = json("Refused.", { $ref: "#/components/schemas/Status" });

const TOKEN: JsonObject = {
  operationId: "IssueToken",
  summary: "Gives an access token for a client's secret or assertion, or another's token.",
  "x-standing": "documented",
  security: [],
  requestBody: form(
    {
      grant_type: text,
      client_id: text,
      client_secret: text,
      client_assertion_type: text,
      client_assertion: text,
      subject_token_type: text,
      subject_token: text,
    },
    ["grant_type"],
  ),
  responses: {
    200: json("Done.", object({ access_token: text, token_type: text, expires_in: seconds })),
    default: DENIED,
  },
};

const INTROSPECT: JsonObject = {
  operationId: "Introspect",
  summary: "Gives who the token belongs to and what it may do.",
  "x-standing": "known",
  responses: {
    200: json(
      "Done.",
      object({
        principleId: text,
        userId: text,
        tenantId: text,
        roles: texts,
        permissions: texts,
        features: texts,
        disabledModules: texts,
        deviceClientId: text,
      }),
    ),
    default: REFUSED,
  },
};
