// Makes a published schema of its source: with the shared parts that it refers to, and with what its hints mean to an editor.

const PARTS = "parts.json#/$defs/";
/** How a part refers to another one. */
const OWN = "#/$defs/";
/** Members of a schema that hold values and no schemas. */
const VALUES = ["const", "default", "enum", "examples"];

/** The schema that a source stands for. A source with a `spec` is that of a kind, and has what every manifest has. */
export function published(source, { $schema, $defs: parts }) {
  const context = { used: new Set(), parts, prefix: PARTS };
  const schema = expanded(source.spec === undefined ? source : manifestOf(source), "", context);
  const shared = {};
  // A part may refer to others, which the loop then meets.
  for (const name of context.used) shared[name] = expanded(parts[name], name, { ...context, prefix: OWN });
  const $defs = { ...shared, ...schema.$defs };
  return { $schema, ...schema, ...(Object.keys($defs).length > 0 && { $defs }) };
}

/** What every manifest has, around the spec of a kind. */
function manifestOf({ title, description, examples, spec, $defs }) {
  return {
    title,
    description,
    type: "object",
    properties: {
      apiVersion: { description: "The version of the manifest format.", const: "remit/v1" },
      kind: { description: "What the manifest describes.", const: title },
      metadata: { $ref: `${PARTS}metadata` },
      spec: { $ref: "#/$defs/spec" },
    },
    required: ["apiVersion", "kind", "metadata", "spec"],
    additionalProperties: false,
    examples,
    $defs: { spec, ...$defs },
  };
}

/** A node and those below it. A part stands in the schema's own definitions where its reference stands alone, else in its place. */
function expanded(node, name, context) {
  if (Array.isArray(node)) return node.map((item) => expanded(item, name, context));
  if (typeof node !== "object" || node === null) return node;
  const { $ref: reference, ...rest } = node;
  if (!reference?.startsWith(context.prefix)) return withHints(below(node, name, context), name);
  const part = reference.slice(context.prefix.length);
  const found = context.parts[part];
  if (found === undefined) throw new Error(`schemas/parts.json has no ${part}`);
  if (Object.keys(rest).length > 0)
    return merged(expanded(found, name, { ...context, prefix: OWN }), below(rest, name, context));
  context.used.add(part);
  return { $ref: `#/$defs/${part}` };
}

function below(node, name, context) {
  return Object.fromEntries(
    Object.entries(node).map(([key, value]) => {
      if (VALUES.includes(key) || key.startsWith("x-")) return [key, value];
      const isNamed = key === "properties" || key === "$defs";
      if (!isNamed) return [key, expanded(value, key === "items" ? 0 : name, context)];
      return [
        key,
        Object.fromEntries(Object.entries(value).map(([of, one]) => [of, expanded(one, of, context)])),
      ];
    }),
  );
}

/** A part with what a node says beside it. An id that a manifest may stand for takes the name of one, too. */
function merged({ description: own, ...part }, { description = own, ...rest }) {
  const kind = rest["x-manifest"] ?? part["x-manifest"];
  const manifest = {
    description: `The name of a manifest of the kind ${kind} in this project; the plan may create its object.`,
    type: "string",
    minLength: 1,
  };
  const properties = kind === undefined ? {} : { properties: { ...part.properties, manifest } };
  return { ...(description && { description }), ...part, ...properties, ...rest };
}

/** A node with what its hints mean to an editor. */
function withHints(node, name) {
  const { "x-enum": known, "x-marker": marker, "x-groups": groups, enumDescriptions, ...rest } = node;
  if (known !== undefined) {
    const offered = { enum: known, ...(enumDescriptions && { enumDescriptions }) };
    return { ...rest, "x-enum": known, anyOf: [offered, { type: node.type }] };
  }
  if (marker === true)
    return {
      type: "object",
      additionalProperties: false,
      ...node,
      defaultSnippets: [{ label: "{}", body: "{}" }],
    };
  return groups === undefined ? node : { ...node, allOf: rulesOf(node, groups, `a ${name}`) };
}

/** The rules that make an editor underline the second of two members of a group, in the command's own words. */
function rulesOf({ properties }, groups, holder) {
  return Object.entries(groups).flatMap(([group, members]) => {
    const one = group.endsWith("s") ? "one of its" : "one";
    return members.slice(0, -1).map((name, at) => {
      const others = members.slice(at + 1).map((other) => {
        const errorMessage = `${name} and ${other} cannot both be set: ${holder} has ${one} ${group}`;
        return [other, { type: "null", errorMessage }];
      });
      const [type] = [properties[name].type].flat();
      return {
        if: { required: [name], properties: { [name]: { type } } },
        // biome-ignore lint/suspicious/noThenProperty: `then` is a keyword of JSON Schema
        then: { properties: Object.fromEntries(others) },
      };
    });
  });
}
