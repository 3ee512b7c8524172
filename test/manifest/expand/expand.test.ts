import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { GRAMMAR } from "../../../src/manifest/cel.js";
import type { PlainManifest } from "../../../src/manifest/expand/shape.js";
import { locate } from "../../../src/manifest/locate.js";
import { cases } from "../../fakes/cases.js";
import { expanded, line, meaningOf, valuesOf } from "./scene.js";

const VALUES = `
apiVersion: remit/v1
kind: Values
spec:
  departments: [{ id: eng, name: Engineering }, { id: ops, name: Clinical Operations }]
  privileged: [{ appId: a, appEntitlementId: e }]
  limit: 12
  nested: { deep: { er: text } }
`;

const SHAPE = `
apiVersion: remit/v1
kind: EntitlementAutomation
metadata: { name: member }
forEach: { in: departments, as: d }
spec:
  appId: c1
  displayName: { $text: "Members of {d.name} {{x}}" }
  cel: { expression: subject.department == department, with: { department: { $value: d.name } } }
`;

it("finds a marker that is written as an escape", () => {
  const escaped = `
apiVersion: remit/v1
kind: ResourceType
metadata: { name: escaped }
spec: { appId: c1, displayName: { "\\u0024value": nested.deep.er } }
`;
  const { made } = expanded(escaped, valuesOf(VALUES));
  expect(made[0]?.value.spec).toEqual({ appId: "c1", displayName: "text" });
});

describe("a shape", () => {
  it("makes a plain manifest for each row", () => {
    const { made, told } = expanded(SHAPE, valuesOf(VALUES));
    expect(told).toEqual([]);
    expect(made.map(({ value }) => value)).toEqual(
      [
        ["eng", "Engineering"],
        ["ops", "Clinical Operations"],
      ].map(([id, name]) => ({
        apiVersion: "remit/v1",
        kind: "EntitlementAutomation",
        metadata: { name: "member", row: id },
        spec: {
          appId: "c1",
          displayName: `Members of ${name} {x}`,
          cel: { expression: `subject.department == "${name}"` },
        },
      })),
    );
  });

  it("knows where each scalar is written, and the place that uses it", () => {
    const text = `
apiVersion: remit/v1
kind: ResourceType
metadata: { name: type }
forEach: { in: departments, as: d }
spec:
  appId: { $value: d.name }
  traitIds: [one, { $values: privileged }, two]
`;
    const { made } = expanded(text, valuesOf(VALUES));
    const at = (path: readonly (string | number)[]) => {
      const { span, related } = locate((made[1] as PlainManifest).written, path);
      const use = related?.[0]?.span;
      return `${span.file}:${span.start.line}:${span.start.column} ${use === undefined ? "" : `${use.file}:${use.start.line}`}`;
    };
    expect([
      at(["metadata", "name"]),
      at(["metadata", "row"]),
      at(["spec", "appId"]),
      at(["spec", "traitIds", 0]),
      at(["spec", "traitIds", 1]),
      at(["spec", "traitIds", 1, "appId"]),
      at(["spec", "traitIds", 2]),
    ]).toEqual([
      "m/shape.yaml:4:19 ",
      "values/0.yaml:5:55 m/shape.yaml:5",
      "values/0.yaml:5:66 m/shape.yaml:7",
      "m/shape.yaml:8:14 ",
      "values/0.yaml:6:16 m/shape.yaml:8",
      "values/0.yaml:6:25 m/shape.yaml:8",
      "m/shape.yaml:8:44 ",
    ]);
  });

  it("finds its places again, row by row in any order", () => {
    const { made } = expanded(SHAPE, valuesOf(VALUES));
    for (const { written, findPlaces } of [...made, ...made].reverse()) expect(findPlaces()).toEqual(written);
  });

  it("leaves a manifest without named values as it is, the very same value", () => {
    const text =
      "apiVersion: remit/v1\nkind: ResourceType\nmetadata: { name: a }\nspec: { appId: x, $odd: y, with: z }\n";
    const { made, told } = expanded(text);
    expect(told).toEqual([]);
    expect(made.map(({ value }) => value)).toEqual([
      {
        apiVersion: "remit/v1",
        kind: "ResourceType",
        metadata: { name: "a" },
        spec: { appId: "x", $odd: "y", with: "z" },
      },
    ]);
    expect(made[0]?.written.members).toBeUndefined();
  });
});

