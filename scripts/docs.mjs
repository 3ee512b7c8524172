// Writes the pages that are made from sources: manifests and kinds from the schemas, diagnostics from src/words/, commands from --help; with --check, says whether they are current and changes nothing.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { loadModule } from "./bundleModule.mjs";
import { commandsText } from "./commandsDocs.mjs";
import { diagnosticsText } from "./diagnosticsDocs.mjs";
import { expressionsText } from "./expressionsDocs.mjs";
import { argumentsText, kindsIndex, kindText } from "./kindsDocs.mjs";

const ROOT = join(import.meta.dirname, "..");
const KINDS = read("manifest").properties.kind.enum.filter((kind) => kind !== "Values");
// Packages that a bundle imports are found from below node_modules.
const folder = mkdtempSync(join(ROOT, "node_modules", ".docs-"));
const { SECTIONS } = await loadModule("src/words/sections.ts", folder);
const { kinds } = await loadModule("src/kinds/index.ts", folder);
const expressions = await loadModule("src/manifest/environments.ts", folder);
const { fileNameOf } = await loadModule("src/kinds/spelling.ts", folder);
const commands = await commandsText(folder);
rmSync(folder, { recursive: true });

const FILES = {
  "docs/manifests.md": intro(),
  "docs/kinds/README.md": kindsIndex(
    KINDS.map((name) => of(name)),
    table,
  ),
  ...Object.fromEntries(KINDS.map((name) => [`docs/kinds/${fileNameOf(name)}.md`, kind(of(name))])),
  "docs/expressions.md": expressionsText(expressions, table),
  "docs/settings.md": project(read("config")),
  "docs/terraform.md": argumentsText(
    textOf(join(ROOT, "docs/terraform.md")) ?? "",
    kinds,
    table,
    JSON.parse(readFileSync(join(ROOT, "test/docs/terraform.json"), "utf8")),
  ),
  "docs/commands.md": commands,
  "docs/diagnostics.md": diagnosticsText(SECTIONS, table),
};

mkdirSync(join(ROOT, "docs/kinds"), { recursive: true });
for (const [name, text] of Object.entries(FILES)) {
  const file = join(ROOT, name);
  if (!process.argv.includes("--check")) writeFileSync(file, text);
  else if (textOf(file) !== text) {
    console.error(`${name} is not current: run \`npm run docs\``);
    process.exitCode = 1;
  }
}

/** The text of a file; undefined for one that is not there. */
function textOf(file) {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
}

/** A kind, its schema and the name of its page. */
function of(name) {
  return {
    kind: kinds.find((one) => one.name === name),
    schema: read(fileNameOf(name)),
    page: fileNameOf(name),
  };
}

