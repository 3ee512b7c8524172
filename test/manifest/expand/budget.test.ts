import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { expansionLimitsIn, makeBudget } from "../../../src/manifest/expand/budget.js";
import type { Scope } from "../../../src/manifest/expand/scope.js";
import { plainManifests } from "../../../src/manifest/expand/shape.js";
import { sizeIn } from "../../../src/manifest/expand/size.js";
import { readValues } from "../../../src/manifest/expand/values.js";
import { parse } from "../../../src/manifest/parse/parse.js";
import type { Diagnostic } from "../../../src/model/diagnostic.js";
import { isObject, type Json } from "../../../src/model/json.js";
import { cases } from "../../fakes/cases.js";

const valuesOf = (spec: string) =>
  readValues([
    { file: "values.yaml", text: `apiVersion: remit/v1\nkind: Values\nspec:\n${spec}`, named: true },
  ]);

/** What a manifest makes, with its mistakes, and how often it looks up a name. */
function make(text: string, values: Scope) {
  const source = { file: "manifest.yaml", text, named: true };
  const [document] = parse(source).value;
  if (document === undefined || !isObject(document.value)) throw new Error("no manifest");
  const told: Diagnostic[] = [];
  let finds = 0;
  const scope: Scope = {
    ...values,
    find: (name, at) => {
      finds += 1;
      return values.find(name, at);
    },
  };
  const manifest = { value: document.value, written: { source, marks: document.marks } };
  const made = [...plainManifests(manifest, scope, (one) => told.push(one))];
  return { made, told, finds };
}

const TOO_MUCH = { code: "value/too-much", severity: "error" };
const shape = (list: string) => `apiVersion: remit/v1
kind: TemplateScope
metadata: { name: many }
forEach: { in: rows, as: d }
spec: { templateId: { $value: d.id }, entitlements: [${list}] }
`;
const rows = (count: number) =>
  `  rows: [${Array.from({ length: count }, (_, at) => `{ id: r${at} }`).join(", ")}]\n`;
const list = (count: number) => `  list: [${Array.from({ length: count }, (_, at) => at).join(", ")}]\n`;