describe("a later file of values", () => {
  it("replaces whole names of an earlier one", () => {
    const later = "apiVersion: remit/v1\nkind: Values\nspec: { nested: { other: 1 } }\n";
    const values = valuesOf(VALUES, later);
    expect(meaningOf(values, "nested")).toEqual({ other: 1 });
    expect(meaningOf(values, "limit")).toBe(12);
  });

  it("may use values of an earlier one", () => {
    const later =
      "apiVersion: remit/v1\nkind: Values\nspec: { all: [{ $values: departments }, { id: hr }], one: { $value: nested.deep.er } }\n";
    const values = valuesOf(VALUES, later);
    expect(values.diagnostics).toEqual([]);
    expect(meaningOf(values, "all")).toHaveLength(3);
    expect(meaningOf(values, "one")).toBe("text");
  });
});

const shape = (spec: string, forEach = "{ in: departments, as: d }") =>
  `apiVersion: remit/v1\nkind: EntitlementAutomation\nmetadata: { name: m }\nforEach: ${forEach}\nspec: ${spec}\n`;

describe("a mistake is reported with its place and makes nothing", () => {
  it.each([
    [
      "an unknown value",
      shape("{ a: { $value: departmants } }"),
      ["m/shape.yaml:5:22 value/unknown: no named value is called departmants"],
    ],
    [
      "an unknown member",
      shape("{ a: { $value: d.nmae } }", "{ in: [{ id: a, name: b }], as: d }"),
      ["m/shape.yaml:5:22 value/unknown: d has no member nmae"],
    ],
    [
      "a marker beside a field",
      shape("{ a: { $value: limit, b: 1 } }"),
      ["m/shape.yaml:5:29 value/marker: b cannot stand beside $value"],
    ],
    [
      "$values outside of a list",
      shape("{ a: { $values: departments } }"),
      ["m/shape.yaml:5:12 value/marker: $values puts the items of a list into a list"],
    ],
    [
      "$values of no list",
      shape("{ a: [{ $values: limit }] }"),
      ["m/shape.yaml:5:24 value/marker: limit is not a list"],
    ],
    [
      "an open brace",
      shape('{ a: { $text: "x {d.name" } }'),
      ["m/shape.yaml:5:21 value/marker: a brace of $text has no partner"],
    ],
    [
      "a list in a text",
      shape('{ a: { $text: "{departments}" } }'),
      ["m/shape.yaml:5:21 value/marker: departments is a list"],
    ],
    ...["007", "1.10", "1e3", "0x1F", "12345678901234567890"].map(
      (number): [string, string, readonly string[]] => [
        `a number that a text would say otherwise, ${number}`,
        shape('{ a: { $text: "CC {d.center}" } }', `{ in: [{ id: a, center: ${number} }], as: d }`),
        [
          `m/shape.yaml:4:34 value/marker: d.center is written ${number}, and a text would say ${Number(number)}: it is a number`,
        ],
      ],
    ),
    [
      "a name that the expression does not have",
      shape("{ cel: { expression: subject.x == 1, with: { y: a } } }", "{ in: [{ id: a }], as: d }"),
      ["m/shape.yaml:5:52 value/with: the expression has no name y"],
    ],
    [
      "a field as a name",
      shape("{ cel: { expression: subject.x == 1, with: { x: a } } }", "{ in: [{ id: a }], as: d }"),
      ["m/shape.yaml:5:52 value/with: the expression has no name x"],
    ],
    [
      "the variable of a macro",
      shape("{ cel: { expression: '[1].exists(v, v == 1)', with: { v: a } } }", "{ in: [{ id: a }], as: d }"),
      ["m/shape.yaml:5:61 value/with: the expression has no name v"],
    ],
    [
      "a declared name",
      shape("{ cel: { expression: subject.x == 1, with: { subject: a } } }", "{ in: [{ id: a }], as: d }"),
      ["m/shape.yaml:5:52 value/with: subject has a meaning in every expression"],
    ],
    [
      "a map as a literal",
      shape("{ cel: { expression: v == 1, with: { v: { a: b } } } }", "{ in: [{ id: a }], as: d }"),
      ["m/shape.yaml:5:47 value/with: v is not a text, a boolean, a whole number or a list of these"],
    ],
    [
      "an empty list",
      shape("{}", "{ in: [], as: d }"),
      ["m/shape.yaml:4:16 shape/empty: the list of rows is empty"],
    ],
    [
      "two rows with one id",
      shape("{}", "{ in: [{ id: a }, { id: a }], as: d }"),
      ["m/shape.yaml:4:34 shape/row: two rows have the id a (the first one is here: m/shape.yaml:4)"],
    ],
    [
      "a row without an id",
      shape("{}", "{ in: [{ name: a }], as: d }"),
      ["m/shape.yaml:4:17 shape/row: the row has no id"],
    ],
    [
      "an id with other characters",
      shape("{}", "{ in: [{ id: A }], as: d }"),
      ["m/shape.yaml:4:23 shape/row: this cannot be the id of a row"],
    ],
    [
      "rows that are no list",
      shape("{}", "{ in: limit, as: d }"),
      ["m/shape.yaml:4:16 shape/for-each: limit is not a list"],
    ],
    [
      "a row called like a value",
      shape("{}", "{ in: departments, as: limit }"),
      ["m/shape.yaml:4:33 shape/for-each: limit is the name of a value already"],
    ],
    [
      "no name for the row",
      shape("{}", "{ in: departments }"),
      ["m/shape.yaml:4:10 shape/for-each: `as` says what a row is called"],
    ],
    [
      "a misspelt member",
      shape("{}", "{ on: departments, as: d }"),
      ["m/shape.yaml:4:12 shape/for-each: forEach has no member on"],
    ],
  ])("%s", (_what, text, lines) => {
    const { made, told } = expanded(text, valuesOf(VALUES));
    expect([...new Set(told.map(line))]).toEqual(lines);
    expect(made).toEqual([]);
  });

  it("a circle of values", () => {
    const values = valuesOf(
      "apiVersion: remit/v1\nkind: Values\nspec:\n  a: { $value: b }\n  b: [{ $values: c }]\n  c: [{ $value: a }]\n",
    );
    expect(values.diagnostics.map(line)).toEqual([
      "values/0.yaml:4:6 value/circle: a value uses itself: a → b → c → a",
    ]);
  });

  it("an empty list that may be empty makes nothing, without a mistake", () => {
    const { made, told } = expanded(shape("{}", "{ in: [], as: d, mayBeEmpty: true }"));
    expect([made, told]).toEqual([[], []]);
  });
});

