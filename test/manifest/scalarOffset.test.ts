import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isScalar, parseDocument, Scalar, stringify } from "yaml";
import { offsetsIn } from "../../src/manifest/locate.js";
import { cases } from "../fakes/cases.js";

/** The scalar under `a` in a YAML text: as written, and as read. */
function scalarOf(yaml: string) {
  const node = parseDocument(yaml).get("a", true);
  if (!isScalar(node) || !node.range) throw new Error("no scalar");
  return { raw: yaml.slice(node.range[0], node.range[1]), text: String(node.value) };
}

describe("a character of a text is found in", () => {
  it.each([
    { style: "a plain scalar", yaml: "a: one two", find: "two", at: "two" },
    { style: "a plain scalar over two lines", yaml: "a: one\n   two", find: "two", at: "two" },
    { style: "a plain scalar with an empty line", yaml: "a: one\n\n   two\n\n\n   x", find: "x", at: "x" },
    { style: "single quotes", yaml: "a: 'it''s b'", find: "b", at: "b" },
    { style: "double quotes with escapes", yaml: 'a: "\\t\\x41\\u0042 \\U0001F600 z"', find: "z", at: "z" },
    { style: "double quotes with an escaped line end", yaml: 'a: "one \\\n   two"', find: "two", at: "two" },
    { style: "a literal block", yaml: "a: |\n  one\n\n    two\n  x", find: "x", at: "x" },
    {
      style: "a literal block with an indentation of its own",
      yaml: "a: |2\n    one\n  x\n",
      find: "x",
      at: "x",
    },
    { style: "a folded block", yaml: "a: >-\n  one\n  two\n\n  x\n", find: "x", at: "x" },
    {
      style: "a folded block with deeper lines",
      yaml: "a: >\n  one\n    two\n  three\n\n\n    x\n",
      find: "x",
      at: "x",
    },
    { style: "a block with a comment in its header", yaml: "a: | # why\n  one\n  x\n", find: "x", at: "x" },
    { style: "a block with CRLF", yaml: "a: |\r\n  one\r\n  x\r\n", find: "x", at: "x" },
  ])("$style", ({ yaml, find, at }) => {
    const { raw, text } = scalarOf(yaml);
    expect(offsetsIn(raw, text)?.[text.indexOf(find)]).toBe(raw.indexOf(at));
  });
});

it("the end of a text is where its last character ends", () => {
  const { raw, text } = scalarOf("a: one two");
  expect(offsetsIn(raw, text)?.at(-1)).toBe("one two".length);
});

it("texts that do not belong together have no offsets", () => {
  expect(offsetsIn("one", "two")).toBeUndefined();
  expect(offsetsIn("|\n  one\n", "two\n")).toBeUndefined();
});

const STYLES = ["PLAIN", "QUOTE_SINGLE", "QUOTE_DOUBLE", "BLOCK_LITERAL", "BLOCK_FOLDED"] as const;

it("every letter of a text stands at its offset, however the text is written", () => {
  const texts = fc.string({
    unit: fc.constantFrom("a", "b", "'", '"', "\\", " ", "\n", "😀", "é", "#"),
    minLength: 1,
  });
  fc.assert(
    fc.property(
      texts,
      fc.constantFrom(...STYLES),
      fc.constantFrom(20, 80),
      fc.boolean(),
      (text, type, lineWidth, crlf) => {
        const node = new Scalar(text);
        node.type = type;
        const yaml = stringify({ a: node }, { lineWidth });
        const written = scalarOf(crlf ? yaml.replaceAll("\n", "\r\n") : yaml);
        const offsets = offsetsIn(written.raw, written.text);
        expect(offsets).toHaveLength(written.text.length + 1);
        for (const [index, char] of [...written.text].length === written.text.length
          ? [...written.text].entries()
          : [])
          if (/[ab#]/.test(char)) expect(written.raw[offsets?.[index] ?? -1]).toBe(char);
      },
    ),
    { numRuns: cases(300) },
  );
});
