import type { JsonObject } from "../../model/json.js";
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

function object(properties: JsonObject, required: readonly string[]): JsonObject {
  return { type: "object", properties, required };
}

const text: JsonObject = { type: "string" };
const listOfText: JsonObject = { type: "array", items: text };

const FAULT = object({ error: text, error_description: text }, ["error"]);

const TOKEN: JsonObject = {
  operationId: "GetToken",
  summary: "Gives an access token for client credentials, a signed assertion, or another's token.",
  "x-standing": "documented",
  security: [],
  requestBody: {
    required: true,
    content: {
      "application/x-www-form-urlencoded": {
        schema: object(
          {
            grant_type: text,
            client_id: text,
            client_secret: text,
            client_assertion_type: text,
            client_assertion: text,
            subject_token_type: text,
            subject_token: text,
            device_code: text,
          },
          ["grant_type"],
        ),
      },
    },
  },
  responses: {
    200: {
      description: "Done.",
      content: {
        "application/json": {
          schema: object({ access_token: text, token_type: text, expires_in: { type: "integer" } }, [
            "access_token",
            "token_type",
            "expires_in",
          ]),
        },
      },
    },
    default: { description: "Refused.", content: { "application/json": { schema: FAULT } } },
  },
};

const INTROSPECT: JsonObject = {
  operationId: "Introspect",
  summary: "Gives who the token belongs to and what it may do.",
  "x-standing": "known",
  responses: {
    200: {
      description: "Done.",
      content: {
        "application/json": {
          schema: object(
            {
              principleId: text,
              userId: text,
              roles: listOfText,
              permissions: listOfText,
              features: listOfText,
            },
            ["principleId", "userId", "roles", "permissions", "features"],
          ),
        },
      },
    },
    default: {
      description: "Refused.",
      content: { "application/json": { schema: { $ref: "#/components/schemas/Status" } } },
    },
  },
};
