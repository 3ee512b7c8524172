// Writes schemas/*.json from schemas/source/ and schemas/parts.json, and schemas/manifest.json from those of the kinds. With --check, it only says whether they are current.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { loadModule } from "./bundleModule.mjs";
import { published } from "./schemaParts.mjs";

const ROOT = join(import.meta.dirname, "..");
const { values } = parseArgs({
  options: {
    check: { type: "boolean", default: false },
    from: { type: "string", default: join(ROOT, "schemas") },
  },
});
const FOLDER = values.from;

const parts = read("parts.json");
const sources = readdirSync(join(FOLDER, "source")).map((file) => [file, read(join("source", file))]);
const names = sources
  .filter(([, { spec }]) => spec !== undefined)
  .map(([, { title }]) => title)
  .sort();
// A context may set what a project may, but for contexts.
const { $defs, properties } = sources.flat().find(({ title }) => title === "remit.yaml");
for (const name of Object.keys(properties))
  if (name !== "contexts") $defs.context.properties[name] = { $ref: `#/properties/${name}` };
const [{ withMarkers, NAMED_VALUES }, { GUARDS }] = await modules("schema/markers", "words/guard");
parts.$defs.kindName = { enum: names };
parts.$defs.guardName = { enum: Object.keys(GUARDS).map((code) => code.replace("guard/", "")) };
const schemas = sources.map(([file, source]) => [file, published(source, parts)]);
const kinds = names.map((name) => schemas.map(([, schema]) => schema).find(({ title }) => title === name));

for (const [file, text] of laidOut([...schemas, ["manifest.json", withMarkers(manifest())]])) {
  if (!values.check) writeFileSync(join(FOLDER, file), text);
  else if (readFileSync(join(FOLDER, file), "utf8") !== text) {
    console.error(`schemas/${file} does not match its source. Run \`npm run schemas\`.`);
    process.exitCode = 1;
  }
}

function read(file) {
  return JSON.parse(readFileSync(join(FOLDER, file), "utf8"));
}

/** Modules of `src/`, loaded. */
async function modules(...paths) {
  const folder = mkdtempSync(join(ROOT, "node_modules", ".schemas-"));
  try {
    return await Promise.all(paths.map((path) => loadModule(`src/${path}.ts`, folder)));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The schema of a document of any kind: the kind decides which schema its `spec` has. */
function manifest() {
  const [{ $schema, properties, required, $defs }] = kinds;
  const shared = Object.assign({}, ...kinds.map((kind) => kind.$defs));
  const { metadata, spec: _, ...definitions } = shared;
  return {
    $schema,
    title: "remit manifest",
    description: "One document of a remit manifest file, of any kind.",
    type: "object",
    properties: {
      apiVersion: properties.apiVersion,
      kind: { description: properties.kind.description, enum: [...names, "Values"] },
      metadata: properties.metadata,
      spec: { description: "The configuration that the object should have.", type: "object" },
    },
    required: required.filter((name) => name !== "metadata"),
    allOf: [
      ...kinds.map((kind) => ({
        if: { properties: { kind: { const: kind.title } }, required: ["kind"] },
        // biome-ignore lint/suspicious/noThenProperty: `then` is a keyword of JSON Schema
        then: { properties: { spec: { $ref: `#/$defs/${kind.title}` } }, required: ["metadata"] },
      })),
      {
        if: { properties: { kind: { const: "Values" } }, required: ["kind"] },
        // biome-ignore lint/suspicious/noThenProperty: `then` is a keyword of JSON Schema
        then: { properties: { spec: { $ref: "#/$defs/Values" }, forEach: false } },
      },
    ],
    $defs: {
      metadata: $defs.metadata,
      ...definitions,
      ...Object.fromEntries(kinds.map((kind) => [kind.title, kind.$defs.spec])),
      Values: NAMED_VALUES,
    },
    additionalProperties: false,
    examples: kinds.flatMap(({ examples }) => examples),
  };
}

/** Files of JSON as the project's formatter writes them. It is started once: that takes longer than it formats. */
function laidOut(files) {
  const folder = mkdtempSync(join(tmpdir(), "remit-laid-out-"));
  try {
    for (const [file, value] of files) writeFileSync(join(folder, file), JSON.stringify(value, null, 2));
    const biome = join(ROOT, "node_modules", "@biomejs", "biome", "bin", "biome");
    const options = [`--config-path=${ROOT}`, "--vcs-enabled=false", "--files-max-size=10000000"];
    execFileSync(process.execPath, [biome, "format", "--write", ...options, folder], { stdio: "pipe" });
    return files.map(([file]) => [file, readFileSync(join(folder, file), "utf8")]);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
