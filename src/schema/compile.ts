import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import type { JsonObject } from "../model/json.js";
import { condense } from "./condense.js";
import { diagnosticsOf } from "./diagnose.js";
import { canonicalDuration } from "./duration.js";
import { areChosenOnce } from "./groups.js";
import type { Check } from "./shape.js";
import { canonicalTimestamp } from "./timestamp.js";

/** Makes the check of what a schema describes, called `root` in messages; it is compiled when it is first used. */
export function compile(schema: object, root = "the document"): Check {
  let validate: ValidateFunction | undefined;
  return (value) => {
    validate ??= validator().compile(condense(schema as JsonObject));
    return validate(value) ? [] : diagnosticsOf(validate.errors ?? [], value, root);
  };
}

let shared: Ajv2020 | undefined;

function validator(): Ajv2020 {
  shared ??= makeValidator();
  return shared;
}

/** Comparison hints and texts for editors; they are not rules. */
const ANNOTATIONS = [
  "x-set",
  "x-free",
  "x-key",
  "x-marker",
  "x-elsewhere",
  "x-open",
  "x-unset",
  "x-id",
  "x-identity",
  "x-create-only",
  "x-narrows",
  "x-request-only",
  "x-set-by-service",
];
const WORDS = ["errorMessage", "patternErrorMessage", "enumDescriptions", "defaultSnippets"];

const FORMS: Readonly<Record<string, (text: string) => string | undefined>> = {
  duration: canonicalDuration,
  timestamp: canonicalTimestamp,
};

/** A validator that treats some hints as rules: known values, the form of a text, one of a group. */
function makeValidator(): Ajv2020 {
  const ajv = new Ajv2020({
    allErrors: true,
    verbose: true,
    strictRequired: false,
    allowUnionTypes: true,
    // The tests check that the schemas are valid in their dialect.
    validateSchema: false,
    // Most runs check few manifests: what is compiled sooner is worth more than what runs a little faster.
    inlineRefs: false,
    code: { optimize: false },
  });
  ajv.addVocabulary([...ANNOTATIONS, ...WORDS]);
  ajv.addKeyword({
    keyword: "x-enum",
    type: "string",
    compile: (known: readonly string[]) => {
      const values = new Set(["", ...known]);
      return (text: string) => values.has(text);
    },
    errors: false,
  });
  ajv.addKeyword({
    keyword: "x-form",
    type: "string",
    compile: (form: string) => {
      const spell = FORMS[form] ?? ((text) => text);
      return (text: string) => text === "" || spell(text) !== undefined;
    },
    errors: false,
  });
  ajv.addKeyword({ keyword: "x-groups", type: "object", compile: areChosenOnce, errors: false });
  return ajv;
}
