import type { ErrorObject } from "ajv/dist/2020.js";
import { isObject, type Json, type JsonObject } from "../model/json.js";
import type { Path } from "../model/path.js";
import { didYouMean } from "./didYouMean.js";
import { type Groups, groupProblems } from "./groups.js";
import type { Problem } from "./shape.js";

/** What a validator found, in our own words; each fault once, whatever number of rules it breaks. */
export function problemsOf(errors: readonly ErrorObject[], value: Json): readonly Problem[] {
  const problems = errors.flatMap((error) => problemsIn(error, pathOf(error.instancePath, value)));
  const seen = new Set<string>();
  return problems.filter(({ code, path, on, message }) => {
    const fault = JSON.stringify([code, path, on, message]);
    if (seen.has(fault)) return false;
    seen.add(fault);
    return true;
  });
}

function problemsIn(error: ErrorObject, path: Path): readonly Problem[] {
  const parent = (error.parentSchema ?? {}) as JsonObject;
  switch (error.keyword) {
    case "additionalProperties":
      return [unknownField(String(error.params.additionalProperty), path, parent)];
    case "required":
      return isAlternative(error) ? [] : [missingField(String(error.params.missingProperty), path, parent)];
    case "type":
      return isAlternative(error) ? [] : [wrongType(error, path)];
    case "x-enum":
      return [unknownValue(String(error.data), error.schema as readonly string[], path)];
    case "enum":
      return isAlternative(error)
        ? []
        : [
            {
              ...unknownValue(String(error.data), error.schema as readonly string[], path),
              severity: "error",
            },
          ];
    case "const":
      return [
        {
          code: "schema/value",
          severity: "error",
          path,
          on: "value",
          message: `${lastOf(path)} is ${shown(error.data as Json)}, and must be ${shown(error.schema as Json)}`,
          hint: `Write ${shown(error.schema as Json)}.`,
        },
      ];
    case "x-form":
      return [wrongForm(String(error.schema), String(error.data), path)];
    case "x-groups":
      return groupProblems(error.schema as Groups, error.data as JsonObject, path);
    case "maxItems":
      return [
        {
          code: "schema/too-many",
          severity: "error",
          path,
          on: "value",
          message: `${lastOf(path)} has ${(error.data as readonly Json[]).length} items; at most ${error.schema} are allowed`,
          hint: "Leave some out, or choose by another criterion.",
        },
      ];
    case "anyOf":
      return Array.isArray(parent["x-enum"]) ? [] : [noAlternative(error, path)];
    // The pairs of a one-of group, written out for editors; `x-groups` has told of them.
    case "not":
    // What stands behind it has been told by the rule inside.
    case "if":
    case "oneOf":
      return [];
    default:
      return [bound(error, path)];
  }
}

function unknownField(name: string, path: Path, parent: JsonObject): Problem {
  const known = isObject(parent.properties) ? Object.keys(parent.properties) : [];
  const where = path.length === 0 ? "the manifest" : lastOf(path);
  const message =
    parent["x-marker"] === true
      ? `${name} is not known here: ${where} is an empty object, and its presence is the choice`
      : `${name} is no field of ${where}`;
  const hint =
    parent["x-marker"] === true ? `Write \`${where}: {}\`.` : (didYouMean(name, known) ?? fieldsOf(known));
  return {
    code: "schema/unknown-field",
    severity: "error",
    path: [...path, name],
    on: "name",
    message,
    hint,
  };
}

function fieldsOf(known: readonly string[]): string {
  return known.length === 0 ? "Remove it." : `The fields are ${known.join(", ")}.`;
}

function missingField(name: string, path: Path, parent: JsonObject): Problem {
  const field = isObject(parent.properties) ? parent.properties[name] : undefined;
  const [example] = isObject(field) && Array.isArray(field.examples) ? field.examples : [];
  const where = path.length === 0 ? "the manifest" : lastOf(path);
  return {
    code: "schema/required",
    severity: "error",
    path,
    on: "name",
    message: `${where} has no ${name}`,
    hint:
      example === undefined || isObject(example)
        ? `Add \`${name}:\`.`
        : `Add it, for instance \`${name}: ${example}\`.`,
  };
}

const NOUNS: Readonly<Record<string, string>> = {
  string: "a text",
  object: "an object",
  array: "a list",
  boolean: "true or false",
  integer: "a whole number",
  number: "a number",
  null: "null",
};

