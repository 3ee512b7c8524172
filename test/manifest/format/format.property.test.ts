import fc from "fast-check";
import { expect, test } from "vitest";
import { parseAllDocuments } from "yaml";
import { formatText } from "../../../src/manifest/format/formatText.js";
import { parse } from "../../../src/manifest/parse/parse.js";
import { cases } from "../../fakes/cases.js";
import { anyManifest } from "./anyManifest.js";

const RUNS = { numRuns: cases(40) };

function read(text: string): unknown {
  return parseAllDocuments(text, { logLevel: "silent" }).map((document) => {
    expect(document.errors).toEqual([]);
    return document.toJS();
  });
}

test("any manifest says the same after its layout, keeps every comment, and is laid out once and for all", () => {
  fc.assert(
    fc.property(anyManifest, ({ text, comments }) => {
      const before = read(text);
      const { value, diagnostics } = formatText({ file: "any.yaml", text, named: true });
      expect(diagnostics).toEqual([]);
      expect(read(value)).toEqual(before);
      for (let index = 0; index < comments; index += 1) {
        expect(value.match(new RegExp(`#c${index}(?!\\d)`, "g")), `#c${index}`).toHaveLength(1);
      }
      expect(formatText({ file: "any.yaml", text: value, named: true }).value).toBe(value);
    }),
    RUNS,
  );
});

test("a laid out manifest has no carriage return, no two blank lines outside its texts and one line break at its end", () => {
  fc.assert(
    fc.property(anyManifest, ({ text }) => {
      const { value } = formatText({ file: "any.yaml", text, named: true });
      expect(value).not.toMatch(/\r|^\ufeff/);
      if (!/[|>]/.test(text)) expect(value).not.toMatch(/\n\n\n|[^\n]\n\n$/);
    }),
    RUNS,
  );
});

test("a damaged manifest is laid out or left, and never changes what is read of it", () => {
  const damaged = fc
    .tuple(
      anyManifest,
      fc.nat(),
      fc.nat(12),
      fc.constantFrom(
        "",
        " ",
        "\n",
        "\t",
        ":",
        "#",
        "- ",
        "{",
        "'",
        '"',
        "&a ",
        "*a",
        "|",
        "---\n",
        "\0",
        "? ",
        "\r",
        "\r\r\n",
      ),
    )
    .map(([{ text }, at, length, put]) => {
      const from = at % (text.length + 1);
      return text.slice(0, from) + put + text.slice(from + length);
    });
  const values = (text: string) =>
    parse({ file: "any.yaml", text: text.replace(/^\ufeff/, ""), named: true }).value.map(
      ({ value }) => value,
    );
  fc.assert(
    fc.property(damaged, (text) => {
      const { value, diagnostics } = formatText({ file: "any.yaml", text, named: true });
      if (diagnostics.length > 0) expect(value).toBe(text);
      expect(values(value)).toEqual(values(text));
      expect(formatText({ file: "any.yaml", text: value, named: true }).value).toBe(value);
    }),
    RUNS,
  );
});
