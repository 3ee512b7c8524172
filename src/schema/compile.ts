import type { ValidateFunction } from "ajv/dist/2020.js";
import { isObject, type Json, type JsonObject } from "../model/json.js";
import { once } from "../model/once.js";
import { diagnosticsOf } from "./diagnose.js";
import type { Check } from "./shape.js";
import { makeValidator } from "./validator.js";

/** Where the build puts what it compiled a schema to. */
const CHECK = Symbol.for("remit.check");

interface Schema {
  readonly [CHECK]?: ValidateFunction;
}

const HINTS: ReadonlyMap<string, string> = new Map([
  ["allOf", "x-groups"],
  ["anyOf", "x-enum"],
  ["pattern", "x-form"],
]);

/** What only readers see. A field may have such a name, too; what stands there is then a schema. */
const TEXTS: ReadonlySet<string> = new Set(["$comment", "description", "title"]);

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

const validator = once(() => makeValidator({ optimize: false }));

/**
 * A schema without what is for editors alone: its texts, and its repetitions for those that do not know the hints. These
 * are the rules of a group in `x-groups`, the values in `x-enum` and the pattern of an `x-form`.
 */
export function condense(schema: JsonObject): JsonObject {
  const isTwice = (name: string) => {
    const hint = HINTS.get(name);
    return hint !== undefined && schema[hint] !== undefined;
  };
  const isText = (name: string, value: Json) => TEXTS.has(name) && typeof value === "string";
  return Object.fromEntries(
    Object.entries(schema).flatMap(([name, value]) =>
      isTwice(name) || isText(name, value) ? [] : [[name, condensed(value)]],
    ),
  );
}

function condensed(value: Json): Json {
  if (Array.isArray(value)) return value.map(condensed);
  return isObject(value) ? condense(value) : value;
}
