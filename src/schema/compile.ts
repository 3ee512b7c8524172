import { Ajv2020, type ErrorObject, type ValidateFunction } from "ajv/dist/2020.js";
import type { Json, JsonObject } from "../model/json.js";
import { canonicalDuration } from "./duration.js";
import { problemsOf } from "./problems.js";
import type { Check } from "./shape.js";
import { canonicalTimestamp } from "./timestamp.js";

/** Makes the check of a schema; the work of compiling it is done when it is first used. */
export function compile(schema: object): Check {
  let validate: ValidateFunction | undefined;
  return (value: Json) => {
    validate ??= validator().compile(schema);
    return validate(value) ? [] : problemsOf((validate.errors ?? []) as readonly ErrorObject[], value);
  };
}

const FORMS: Readonly<Record<string, (text: string) => string | undefined>> = {
  duration: canonicalDuration,
  timestamp: canonicalTimestamp,
};

/** A validator that reads our hints; those that only tell how to compare are passed over. */
function validator(): Ajv2020 {
  const ajv = new Ajv2020({
    allErrors: true,
    strict: true,
    strictRequired: false,
    allowUnionTypes: true,
    verbose: true,
  });
  for (const hint of [
    "x-set",
    "x-key",
    "x-marker",
    "x-unset",
    "x-id",
    "x-identity",
    "x-create-only",
    "errorMessage",
  ])
    ajv.addKeyword(hint);
  ajv.addKeyword({
    keyword: "x-enum",
    type: "string",
    schemaType: "array",
    validate: (known: readonly string[], text: string) => known.includes(text),
    errors: false,
  });
  ajv.addKeyword({
    keyword: "x-form",
    type: "string",
    schemaType: "string",
    validate: (form: string, text: string) =>
      text === "" || FORMS[form] === undefined || FORMS[form](text) !== undefined,
    errors: false,
  });
  ajv.addKeyword({
    keyword: "x-groups",
    type: "object",
    schemaType: "object",
    validate: (groups: Readonly<Record<string, readonly string[]>>, value: JsonObject) =>
      Object.values(groups).every((members) => members.filter((name) => isSet(value, name)).length <= 1),
    errors: false,
  });
  return ajv;
}

function isSet(value: JsonObject, name: string): boolean {
  return Object.hasOwn(value, name) && value[name] !== null;
}
