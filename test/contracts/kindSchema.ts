import { existsSync, readFileSync } from "node:fs";
import type { Kind } from "../../src/kinds/kind.js";
import { isObject, type Json, type JsonObject, same } from "../../src/model/json.js";
import { formatPath, type Path, valueAt } from "../../src/model/path.js";
import { withMarkers } from "../../src/schema/markers.js";

const HINTS = [
  "x-set",
  "x-key",
  "x-ordered",
  "x-alerts",
  "x-belongs-to",
  "x-marker",
  "x-elsewhere",
  "x-open",
  "x-enum",
  "x-unset",
  "x-form",
  "x-free",
  "x-id",
  "x-groups",
  "x-mistakes",
  "x-narrows",
  "x-only-with",
  "x-manifest",
  "x-wider",
  "x-set-by-service",
  "x-environment",
];

/** What a kind's schema lacks for people, editors and the comparison, each as a sentence. */
export function gapsIn(kind: Kind): readonly string[] {
  const { schema } = kind;
  const spec = asObject(valueAt(schema, ["$defs", "spec"]));
  return [...gapsInFiles(kind), ...gapsOf({ ...spec, examples: [] }, ["spec"], schema)];
}

function* gapsInFiles({ name, schema }: Kind): Generator<string> {
  const file = `${name.replace(/(?<=[a-z])(?=[A-Z])/g, "-").toLowerCase()}.json`;
  if (!existsSync(fileOf(file))) yield `schemas/${file} is missing`;
  else if (!same(readSchema(file), schema)) yield `schemas/${file} is not the schema of ${name}`;
  if (!same(valueAt(schema, ["properties", "kind", "const"]), name)) yield `${file}: \`kind\` is not ${name}`;

  const manifest = readSchema("manifest.json");
  const names = valueAt(manifest, ["properties", "kind", "enum"]);
  if (!Array.isArray(names) || !names.includes(name)) yield `manifest.json does not offer the kind ${name}`;
  const dispatch = rule(
    { properties: { kind: { const: name } }, required: ["kind"] },
    { properties: { spec: { $ref: `#/$defs/${name}` } }, required: ["metadata"] },
  );
  const rules = valueAt(manifest, ["allOf"]);
  if (!Array.isArray(rules) || !rules.some((rule) => same(rule, dispatch)))
    yield `manifest.json does not lead from the kind ${name} to #/$defs/${name}`;
  // An editor's schema takes markers in every place.
  for (const definition of Object.keys(asObject(schema.$defs))) {
    const value = valueAt(withMarkers(schema), ["$defs", definition]);
    const there = definition === "spec" ? name : definition;
    if (!same(valueAt(manifest, ["$defs", there]), value))
      yield `manifest.json: #/$defs/${there} is not the #/$defs/${definition} of ${file}`;
  }
}

/** Gaps of one node and those below it; a reference brings the words of where it leads. */
function* gapsOf(node: JsonObject, path: Path, root: JsonObject): Generator<string> {
  const place = formatPath(path);
  const { $ref: reference } = node;
  const whole =
    typeof reference === "string"
      ? { ...asObject(valueAt(root, reference.split("/").slice(1))), ...node }
      : node;
  const { description, examples, properties, items, additionalProperties } = whole;
  if (typeof description !== "string" || !/[.)]$/.test(description)) yield `${place}: no description`;
  const isMarker = whole["x-marker"] === true;
  // An editor offers an example of an empty object as an empty line; it offers `{}` only as a snippet.
  if (isMarker && valueAt(whole.defaultSnippets, [0, "body"]) !== "{}")
    yield `${place}: a marker, and editors do not offer {}`;
  if (!isMarker && typeof path.at(-1) === "string" && !Array.isArray(examples)) yield `${place}: no example`;
  const types = [whole.type].flat();
  const isOrdered = whole["x-ordered"] === true;
  if (types.includes("array") && whole["x-set"] !== true && !Array.isArray(whole["x-key"]) && !isOrdered)
    yield `${place}: a list, and no x-set, x-key or x-ordered`;
  if (properties !== undefined && additionalProperties !== false) yield `${place}: takes unknown fields`;
  if (
    !same(
      whole["x-groups"] === undefined ? undefined : (whole.allOf ?? null),
      rulesOf(whole, `a ${path.at(-1)}`),
    )
  )
    yield `${place}: allOf does not tell editors what x-groups says`;
  if (whole["x-enum"] !== undefined && !same(valueAt(whole.anyOf, [0, "enum"]), whole["x-enum"]))
    yield `${place}: anyOf does not offer what x-enum lists`;
  for (const hint of Object.keys(whole).filter((name) => name.startsWith("x-")))
    if (![...HINTS, "x-identity", "x-create-only", "x-request-only"].includes(hint))
      yield `${place}: nobody reads ${hint}`;

  if (whole["x-id"] === undefined)
    for (const [name, field] of Object.entries(asObject(properties)))
      yield* gapsOf(asObject(field), [...path, name], root);
  if (isObject(items)) yield* gapsOf(items, [...path, 0], root);
  if (isObject(additionalProperties)) yield* gapsOf(additionalProperties, [...path, 0], root);
}

/** The rules that make an editor underline the second of two members of a group, with the command's own words. */
function rulesOf(node: JsonObject, holder: string): Json | undefined {
  if (node["x-groups"] === undefined) return undefined;
  const typeOf = (name: string) => [valueAt(node.properties, [name, "type"]) ?? null].flat()[0] ?? null;
  return Object.entries(asObject(node["x-groups"])).flatMap(([group, names]) => {
    const members = [names].flat().map(String);
    return members.slice(0, -1).map((name, at) => {
      const others = members.slice(at + 1).map((other) => {
        const errorMessage = `${name} and ${other} cannot both be set: ${holder} has ${group.endsWith("s") ? "one of its" : "one"} ${group}`;
        return [other, { type: "null", errorMessage }];
      });
      return rule(
        { required: [name], properties: { [name]: { type: typeOf(name) } } },
        { properties: Object.fromEntries(others) },
      );
    });
  });
}

function rule(condition: Json, consequence: Json): JsonObject {
  // biome-ignore lint/suspicious/noThenProperty: the word is JSON Schema's.
  return { if: condition, then: consequence };
}

function readSchema(file: string): Json {
  return JSON.parse(readFileSync(fileOf(file), "utf8"));
}

function fileOf(file: string): URL {
  return new URL(`../../schemas/${file}`, import.meta.url);
}

function asObject(value: Json | undefined): JsonObject {
  return isObject(value) ? value : {};
}
