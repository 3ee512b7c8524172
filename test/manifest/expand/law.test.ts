import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readValues } from "../../../src/manifest/expand/values.js";
import { checkAll } from "../../../src/manifest/load.js";
import { renderedFrom } from "../../../src/manifest/renderAll.js";
import { NO_VOCABULARY, type Vocabulary } from "../../../src/manifest/vocabulary.js";
import { formatAddress } from "../../../src/model/address.js";
import type { Json } from "../../../src/model/json.js";
import { source } from "./scene.js";

const RUNS = Number(process.env.REMIT_TEST_TREES ?? 40);

/** Texts that could break out of a scalar, a line, a brace or an expression. */
const hostile = fc.oneof(
  fc.constantFrom(
    '"',
    "'",
    "\n",
    "{d.name}",
    "}}",
    "{{",
    "$value",
    "a: b",
    "- x",
    "# no comment",
    '" || true || "',
    "---",
    "\u2028",
    "\u0000",
    "&a *a",
    "!!str",
    "0x10",
    "yes",
    "x".repeat(2_000),
  ),
  fc.string({ unit: "binary", maxLength: 12 }).filter((text) => !/\p{Surrogate}/u.test(text)),
);

interface Tree {
  readonly rows: readonly { readonly id: string; readonly name: string; readonly count: number }[];
  readonly types: readonly string[];
  readonly usesInline: boolean;
  readonly labels: boolean;
}

const trees: fc.Arbitrary<Tree> = fc.record({
  rows: fc
    .uniqueArray(fc.record({ id: fc.stringMatching(/^[a-z0-9-]{1,8}$/), name: hostile, count: fc.nat(99) }), {
      selector: ({ id }) => id,
      minLength: 1,
      maxLength: 5,
    })
    .map((rows) => rows.map((row) => ({ ...row, name: `n${row.name}` }))),
  types: fc.uniqueArray(fc.stringMatching(/^[A-Za-z0-9]{27}$/), { minLength: 1, maxLength: 3 }),
  usesInline: fc.boolean(),
  labels: fc.boolean(),
});

/** JSON is YAML where every character that YAML forbids is escaped. */
function yaml(value: Json): string {
  return JSON.stringify(value).replace(
    /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

const APP = "2fsgTvxP0DVTsNXEUBI7hOe0l5A";

function shapesOf({ rows, usesInline, labels }: Tree): string {
  const each = usesInline ? yaml(rows as unknown as Json) : "departments";
  const label = labels ? ", labels: { team: { $value: d.id } }" : "";
  return [
    "apiVersion: remit/v1",
    "kind: EntitlementAutomation",
    `metadata: { name: member${label} }`,
    `forEach: { in: ${each}, as: d }`,
    "spec:",
    `  appId: ${APP}`,
    "  appEntitlementId: { alias: { $value: d.id } }",
    '  displayName: { $text: "Members of {d.name} {{{d.count}}}" }',
    "  cel:",
    "    expression: subject.department == department && size(subject.emails) < most",
    "    with: { department: { $value: d.name }, most: { $value: d.count } }",
    "---",
    "apiVersion: remit/v1",
    "kind: ResourceType",
    "metadata: { name: plain }",
    `spec: { appId: ${APP}, id: ${APP}, displayName: Team, traitIds: [{ $values: types }] } # kept`,
    "",
  ].join("\n");
}

function valuesOf({ rows, types }: Tree): string {
  return `apiVersion: remit/v1\nkind: Values\nspec:\n  departments: ${yaml(rows as unknown as Json)}\n  types: ${yaml(types as Json)}\n`;
}

const saying = (text: string, vocabulary: Vocabulary) => {
  const { resources, diagnostics } = checkAll([source(text)], vocabulary);
  const told = diagnostics.filter(({ diagnostic }) => diagnostic.severity === "error");
  return {
    told: told.map(
      ({ diagnostic }) => `${diagnostic.code} ${diagnostic.message} ${diagnostic.span?.start.line}`,
    ),
    resources: resources
      .map(({ address, labels, annotations, spec }) => ({
        name: formatAddress(address),
        labels,
        annotations,
        spec,
      }))
      .sort((one, other) => (one.name < other.name ? -1 : 1)),
  };
};

describe("a tree with shapes and named values", () => {
  it("asks for the same as its rendering, and rendering that changes nothing", () => {
    fc.assert(
      fc.property(trees, (tree) => {
        const vocabulary = {
          ...NO_VOCABULARY,
          values: readValues([source(valuesOf(tree), "values/a.yaml")]),
        };
        const text = shapesOf(tree);
        const before = saying(text, vocabulary);
        expect(before.told).toEqual([]);
        expect(before.resources).toHaveLength(tree.rows.length + 1);

        const rendered = renderedFrom([source(text)], vocabulary)
          .map((one) => one.text)
          .join("---\n");
        expect(saying(rendered, NO_VOCABULARY)).toEqual(before);
        const again = renderedFrom([source(rendered)], NO_VOCABULARY)
          .map((one) => one.text)
          .join("---\n");
        expect(again).toBe(rendered);
      }),
      { numRuns: RUNS },
    );
  });
});