function wrongType(error: ErrorObject, path: Path): Problem {
  const types: readonly string[] = Array.isArray(error.schema) ? error.schema : [String(error.schema)];
  const wanted = types
    .filter((type) => type !== "null" || types.length === 1)
    .map((type) => NOUNS[type] ?? type);
  const value = error.data as Json;
  const isPlain = typeof value === "number" || typeof value === "boolean";
  return {
    code: "schema/type",
    severity: "error",
    path,
    on: "value",
    message: `${lastOf(path)} must be ${wanted.join(" or ")}, and is ${described(value)}`,
    hint:
      isPlain && types.includes("string")
        ? `Quote it, so that it is a text: \`"${value}"\`.`
        : `Write ${wanted.join(" or ")}.`,
  };
}

function described(value: Json): string {
  if (value === null) return "empty";
  if (Array.isArray(value)) return "a list";
  if (isObject(value)) return "an object";
  return typeof value === "string"
    ? "a text"
    : typeof value === "boolean"
      ? `${value}`
      : `the number ${value}`;
}

function unknownValue(text: string, known: readonly string[], path: Path): Problem {
  return {
    code: "schema/enum",
    severity: "warning",
    path,
    on: "value",
    message: `${shown(text)} is no known value of ${lastOf(path)}`,
    hint: didYouMean(text, known) ?? `Known are ${known.join(", ")}.`,
  };
}

function wrongForm(form: string, text: string, path: Path): Problem {
  const hints: Readonly<Record<string, string>> = {
    duration: "Write days, hours, minutes and seconds, as in 90d or 12h30m; P90D and 7776000s are read, too.",
    timestamp: "Write a date and a time with their offset, as in 2026-01-31T00:00:00Z.",
  };
  const noun = form === "timestamp" ? "date-time" : form;
  return {
    code: "schema/format",
    severity: "error",
    path,
    on: "value",
    message: `${shown(text)} is no ${noun}`,
    hint: hints[form] ?? `Write a ${noun}.`,
  };
}

function noAlternative(error: ErrorObject, path: Path): Problem {
  const choices = (error.schema as readonly JsonObject[]).map(({ required }) =>
    Array.isArray(required) ? required.join(" and ") : "another form",
  );
  return {
    code: "schema/required",
    severity: "error",
    path,
    on: "name",
    message: `${lastOf(path)} needs ${choices.join(", or ")}`,
    hint: "Add what is missing.",
  };
}

function bound(error: ErrorObject, path: Path): Problem {
  return {
    code: "schema/value",
    severity: "error",
    path,
    on: "value",
    message: `${lastOf(path)} ${boundWords(error)}`,
    hint: "Write another value.",
  };
}

function boundWords({ keyword, schema, data }: ErrorObject): string {
  switch (keyword) {
    case "minLength":
      return "is empty";
    case "minProperties":
      return `names nothing to look for; write one of ${"name, alias or slug"}`;
    case "maxProperties":
      return "looks for several things at once; one is enough";
    case "minItems":
      return "is an empty list";
    case "minimum":
      return `is ${data}; the least is ${schema}`;
    case "maximum":
      return `is ${data}; the most is ${schema}`;
    case "pattern":
      return `is ${shown(data as Json)}, which is not of the form it must have`;
    default:
      return `is not as it must be (${keyword})`;
  }
}

// Inside an `anyOf`, a rule that is not met says only that this alternative is not the one.
function isAlternative(error: ErrorObject): boolean {
  return /\/(anyOf|not|if)(\/|$)/.test(error.schemaPath);
}

function pathOf(pointer: string, value: Json): Path {
  let here: Json | undefined = value;
  return pointer
    .split("/")
    .slice(1)
    .map((part) => {
      const name = part.replaceAll("~1", "/").replaceAll("~0", "~");
      const isPlace = Array.isArray(here);
      here = isPlace ? (here as readonly Json[])[Number(name)] : isObject(here) ? here[name] : undefined;
      return isPlace ? Number(name) : name;
    });
}

function lastOf(path: Path): string {
  const last = path.at(-1);
  if (typeof last === "number") return `item ${last + 1} of ${lastOf(path.slice(0, -1))}`;
  return last ?? "the manifest";
}

function shown(value: Json): string {
  return typeof value === "string" ? `"${value}"` : JSON.stringify(value);
}