function intro() {
  const { metadata } = read("template-scope").$defs;
  return `<!-- Written by \`npm run docs\` from the files in schemas/. -->

# Manifests

A manifest is one YAML or JSON document; a file may hold several, and their order never matters. Field names below \`spec\` are the
service's own.

\`\`\`yaml
apiVersion: remit/v1
kind: ${KINDS[0]} # or ${KINDS.slice(1).join(", ")}
metadata:
  name: q4-privileged-access
spec: {} # the fields of the kind
\`\`\`

- **A field that is written is yours, whole**: what is absent inside it is unset. \`null\`, \`[]\` and \`""\` clear it. A field that is not
  written is the tenant's: never compared, never sent.
- **A marker** (\`{}\`) is a value: that it is there is the choice.
- **An id** may be written as an object that finds exactly one thing: \`{ name: GitHub }\`, \`{ alias: github-admin }\`, or \`{ email: ana@example.com }\`
  for a user. So one manifest serves two tenants. The page of each kind says which fields take which. None found, or several, is an error that lists
  the candidates. A list that cannot be read ends the run and never means "not found". The name of a template is found only among
  those that started a campaign: the service has no list of templates. A policy is found among all, also those that belong to one app. The state remembers what a name meant at the last apply. If several things have the name now, and that one is among them, remit uses
  it with a warning. If the name means only another one, the plan shows it, and the guard \`reference-moved\` asks.
  Where a list has more than a page, remit checks the remembered object by its id in place of reading the list. While it has the name, remit does not look for others.
- **A duration** is written \`90d\`, \`12h30m\`, \`P90D\` or \`7776000s\`; **a date-time** with any offset: \`2026-01-31T09:00:00-05:00\`.
- **A set** is compared without regard to order; **a list by** some of its fields matches its items by those.
- A listed value that is not among the known ones is a warning: the service may know more than remit.

In an editor, the first line \`# yaml-language-server: $schema=…\` gives completion and checks; \`remit init\` writes it and the schemas.

## Which object a manifest means

The ids of a manifest (\`templateId\`, \`appId\` and \`appEntitlementId\`, \`appId\` and \`id\`) are its key: they say which object it means.

- **The same key under another \`metadata.name\`** is a rename. Nothing changes in the tenant. So is the same parent and \`displayName\` where only the state knows
  the id. If the \`displayName\` is edited, too, write [\`moved:\`](values.md#rename): \`--prune\` neither deletes the one nor creates the other until you do, or until
  \`removed:\` decides.
- **Another key under the same \`metadata.name\`** is a replacement: an edited id, or a name that now leads to another object. The step
  \`replace\` creates, updates or adopts the new object and never deletes anything. The old object gets a step of its own, written
  \`Kind/name@APP/ID\`. It stays in the tenant and in the state until you decide: \`removed:\` in \`remit.yaml\` with its \`key\`, \`--prune\`, or
  \`remit state forget Kind/name@APP/ID\`. \`--prune\` deletes it only once the new object has taken its place. Its protection stays in force.
- **A resource type without an \`id\`** is found by its \`displayName\` in its app, and the state remembers which one it is: an edited \`displayName\`
  renames it. Without a state, remit cannot tell a renamed type from a new one. If the app has a type that no manifest stands for, the plan
  asks for the \`id\`, or for \`--acknowledge unknown-current=ADDRESS\` where the type is new.
- **The old key again** makes remit manage the old object again; the other one is then removed.

## When a manifest leaves the project

Its object is _removed_: it stays in the state and active in the tenant, and every plan lists it, with the file of its last manifest, until
someone decides.

| to                        | do                                                                                                 |
| ------------------------- | -------------------------------------------------------------------------------------------------- |
| delete it                 | \`removed: [{ address: Kind/name, then: delete }]\` in \`remit.yaml\`                                  |
| leave it in the tenant    | the same with \`then: forget\`, or \`remit state forget Kind/name\` (a pattern such as \`'Kind/old-*'\`) |
| delete everything removed | \`--prune\`, or \`prune: true\` in \`remit.yaml\`                                                        |
| manage it again           | put the manifest back, under any name                                                              |

A resource takes its entitlements with it, an entitlement its automation, and each of them its grants. \`--prune\` keeps such an object:
it needs an entry under \`removed:\`, and so does each object of the state under it. The plan counts what goes, as in
\`deleted with it: 1 entitlement, 1 automation and 12 grants of 12 people\`. Where it cannot count, the guard \`deletes-unknown\` trips. While
a manifest still names the object, the delete is blocked, and the plan shows both lines.

Someone may have changed a removed object in the tenant, or made it anew, since the last apply. The plan that deletes it shows these changes,
and trips the guard \`deletes-changed\`, whatever decided the delete. Nothing is applied until the guard is acknowledged.
An object that was made anew with the same values has another \`createdAt\`. Where the service shows no \`createdAt\`, or keeps the old one,
remit cannot tell it from the object of the last apply.

A protected object (\`remit/protect: "true"\`) stays protected without its manifest: it is deleted or forgotten only with an acknowledgement.
A manifest that becomes ignored, or whose folder leaves \`manifests:\`, leaves the project, too. A path of \`manifests:\` that is missing, or
that contains no manifest, is an error, and nothing counts as removed.

**Only what remit understands is removed.** A file that became a pointer of git-LFS, was cut or encrypted, or had manifests and has none now
although it exists, may still hold them. remit warns with \`manifest/not-understood\`, nothing counts as removed in that run, and \`--prune\` is
refused. Restore the file, delete it, or name it in \`.remitignore\`. Fewer documents in a file that remit understands are removed manifests.

**Without a state**, remit cannot know what was removed, and refuses \`--prune\`. \`--since REF\` tells it: remit reads the project as it was at
the merge base of REF and HEAD. It deletes such an object only while the tenant has everything that its manifest wrote. Otherwise the step
is blocked and names the fields that differ.

**A revert is not a rollback.** A field that a manifest no longer writes, and an object whose manifest is gone, stay in the tenant as they
are. The plan then says "This change undoes nothing in the tenant". The state remembers what was there before remit first managed a field,
and the plan prints it as the lines to write:

\`\`\`text
    no longer managed, stays as it is in the tenant: displayName
    to restore it, write:
      displayName: Old
\`\`\`

## Kinds

${KINDS.map((name) => `[${name}](kinds/${fileNameOf(name)}.md)`).join(" · ")}. [The table of all kinds](kinds/README.md) says who may write each. Settings are in
[settings.md](settings.md), and what expressions know in [expressions.md](expressions.md).

## metadata

${table(rows(metadata, metadata))}
`;
}

