import { describe, expect, it } from "vitest";
import { readExpression } from "../../src/manifest/expressions.js";
import { load, marked, templateScope } from "./loading.js";

describe("an expression is fine", () => {
  it.each([
    'subject.department == "Engineering"',
    "unknown.name == undeclared(1)",
    "a.?b.orValue('x') == c[?0].orValue('')",
    "subject.groups.exists(g, g.name.startsWith('x'))",
    "has(a.b) ? true : false",
    "x in ['a', \"b\", r'\\d']",
    "// a comment\ntrue",
    `x in [${Array.from({ length: 2000 }, (_, at) => `'u${at}@x.y'`).join(", ")}]`,
  ])("%s", (text) => {
    expect(readExpression(text).fault).toBeNull();
  });
});

describe("an expression with an operator of another language says which one CEL has:", () => {
  it.each([
    ["a = b", 'unexpected "="; did you mean "=="?'],
    ["a & b", 'unexpected "&"; did you mean "&&"?'],
    ["a | b", 'unexpected "|"; did you mean "||"?'],
    ["a and b", 'unexpected "and"; did you mean "&&"?'],
    ["a OR b", 'unexpected "OR"; did you mean "||"?'],
    ["a === b", 'unexpected "="; did you mean "=="?'],
    ['a "b"', 'unexpected "b"'],
    ["a b", 'unexpected "b"'],
  ])("%s", (text, message) => {
    expect(readExpression(text).fault?.message).toBe(message);
  });
});

describe("an expression that is none is an error, on the very characters:", () => {
  const wrong = "a & b";
  it.each([
    { style: "plain", yaml: "a & b", at: [9, 21] },
    { style: "single quotes", yaml: "'''x'' == y & b'", at: [9, 31] },
    { style: "double quotes with escapes", yaml: '"\\"x\\" == \\u0079 & b"', at: [9, 36] },
    { style: "a literal block", yaml: "|\n        x &&\n          a & b\n", at: [11, 13] },
    { style: "a folded block", yaml: ">-\n        x &&\n\n        a & b\n", at: [12, 11] },
    { style: "over two lines", yaml: "x &&\n        a & b", at: [10, 11] },
  ])("$style", async ({ yaml, at }) => {
    const text = templateScope(`  scope:\n    celExpression:\n      expression: ${yaml}\n`);
    const { diagnostics, value } = await load(text);
    expect(diagnostics).toMatchObject([
      { code: "expression/syntax", severity: "error", span: { start: { line: at[0], column: at[1] } } },
    ]);
    expect(diagnostics[0] && marked(text, diagnostics[0])).toBe("&");
    expect(value).toEqual([]);
  });

  it.each([
    { what: "that ends too early", expression: "a &&\n          \n", under: "&" },
    { what: "with an open bracket", expression: "f(a", under: "a" },
    { what: "with an open quote", expression: 'a == "b', under: '"b' },
    { what: "in another language", expression: "a and b", under: "and" },
    { what: "with a word that is reserved", expression: "a == for", under: "for" },
    { what: "with a character beyond the first plane", expression: "a 😀 b", under: "😀" },
  ])("$what", async ({ expression, under }) => {
    const text = templateScope(`  scope:\n    celExpression:\n      expression: |\n        ${expression}\n`);
    const { diagnostics } = await load(text);
    expect(diagnostics.map(({ code }) => code)).toEqual(["expression/syntax"]);
    expect(diagnostics[0] && marked(text, diagnostics[0])).toBe(under);
  });

  it("through an alias, where it is written", async () => {
    const text = templateScope(
      `  scope:\n    celExpression: { expression: &e "${wrong}" }\n    accountCelExpression: { expression: *e }\n`,
    );
    const { diagnostics } = await load(text);
    expect(diagnostics.map(({ span }) => span?.start.line)).toEqual([8, 8]);
  });
});

describe("an expression beyond all measure is a warning of its own:", () => {
  it.each([
    "!".repeat(100_000),
    "(".repeat(100_000),
    "1+".repeat(300_000),
    "-".repeat(10_000),
    "a.b".repeat(1000),
  ])("%#", (text) => {
    expect(readExpression(text).fault?.code).toMatch(/^expression\/(too-large|syntax)$/);
  });
});
