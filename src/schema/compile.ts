import type { Ajv2020, ValidateFunction } from "ajv/dist/2020.js";
import type { JsonObject } from "../model/json.js";
import { condense } from "./condense.js";
import { diagnosticsOf } from "./diagnose.js";
import type { Check } from "./shape.js";
import { makeValidator } from "./validator.js";

/** Where the build puts what it compiled a schema to. */
const CHECK = Symbol.for("remit.check");

interface Schema {
  readonly [CHECK]?: ValidateFunction;
}

/**
 * Makes the check of what a schema describes, called `root` in messages. The build has compiled it; in the sources it is
 * compiled when it is first used.
 */
export function compile(schema: object, root = "the document"): Check {
  let validate = (schema as Schema)[CHECK];
  return (value) => {
    validate ??= validator().compile(condense(schema as JsonObject));
    return validate(value) ? [] : diagnosticsOf(validate.errors ?? [], value, root);
  };
}

let shared: Ajv2020 | undefined;

function validator(): Ajv2020 {
  shared ??= makeValidator({ optimize: false });
  return shared;
}
