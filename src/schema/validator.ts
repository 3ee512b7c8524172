import { _, Ajv2020, type KeywordCxt, type Options, stringify } from "ajv/dist/2020.js";
import { HINTS } from "./hints.js";

/** Comparison hints and texts for editors; they are not rules. */
const ANNOTATIONS = [
  "x-set",
  "x-free",
  "x-key",
  "x-ordered",
  "x-alerts",
  "x-belongs-to",
  "x-marker",
  "x-elsewhere",
  "x-open",
  "x-unset",
  "x-id",
  "x-identity",
  "x-create-only",
  "x-narrows",
  "x-only-with",
  "x-manifest",
  "x-wider",
  "x-request-only",
  "x-set-by-service",
  "x-environment",
];
const WORDS = ["errorMessage", "patternErrorMessage", "enumDescriptions", "defaultSnippets"];

/**
 * Makes a validator that treats some hints as rules: known values, the form of a text, one of a group, mistakes with a
 * sentence of their own. Code that it
 * writes for later finds the hints as `HINTS`.
 */
export function makeValidator(code: NonNullable<Options["code"]>): Ajv2020 {
  const ajv = new Ajv2020({
    allErrors: true,
    verbose: true,
    // remit has its own words.
    messages: false,
    strictRequired: false,
    allowUnionTypes: true,
    // The tests check that the schemas are valid in their dialect.
    validateSchema: false,
    // Most runs check few manifests: what is compiled sooner is worth more than what runs a little faster.
    inlineRefs: false,
    code,
  });
  ajv.addVocabulary([...ANNOTATIONS, ...WORDS]);
  for (const [keyword, { type, test }] of Object.entries(HINTS))
    ajv.addKeyword({
      keyword,
      type,
      code(context: KeywordCxt) {
        const said: never = context.schema as never;
        const written = _`HINTS[${keyword}].test(${stringify(said)})`;
        const name = context.gen.scopeValue("keyword", { ref: test(said), code: written });
        context.fail(_`!${name}(${context.data})`);
      },
    });
  return ajv;
}
