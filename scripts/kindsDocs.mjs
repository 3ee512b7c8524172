// The pages of the kinds: an example, how an existing object becomes a manifest, every field, and what the service does not show.
import { stringify } from "yaml";

/** The mark of a page that a script writes. */
const WRITTEN = "<!-- Written by `npm run docs` from the files in schemas/ and src/kinds/. -->";

/**
 * The page of one kind.
 * @param {{ kind: any, schema: any, page: string }} one
 * @param {readonly string[]} fields the tables of its fields
 */
export function kindText({ kind, schema }, fields) {
  const { title, description, examples = [] } = schema;
  const example = examples.slice(0, 1).map((one) => `\`\`\`yaml\n${stringify(one)}\`\`\``);
  const gaps = kind.inventory.gaps.map(
    ({ message, hint }) => `- ${message}${hint === undefined ? "" : ` ${hint}`}`,
  );
  const parts = [
    WRITTEN,
    `# ${title}`,
    description,
    ...example,
    "## An object that exists",
    `\`\`\`sh\nremit get ${title}              # what the tenant contains\nremit import '${title}/*'       # a manifest for each\n\`\`\``,
    terraformOf(kind),
    "## Fields",
    ...fields,
    "## Who may write it",
    writersOf(kind),
    ...(gaps.length === 0 ? [] : ["## Limits", gaps.join("\n")]),
    "Ids, durations, sets and markers: [Manifests](../manifests.md).",
  ];
  return `${parts.filter((part) => part !== "").join("\n\n")}\n`;
}

/**
 * The table of all kinds.
 * @param {readonly { kind: any, schema: any, page: string }[]} all
 * @param {(lines: string[][], header: string[]) => string} table
 */
export function kindsIndex(all, table) {
  const rows = all.map(({ kind, schema, page }) => [
    `[${schema.title}](${page}.md)`,
    schema.description.split(/(?<=\.) /)[0],
    rolesOf(kind),
  ]);
  return `${WRITTEN}\n\n# Kinds\n\n${table(rows, ["kind", "is", "who may write it"])}\n`;
}

/**
 * The page about Terraform, with the table of resources and arguments between its marks.
 * @param {string} page
 * @param {readonly any[]} kinds
 * @param {(lines: string[][], header: string[]) => string} table
 * @param {{ resources: Record<string, { arguments: string[], readOnly: string[] }> }} provider
 */
export function argumentsText(page, kinds, table, { resources }) {
  const rows = kinds
    .filter(({ terraform }) => terraform !== undefined)
    .flatMap(({ name, terraform: { type, or = [], key, unseen = {} }, shape }) => {
      const fields = [...shape.fields.keys()].map(snake);
      return [type, ...or].map((one) => {
        const { arguments: written, readOnly } = resources[one] ?? { arguments: [], readOnly: [] };
        const shared = fields.filter((field) => [...written, ...readOnly].includes(field));
        return [
          inCode([one]),
          `[${name}](kinds/${fileName(name)}.md)`,
          inCode(key),
          inCode(shared),
          inCode(written.filter((field) => !fields.includes(field) && !key.includes(field))),
          inCode(Object.keys(unseen)),
        ];
      });
    });
  const fields = ["fields, as the provider spells them", "arguments that remit does not manage"];
  const header = ["resource", "kind", "key", ...fields, "taken from the state"];
  const [start, end] = ["<!-- arguments -->", "<!-- end -->"];
  const [before = ""] = page.split(start);
  const after = page.slice(page.indexOf(end));
  return `${before}${start}\n\n${table(rows, header)}\n\n${after}`;
}

/** @param {string[]} names */
function inCode(names) {
  return names.map((name) => `\`${name}\``).join(", ");
}

/** An argument of the provider: `display_name` for `displayName`. */
function snake(field) {
  return field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** The page of a kind: `access-conflict` for `AccessConflict`. */
function fileName(kind) {
  return snake(kind).slice(1).replaceAll("_", "-");
}

function terraformOf({ terraform }) {
  if (terraform == null) return "";
  return `In a Terraform state it is \`${terraform.type}\`: [import it from there](../import.md#from-terraform).`;
}

function rolesOf({ writers }) {
  if (writers === undefined) return "not documented";
  const { every, own } = writers;
  return [...every, ...own.map((role) => `${role}, of their own`)].join("; ");
}

function writersOf(kind) {
  const roles = kind.writers === undefined ? "The documentation does not say which role" : rolesOf(kind);
  return `${roles}. \`remit doctor\` says what these credentials may do: [tokens and roles](../tokens.md).`;
}
