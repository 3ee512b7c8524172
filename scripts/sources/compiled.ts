import standalone from "ajv/dist/standalone/index.js";
import type { JsonObject } from "../../src/model/json.js";
import { condense } from "../../src/schema/compile.js";
import { makeValidator } from "../../src/schema/validator.js";

/** What checks a schema, as the code of a module; it finds the hints as `HINTS`. */
export function codeFor(schema: JsonObject): string {
  const ajv = makeValidator({ source: true, esm: true });
  return standalone.default(ajv, ajv.compile(condense(schema)));
}
