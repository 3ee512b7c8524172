import { Validator } from "@seriousme/openapi-schema-validator";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import type { Json, JsonObject } from "../../src/model/json.js";
import { makeAuth } from "../../src/sandbox/auth/auth.js";
import { DEFAULT_CLIENT } from "../../src/sandbox/auth/client.js";
import { ENDPOINTS } from "../../src/sandbox/auth/endpoints.js";
import type { Interface, Response } from "../../src/sandbox/http/exchange.js";
import { describeApi } from "../../src/sandbox/http/openapi/document.js";
import { idOf, MORNING, visit } from "./visit.js";
import { DOCUMENTED_WALK, placeOf, type Stop, WALK } from "./walk.js";

const WALKS: readonly (readonly [Interface, readonly Stop[]])[] = [
  ["core", DOCUMENTED_WALK],
  ["full", WALK],
];

/** The checks that a description makes possible, by a pointer into it. */
function checker(description: JsonObject): (...pointer: readonly string[]) => ValidateFunction {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  ajv.addSchema(description, "api");
  return (...pointer) => {
    const place = pointer.map((part) => encodeURIComponent(part.replaceAll("~", "~0").replaceAll("/", "~1")));
    return ajv.compile({ $ref: `api#/${place.join("/")}` });
  };
}

function operationIds(description: JsonObject): readonly string[] {
  const paths = Object.values(description.paths ?? {}) as readonly JsonObject[];
  return paths.flatMap((item) =>
    (Object.values(item) as readonly JsonObject[]).map((each) => String(each.operationId)),
  );
}

describe.each(WALKS)("the description of the %s interface", (spoken, walk) => {
  const description = describeApi(spoken);
  const check = checker(description);

  test("is OpenAPI 3.1", async () => {
    const result = await new Validator().validate(structuredClone({ ...description }));
    expect(result).toMatchObject({ valid: true });
    expect(description.openapi).toBe("3.1.0");
  });

  test("is published as YAML", () => {
    const reply = visit({ spoken }).ask("GET", "/api/v1/openapi.yaml");
    expect([reply.status, reply.headers["content-type"]]).toEqual([200, "application/yaml"]);
    expect(parse(String(reply.body))).toEqual(description);
  });

  test("names exactly the operations that the walk passes, and the way to a token", () => {
    const beside = ENDPOINTS.filter((endpoint) => endpoint.interfaces.includes(spoken));
    const walked = [...new Set(walk.map((stop) => stop.operation)), ...beside.map(({ name }) => name)];
    expect([...operationIds(description)].sort()).toEqual(walked.sort());
  });

  test("fits every request and reply of the walk", () => {
    const { ask } = visit({ spoken });
    for (const stop of walk) {
      const reply = ask(stop.method, placeOf(stop), stop.body);
      expect([stop.operation, reply.status]).toEqual([stop.operation, 200]);
      const place = ["paths", stop.path, stop.method.toLowerCase()];
      expect(faults(check(...place, "responses", "200", ...JSON_CONTENT), reply.body)).toEqual([]);
      if (stop.body === undefined) continue;
      expect(faults(check(...place, "requestBody", ...JSON_CONTENT), stop.body)).toEqual([]);
    }
  });

  test("fits a refusal", () => {
    const stop = DOCUMENTED_WALK[0] as Stop;
    const nowhere = { ...stop, parameters: { access_review_template_id: idOf("nowhere") } };
    const reply = visit({ spoken }).ask(stop.method, placeOf(nowhere), stop.body);
    expect(reply.status).toBe(404);
    const status = check("paths", stop.path, "post", "responses", "default", ...JSON_CONTENT);
    expect(faults(status, reply.body)).toEqual([]);
  });

  test("does not fit a reply with a field missing, one too many, or of another type", () => {
    const schema = check("components", "schemas", "c1.api.app.v1.AppEntitlementRef");
    expect(faults(schema, { appId: "a", id: "b" })).toEqual([]);
    for (const wrong of [{ appId: "a" }, { appId: "a", id: "b", more: 1 }, { appId: "a", id: 1 }]) {
      expect(faults(schema, wrong)).not.toEqual([]);
    }
  });
});

const JSON_CONTENT = ["content", "application/json", "schema"];

function faults(validate: ValidateFunction, value: Json): readonly unknown[] {
  validate(value);
  return validate.errors ?? [];
}

describe("the description of the way to a token", () => {
  const check = checker(describeApi("full"));
  const auth = makeAuth({}, "full", () => MORNING);
  const ask = (method: string, path: string, body: Uint8Array) =>
    auth.answer(
      { method, path, query: new URLSearchParams(), body, host: "localhost" },
      "somebody",
    ) as Response;
  const form = (fields: Record<string, string>) => Buffer.from(new URLSearchParams(fields).toString());
  const { id, secret } = DEFAULT_CLIENT;
  const credentials = { grant_type: "client_credentials", client_id: id, client_secret: secret };

  test.each([
    ["post", "/auth/v1/token", form(credentials), "200"],
    ["post", "/auth/v1/token", form({ grant_type: "none" }), "default"],
    ["get", "/api/v1/auth/introspect", form({}), "200"],
  ])("fits what %s %s answers", (method, path, body, outcome) => {
    const reply = ask(method.toUpperCase(), path, body);
    expect(reply.status === 200).toBe(outcome === "200");
    expect(faults(check("paths", path, method, "responses", outcome, ...JSON_CONTENT), reply.body)).toEqual(
      [],
    );
  });
});
