import { isObject, type Json, type JsonObject } from "../model/json.js";

/**
 * The schema of a manifest as an author writes one: with `forEach`, and with named values, put-together texts and `with`
 * in every place that may hold them. An editor uses it; remit checks what is left once they were put in.
 */
export function withMarkers(schema: JsonObject): JsonObject {
  const { properties, $defs } = schema;
  const parts = { ...asObject(properties), forEach: { $ref: "#/$defs/forEach" } };
  const definitions = Object.entries(asObject($defs)).map(([name, one]) => [name, marked(one)] as const);
  return { ...schema, properties: parts, $defs: { ...Object.fromEntries(definitions), ...MARKERS } };
}

/** A schema whose members and items may be markers, and that may have `with` beside an expression. */
function marked(schema: Json): Json {
  if (!isObject(schema)) return schema;
  const made: Record<string, Json> = { ...schema };
  if (isObject(schema.properties ?? null)) {
    const entries = Object.entries(asObject(schema.properties));
    const members = entries.map(([name, one]) => [name, orMarker(one)] as const);
    const isExpression = entries.some(([, one]) => isObject(one) && one["x-form"] === "expression");
    made.properties = { ...Object.fromEntries(members), ...(isExpression && { with: ref("with") }) };
  }
  if (isObject(schema.additionalProperties ?? null))
    made.additionalProperties = orMarker(schema.additionalProperties ?? null);
  if (isObject(schema.items ?? null))
    made.items = either("$values", "valuesMarker", orMarker(schema.items ?? null));
  return made;
}

function orMarker(schema: Json): Json {
  const own = marked(schema);
  return either("$value", "valueMarker", takesWords(schema) ? either("$text", "textMarker", own) : own);
}

/** What a marker's own schema checks where the marker stands, and another schema everywhere else. */
function either(member: string, definition: string, otherwise: Json): JsonObject {
  return {
    ...(isObject(otherwise) && offered(otherwise)),
    if: { type: "object", required: [member] },
    // biome-ignore lint/suspicious/noThenProperty: `then` is a keyword of JSON Schema
    then: ref(definition),
    else: otherwise,
  };
}

/**
 * What an editor shows and offers before anything is written: it does not look behind `else`. With an `anyOf`, it writes the
 * colon and a space behind the name of the field.
 */
function offered({ description, defaultSnippets, anyOf }: JsonObject): JsonObject {
  const known = Array.isArray(anyOf) ? anyOf.filter((one) => isObject(one) && "enum" in one) : [];
  return {
    ...(description !== undefined && { description }),
    ...(defaultSnippets !== undefined && { defaultSnippets }),
    ...((known.length > 0 || defaultSnippets === undefined) && { anyOf: [...known, {}] }),
  };
}

/** Whether a field holds words for readers: no id, choice, time or expression. */
function takesWords(schema: Json): boolean {
  if (!isObject(schema) || ["x-id", "x-form", "enum", "const", "anyOf"].some((name) => name in schema))
    return false;
  return [schema.type].flat().includes("string");
}

function ref(definition: string): JsonObject {
  return { $ref: `#/$defs/${definition}` };
}

function asObject(value: Json | undefined): JsonObject {
  return isObject(value ?? null) ? (value as JsonObject) : {};
}

/** What a named value and a row may be called, and a member of one. */
const NAME = "[A-Za-z_][A-Za-z0-9_-]{0,62}";
const NAME_MESSAGE = "Use letters, digits, _ and -, and begin with a letter.";
const reference = {
  type: "string",
  pattern: `^${NAME}(\\..+)?$`,
  patternErrorMessage: "Write NAME or NAME.MEMBER.",
};

const MARKERS: JsonObject = {
  valueMarker: {
    description: "A named value, or a member of the row: `{ $value: NAME.member }`.",
    type: "object",
    properties: { $value: { description: "The name, and a member of it after a dot.", ...reference } },
    required: ["$value"],
    additionalProperties: false,
  },
  valuesMarker: {
    description: "The items of a named list, put into this list: `- { $values: NAME }`.",
    type: "object",
    properties: { $values: { description: "The name of a list.", ...reference } },
    required: ["$values"],
    additionalProperties: false,
  },
  textMarker: {
    description: 'A text with named values in braces: `{ $text: "Members of {d.name}" }`. `{{` is a brace.',
    type: "object",
    properties: { $text: { description: "The text; a name stands in braces.", type: "string" } },
    required: ["$text"],
    additionalProperties: false,
  },
  with: {
    description:
      "Values for names of the expression that stand alone: texts, booleans, whole numbers, or lists of these.",
    type: "object",
    additionalProperties: { type: ["string", "boolean", "integer", "array", "object"] },
  },
  forEach: {
    description: "Makes one object for each row of a list; its address is `Kind/name[id]`.",
    type: "object",
    properties: {
      in: {
        description: "The name of a list, or the rows themselves.",
        type: ["string", "array"],
        items: either("$values", "valuesMarker", {
          description: "A row: its `id`, and what the manifest uses of it.",
          type: "object",
          properties: {
            id: {
              description: "A part of the address; it stays when the row moves.",
              type: "string",
              pattern: "^[a-z0-9-]{1,63}$",
              patternErrorMessage: "Use a-z, 0-9 and -; 63 characters at most.",
            },
          },
          required: ["id"],
        }),
      },
      as: {
        description: "What a row is called in this manifest: `{ $value: d.name }`.",
        type: "string",
        pattern: `^${NAME}$`,
        patternErrorMessage: NAME_MESSAGE,
      },
      mayBeEmpty: {
        description: "Whether the list may have no rows. All objects of the shape are then removed.",
        type: "boolean",
      },
    },
    required: ["in", "as"],
    additionalProperties: false,
  },
};

/** The spec of a document with named values. */
export const NAMED_VALUES: JsonObject = {
  description: "Data that manifests use by its name: `{ $value: NAME }`.",
  type: "object",
  patternProperties: { [`^${NAME}$`]: true },
  additionalProperties: false,
};