describe("the budget of named values and rows", () => {
  it("is what the project's file says, and as usual where it says nothing", () => {
    const file = {
      ...{ file: "values.yaml", named: true },
      text: "apiVersion: remit/v1\nkind: Values\nspec:\n  a: [1, 2, 3, 4, 5, 6]\n  b: [{ $values: a }, { $values: a }]\n",
    };
    const limited = (given: Json) =>
      readValues([file], undefined, true, expansionLimitsIn(given)).diagnostics;
    expect(limited({ values: 5 })).toMatchObject([
      { ...TOO_MUCH, message: expect.stringContaining("5 values") },
    ]);
    expect(limited({ values: 1_000 })).toEqual([]);
    for (const odd of [null, "5", { values: -1 }, { values: 1.5 }, { pairs: "1" }])
      expect(limited(odd)).toEqual([]);
  });

  it("ends lists of lists with one mistake at the value that is too much", () => {
    const ten = (name: string) => Array.from({ length: 10 }, () => `{ $values: ${name} }`).join(", ");
    const spec = ["  a0: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]"];
    for (let at = 1; at < 12; at += 1) spec.push(`  a${at}: [${ten(`a${at - 1}`)}]`);
    const { diagnostics } = valuesOf(`${spec.join("\n")}\n`);
    expect(diagnostics).toMatchObject([{ ...TOO_MUCH, span: { start: { line: 8 } } }]);
    expect(diagnostics[0]?.message).toContain("100,000 values");
  });

  it("ends texts of texts before a text is longer than a program can hold", () => {
    const spec = ["  t0: aaaaaaaaaaaaaaaa"];
    for (let at = 1; at < 40; at += 1) spec.push(`  t${at}: { $text: "{t${at - 1}}{t${at - 1}}" }`);
    const { diagnostics } = valuesOf(`${spec.join("\n")}\n`);
    expect(diagnostics).toMatchObject([TOO_MUCH]);
    expect(diagnostics[0]?.message).toContain("10,000,000 characters");
  });

  it("ends values that use one value twice each, though they share it", () => {
    const spec = ["  a0: [1, 2]"];
    for (let at = 1; at < 60; at += 1)
      spec.push(`  a${at}: [{ $value: a${at - 1} }, { $value: a${at - 1} }]`);
    expect(valuesOf(`${spec.join("\n")}\n`).diagnostics).toMatchObject([TOO_MUCH]);
  });

  it("refuses 5,000 rows of a list of 5,000 before a row is made, and asks for each name a few times", () => {
    const values = valuesOf(rows(5000) + list(5000));
    expect(values.diagnostics).toEqual([]);
    const { made, told, finds } = make(shape("{ $values: list }"), values);
    expect([made.length, told]).toMatchObject([0, [{ ...TOO_MUCH, span: { file: "manifest.yaml" } }]]);
    expect(told[0]?.message).toContain("1,000,000 pairs of rows and items");
    expect(finds).toBeLessThan(3 * 5000);
    // What comes later is not made, and one mistake is enough.
    expect(make(shape("1"), values)).toMatchObject({ made: [], told: [] });
  });

  it("has room for 5,000 rows of a list of 100", () => {
    const { made, told } = make(shape("{ $values: list }"), valuesOf(rows(5000) + list(100)));
    expect([made.length, told]).toEqual([5000, []]);
  });

  it("counts a place once, however often it is read", () => {
    const values = valuesOf(rows(5000) + list(150));
    for (let reads = 0; reads < 3; reads += 1)
      expect(make(shape("{ $values: list }"), values)).toMatchObject({ told: [] });
  });

  it("counts a literal of an expression for each place that it is put into", () => {
    const expression = Array.from({ length: 500 }, () => "who in x").join(" || ");
    const manifest = `apiVersion: remit/v1
kind: EntitlementAutomation
metadata: { name: long }
spec: { cel: { expression: ${JSON.stringify(expression)}, with: { x: { $value: list } } } }
`;
    expect(make(manifest, valuesOf(list(9000))).told).toMatchObject([TOO_MUCH]);
  });

  it("knows the size of what is made before it is made", () => {
    const leaf = fc.oneof(
      fc.constantFrom("one", "two", "three"),
      fc.integer({ min: 0, max: 9 }),
      fc.boolean(),
    );
    const tree = (marker: fc.Arbitrary<Json>) =>
      fc.letrec<{ value: Json }>((tie) => ({
        value: fc.oneof(
          { maxDepth: 3 },
          leaf,
          marker,
          fc.array(tie("value"), { maxLength: 4 }),
          fc.dictionary(fc.constantFrom("a", "b", "c"), tie("value"), { maxKeys: 3 }),
        ),
      })).value;
    const used = fc.constantFrom<Json>({ $value: "plain" }, { $text: "is {word}" });
    fc.assert(
      fc.property(fc.array(tree(leaf as fc.Arbitrary<Json>), { maxLength: 5 }), tree(used), (plain, spec) => {
        const values = valuesOf(`  plain: ${JSON.stringify(plain)}\n  word: red\n`);
        const text = `apiVersion: remit/v1\nkind: X\nmetadata: { name: n }\nspec: ${JSON.stringify({ spec })}\n`;
        const { made, told } = make(text, values);
        expect(told).toEqual([]);
        const result = made[0]?.value.spec ?? null;
        const asMade = sizeIn(result, values).largest;
        expect(sizeIn({ spec }, values).largest.characters).toBe(asMade.characters);
        // A marker is a value that is not there any more.
        expect(sizeIn({ spec }, values).largest.nodes).toBeGreaterThanOrEqual(asMade.nodes);
      }),
      { numRuns: cases(40, 100) },
    );
  });

  it("is that of its limits", () => {
    const source = { file: "a.yaml", text: "a: 1\n", named: true };
    const at = { source, marks: parse(source).value[0]?.marks as never };
    const size = (items: number) => ({
      largest: { nodes: 1, characters: 1 },
      taken: { nodes: 1, characters: 1, items, made: 0 },
    });
    const budget = makeBudget({ nodes: 10, characters: 10, pairs: 5 });
    expect(budget.count("manifest", at, size(5))).toBe("fits");
    expect(makeBudget({ nodes: 10, characters: 10, pairs: 5 }).count("manifest", at, size(6))).toMatchObject(
      TOO_MUCH,
    );
  });
});
