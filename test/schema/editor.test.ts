import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { editorSettings } from "../../src/commands/init/init.js";
import { SCHEMAS, schemaText } from "../../src/commands/schema/schemas.js";
import { type Editor, openEditor } from "./editor.js";

/** The schemas as `remit init` writes them. */
const folder = mkdtempSync(join(tmpdir(), "remit-editor-"));
let editor: Editor;
beforeAll(async () => {
  for (const one of SCHEMAS.values()) writeFileSync(join(folder, one.file), schemaText(one));
  editor = await openEditor();
});
afterAll(async () => {
  await editor.close();
  rmSync(folder, { recursive: true });
});

const ID = "2fsgTvxP0DVTsNXEUBI7hOe0l5A";

/** A text whose first line names its schema, as `remit init` writes it. */
function written(schema: string, text: string): string {
  return `# yaml-language-server: $schema=${join(folder, schema)}\n${text}`;
}

/** A manifest of a kind with a spec given line by line. */
function manifest(kind: string, lines: readonly string[]): string {
  const spec = lines.map((line) => `  ${line}\n`).join("");
  return `apiVersion: remit/v1\nkind: ${kind}\nmetadata:\n  name: one\nspec:\n${spec}`;
}

const scope = (...lines: string[]) =>
  manifest("TemplateScope", [`templateId: ${ID}`, "scope:", ...lines.map((line) => `  ${line}`)]);
const automation = (...lines: string[]) =>
  manifest("EntitlementAutomation", [`appId: ${ID}`, "appEntitlementId: { alias: admins }", ...lines]);
const resourceType = (...lines: string[]) => manifest("ResourceType", [`appId: { name: GitHub }`, ...lines]);

const KINDS = [
  {
    own: "template-scope.json",
    good: scope(
      "userCriteria: { userStatus: [ENABLED] }",
      "celExpression: null",
      "grantsByCriteria:",
      "  daysSinceAdded: 90d",
    ),
    hover: [scope("user▮Criteria: {}"), "Reviews the users that match"],
    complete: [scope("▮"), ["allUsers", "celExpression", "grantsByCriteria", "principalTypeFilter"]],
    values: [scope("principalTypeFilter: ▮"), ["PRINCIPAL_TYPE_FILTER_RESOURCES"]],
    open: scope("principalTypeFilter: PRINCIPAL_TYPE_FILTER_ROBOTS"),
    wrong: [
      [scope("allUsers: {}", "celExpression: { expression: 'true' }"), "a scope has one users_scope"],
      [scope("allGrants: {}", "grantsByCriteria: { daysSinceAdded: 9d }"), "a scope has one grants_scope"],
      [
        scope("grantsByCriteria:", "  daysSinceAdded: 90d", "  daysSinceReviewed: 9d"),
        "has one criteria_filter",
      ],
      [scope("grantsByCriteria: { daysSinceLastUsed: 3 months }"), "as in 90d"],
      [scope("allUser: {}"), "allUser"],
    ],
  },
  {
    own: "entitlement-automation.json",
    good: automation("displayName: Admins", "cel:", '  expression: subject.department == "IT"'),
    hover: [automation("ce▮l: { expression: 'true' }"), "Users for whom a CEL expression is true"],
    complete: [automation("▮"), ["displayName", "none", "entitlements", "cel", "basic"]],
    values: [automation("none: ▮"), ["{}"]],
    open: automation("entitlements: { entitlementRefs: [] }"),
    wrong: [
      [automation("none: {}", "basic: { expression: 'true' }"), "a spec has one of its conditions"],
      [automation("cel: true"), "Incorrect type"],
    ],
  },
  {
    own: "resource-type.json",
    good: resourceType(`id: ${ID}`, "displayName: Team", "traitIds: []"),
    hover: [resourceType("trait▮Ids: []", `id: ${ID}`), "The traits"],
    complete: [resourceType("▮"), ["id", "displayName", "traitIds", "resourceType"]],
    values: [resourceType("displayName: Team", "resourceType: ▮"), ["CUSTOM", "GROUP"]],
    open: resourceType("displayName: Team", "resourceType: PLANET"),
    wrong: [[resourceType(`id: ${ID}`, "traitIds: one"), "Incorrect type"]],
  },
] as const;