describe("literals of `with`", () => {
  const hostile = fc.oneof(
    fc.string({ unit: "binary", maxLength: 40 }),
    fc.constantFrom(
      '" || true || "',
      "'\"\\",
      "\u2028\u0000",
      "a\nb",
      "$" + "{x} {y} }}",
      "\\",
      '"""',
      "x' == 'x",
    ),
    fc.integer(),
    fc.boolean(),
    fc.array(fc.string({ maxLength: 5 }), { maxLength: 4 }),
  );

  it("never change the structure of an expression, and read back as what was given", () => {
    const structure = (text: string) => JSON.stringify(treeOf(GRAMMAR.parse(text).ast));
    fc.assert(
      fc.property(hostile, (value) => {
        const row = JSON.stringify([{ id: "a", value }]).replace(
          /[\u007f-\u009f\u2028\u2029\ufeff]/g,
          (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`,
        );
        const text = shape(
          "{ cel: { expression: 'subject.department == v && [v].exists(x, x == v)', with: { v: { $value: d.value } } } }",
          `{ in: ${row}, as: d }`,
        );
        const { made, told } = expanded(text);
        expect(told).toEqual([]);
        const spec = made[0]?.value.spec as { cel: { expression: string } };
        expect(structure(spec.cel.expression)).toBe(
          structure("subject.department == 0 && [0].exists(x, x == 0)"),
        );
      }),
      { numRuns: cases(150) },
    );
  });
});

/** The tree of an expression without its literals. */
function treeOf(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(treeOf);
  if (typeof node !== "object" || node === null || !("op" in node) || !("args" in node)) return node;
  const { op, args } = node as { op: string; args: unknown };
  if (op === "value" || op === "-_") return "literal";
  const inner = treeOf(args);
  return op === "list" && (inner as unknown[]).every((one) => one === "literal") ? "literal" : [op, inner];
}