function kind(one) {
  const { schema } = one;
  const { spec } = schema.$defs;
  return kindText(one, [table(rows(spec, schema)), either(spec), groups(spec, schema)]);
}

function project(schema) {
  return `<!-- Written by \`npm run docs\` from schemas/config.json. -->\n\n# remit.yaml\n\n${schema.description}\n\n${table(rows(schema, schema))}\n`;
}

/** One row for each field below a node, however deep. */
function rows(node, root, path = "") {
  return Object.entries(node.properties ?? {}).flatMap(([name, property]) => {
    const field = follow(property, root);
    const here = path === "" ? name : `${path}.${name}`;
    const isRequired = (node.required ?? []).includes(name);
    const row = [
      `\`${here}\``,
      takes(field, root),
      `${field.description}${isRequired ? " **Required.**" : ""}`,
    ];
    // A context has the fields of the table that it stands in.
    return [row, ...(here === "contexts" ? [] : below(field, root, here))];
  });
}

function below(field, root, here) {
  if (field["x-id"] !== undefined || field["x-marker"] === true) return [];
  if (field.items !== undefined) {
    const item = follow(field.items, root);
    return item["x-id"] === undefined ? rows(item, root, `${here}[]`) : [];
  }
  const value = field.additionalProperties;
  if (typeof value === "object") return rows(follow(value, root), root, `${here}.NAME`);
  return rows(field, root, here);
}

function takes(field, root) {
  const { "x-id": id, "x-enum": known, "x-form": form, "x-key": key } = field;
  if (id !== undefined) return idTakes(field);
  if (field["x-marker"] === true) return "`{}`";
  const values = known ?? field.enum;
  if (values !== undefined) return values.map((value) => `\`${value}\``).join(", ");
  if (form === "expression") return "a CEL expression";
  if (form === "duration") return "a duration";
  if (form === "timestamp") return "a date-time";
  if (field.items !== undefined) {
    const item = takes(follow(field.items, root), root);
    if (field["x-set"] === true) return `a set of: ${item}`;
    return key === undefined ? `a list of: ${item}` : `a list by \`${key.join("`, `")}\``;
  }
  const types = [field.type].flat();
  if (types.includes("boolean")) return "`true`, `false`";
  if (types.includes("integer")) return "a whole number";
  if (types.includes("number")) return "a number";
  if (typeof field.additionalProperties === "object")
    return `${takes(follow(field.additionalProperties, root), root).replace(/^an? /, "")}s by name`;
  return types.includes("object") ? "an object" : "a text";
}

function idTakes(field) {
  const found = Object.keys(field.properties ?? {}).map((name) => `\`{ ${name} }\``);
  return ["an id", ...found].join(", ");
}

/** The fields of which one must be there. */
function either({ anyOf = [] }) {
  const names = anyOf.map(({ required }) => `\`${required.join("`, `")}\``);
  return names.length === 0 ? "" : `One of ${names.join(", ")} is required.`;
}

/** The fields of which at most one may be set. */
function groups(spec, root) {
  const lines = groupLines(spec, root, "spec");
  return lines.length === 0 ? "" : `At most one of each line may be set:\n\n${lines.join("\n")}`;
}

function groupLines(node, root, path) {
  const own = Object.values(node["x-groups"] ?? {})
    .filter((members) => members.length > 1)
    .map((members) => `- \`${path}\`: ${members.map((name) => `\`${name}\``).join(", ")}`);
  const inner = Object.entries(node.properties ?? {}).flatMap(([name, property]) =>
    groupLines(follow(property, root), root, `${path}.${name}`),
  );
  return [...own, ...inner];
}

function follow(node, root) {
  const { $ref: reference, ...rest } = node;
  if (reference === undefined) return node;
  const target = reference
    .replace("#/", "")
    .split("/")
    .reduce((part, name) => part[name], root);
  return { ...target, ...rest };
}

/** Without padding: a wide cell would make a page several times as large, and each edit would touch every line. */
function table(lines, header = ["field", "takes", "says"]) {
  const rule = header.map(() => "---");
  return [header, rule, ...lines].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

function read(name) {
  return JSON.parse(readFileSync(join(ROOT, "schemas", `${name}.json`), "utf8"));
}