describe.each(KINDS.flatMap((kind) => [kind.own, "manifest.json"].map((schema) => ({ ...kind, schema }))))(
  "an editor of $own under $schema",
  ({ schema, good, hover, complete, values, open, wrong }) => {
    it("says what a field means", async () => {
      expect(await editor.hover(written(schema, hover[0]))).toContain(hover[1]);
    });
    it.each([complete, values])("offers what can be written", async (text, labels) => {
      const offers = await editor.offers(written(schema, text));
      expect(offers.map(({ label }) => label)).toEqual(expect.arrayContaining([...labels]));
    });
    it("underlines nothing that is right, nor a value that the service may know", async () => {
      const found = await Promise.all([good, open].map((text) => editor.underlines(written(schema, text))));
      expect(found).toEqual([[], []]);
    });
    it("underlines each fault once", async () => {
      const found = await Promise.all(wrong.map(([text]) => editor.underlines(written(schema, text))));
      expect(found.map((each) => each.map(({ message }) => message))).toEqual(
        wrong.map(([, message]) => [expect.stringContaining(message)]),
      );
    });
  },
);

describe("an editor of any manifest", () => {
  it("offers the kinds", async () => {
    const offers = await editor.offers(written("manifest.json", "apiVersion: remit/v1\nkind: ▮"));
    expect(offers.map(({ label }) => label)).toEqual(
      expect.arrayContaining(["TemplateScope", "EntitlementAutomation", "ResourceType"]),
    );
  });
});

describe("an editor of shapes and named values", () => {
  const page = fileURLToPath(new URL("../../docs/values.md", import.meta.url));
  const documents = [
    ...readFileSync(page, "utf8").matchAll(/```yaml\n(# (?:values|manifests)\/[\s\S]*?)```/g),
  ];
  const shape = (...lines: string[]) =>
    [
      "apiVersion: remit/v1",
      "kind: EntitlementAutomation",
      "metadata: { name: member }",
      ...lines,
      "spec:",
      "  appId: { name: C1 }",
      "  appEntitlementId: { alias: { $value: d.id } }",
      '  displayName: { $text: "Members of {d.name}" }',
      "",
    ].join("\n");
  const review = manifest("TemplateScope", [
    `templateId: ${ID}`,
    "scope: { userCriteria: { userStatus: { $value: statuses } } }",
    "entitlements:",
    "  - { $values: privileged }",
    `  - { appId: ${ID}, appEntitlementId: { $value: one.id } }`,
  ]);

  it("underlines nothing in the page about them", async () => {
    const found = await Promise.all(
      documents.map(([, text = ""]) => editor.underlines(written("manifest.json", text))),
    );
    expect(found).toEqual([[], []]);
  });
  it.each([
    ["entitlement-automation.json", shape("forEach: { in: departments, as: d }")],
    ["manifest.json", shape("forEach: { in: [{ id: eng, name: Engineering }], as: d, mayBeEmpty: true }")],
    ["template-scope.json", review],
    ["manifest.json", review],
  ])("underlines no marker under %s", async (schema, text) => {
    expect(await editor.underlines(written(schema, text))).toEqual([]);
  });
  it.each([
    [shape("forEach: { in: departments }"), 'Missing property "as"'],
    [shape("forEach: { in: [{ name: Engineering }], as: d }"), 'Missing property "id"'],
    [automation("displayName: { $values: names }"), "Incorrect type"],
    [automation('cel: { expression: { $text: "{d.rule}" } }'), "Incorrect type"],
    [automation("displayName: { $value: 4 }"), "Incorrect type"],
    ["apiVersion: remit/v1\nkind: Values\nspec: { 4th: one }\n", "4th"],
  ])("underlines what is none", async (text, message) => {
    const found = await editor.underlines(written("manifest.json", text));
    expect(found.map((one) => one.message)).toEqual([expect.stringContaining(message)]);
  });
  it("offers forEach, with and what a row is", async () => {
    const offers = async (text: string) =>
      (await editor.offers(written("manifest.json", text))).map(({ label }) => label);
    expect(await offers("apiVersion: remit/v1\nkind: EntitlementAutomation\n▮")).toContain("forEach");
    expect(await offers(automation("cel:", "  expression: 'true'", "  ▮"))).toContain("with");
    expect(await editor.hover(written("manifest.json", shape("for▮Each: { in: a, as: d }")))).toContain(
      "one object for each row",
    );
  });
});

describe("an editor of a file with several documents, by the settings that `remit init` writes,", () => {
  const settings = JSON.parse(editorSettings("schemas").text)["yaml.schemas"];
  const project = join(folder, "project");
  let own: Editor;
  beforeAll(async () => {
    mkdirSync(join(project, "schemas"), { recursive: true });
    for (const one of SCHEMAS.values()) writeFileSync(join(project, "schemas", one.file), schemaText(one));
    own = await openEditor(project, { schemas: settings });
  });
  afterAll(() => own.close());
  // A first line that names a schema counts for the first document alone.
  const files = ["", `# yaml-language-server: $schema=${join(project, "schemas", "resource-type.json")}\n`];
  const second = (first: string, text: string) => `${first}${resourceType("displayName: Team")}---\n${text}`;

  it("has the same schemas by folder in the settings that docs/editor.md gives for Neovim", () => {
    const page = readFileSync(fileURLToPath(new URL("../../docs/editor.md", import.meta.url)), "utf8");
    const written = [...page.matchAll(/^\s+\["(.+)"\] = \{ (.+) \},$/gm)].map(([, schema, globs]) => [
      schema,
      JSON.parse(`[${globs}]`),
    ]);
    const ours = JSON.parse(editorSettings(".remit/schemas").text)["yaml.schemas"];
    expect(Object.fromEntries(written)).toEqual(ours);
  });

  it.each(files)("helps in the second document, after %j", async (first) => {
    const hover = await own.hover(second(first, automation("ce▮l: { expression: 'true' }")));
    expect(hover).toContain("Users for whom a CEL expression is true");
    const offers = await own.offers(second(first, automation("▮")));
    expect(offers.map(({ label }) => label)).toContain("cel");
    const wrong = await own.underlines(second(first, automation("displayNam: Admins")));
    expect(wrong.map(({ message }) => message)).toEqual([expect.stringContaining("displayNam")]);
    expect(await own.underlines(second(first, automation("displayName: Admins")))).toEqual([]);
  });

  it.each(files)("writes the colon of a field, after %j", async (first) => {
    const text = second(first, manifest("EntitlementAutomation", ["cel: { expression: 'true' }", "▮"]));
    const offers = await own.offers(text);
    const inserts = new Map(
      offers.map(({ label, textEdit, insertText }) => [label, textEdit?.newText ?? insertText]),
    );
    expect([inserts.get("appId"), inserts.get("displayName")]).toEqual(["appId: ", "displayName: "]);
  });
});

describe("an editor of remit.yaml", () => {
  it("says what a key means, offers the others and underlines what is none", async () => {
    expect(await editor.hover(written("config.json", "ser▮ver: sandbox"))).toContain("The tenant's address");
    const offers = await editor.offers(written("config.json", "server: sandbox\n▮"));
    expect(offers.map(({ label }) => label)).toEqual(
      expect.arrayContaining(["interface", "guards", "acknowledge", "prune", "requestTimeout"]),
    );
    expect(await editor.underlines(written("config.json", "sever: sandbox"))).toHaveLength(1);
  });
});
