import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { GRAMMAR } from "../../../src/manifest/cel.js";
import { readValues } from "../../../src/manifest/expand/values.js";
import { checkAll } from "../../../src/manifest/load.js";
import { renderedFrom } from "../../../src/manifest/renderAll.js";
import type { Resource } from "../../../src/manifest/resource.js";
import type { Source } from "../../../src/manifest/source.js";
import { NO_VOCABULARY } from "../../../src/manifest/vocabulary.js";
import { formatAddress } from "../../../src/model/address.js";
import type { Diagnostic } from "../../../src/model/diagnostic.js";
import { isObject, type Json } from "../../../src/model/json.js";
import { meaningOf, source } from "./scene.js";

const ROWS = Number(process.env.REMIT_TEST_ROWS ?? 150);

/** What could end a scalar, a line, a brace, a literal or an expression, and what is only long. */
const pieces = fc.oneof(
  fc.constantFrom(
    ...[
      '"',
      "'",
      "\\",
      "\n",
      "\r\n",
      "\r",
      "\t",
      "{",
      "}",
      "{{",
      "}}",
      "{d.id}",
      "{rows}",
      "$value",
      "$text",
    ],
    ...[
      "a: b",
      "- x",
      " # note",
      "---",
      "...",
      "&a ",
      "*a",
      "!!str ",
      "|",
      ">",
      "%",
      "@",
      "`",
      ", ",
      "]",
      "[",
    ],
    ...[
      '" || true || "',
      "' || true || '",
      "subject",
      "size(",
      "//",
      "r'",
      '"""',
      "\\u0022",
      "with",
      "department",
    ],
    ...["\u0000", "\u001b[31m", "\u0085", "\u2028", "\u2029", "\ufeff", "\u202e", "\ud800", "😀", "\u007f"],
    ...["yes", "null", "0x10", "1e3", "~", "", "<<: *a", "{ $value: rows }", "- { $values: rows }"],
  ),
  fc.string({ unit: "binary", maxLength: 8 }),
);

const text = fc.oneof(
  { weight: 40, arbitrary: fc.array(pieces, { maxLength: 6 }).map((all) => all.join("")) },
  { weight: 1, arbitrary: pieces.map((piece) => piece + "x".repeat(100_000) + piece) },
);

/** How an author writes a scalar: safely, or so that its characters may mean something to YAML. */
const STYLES = {
  escaped: (value: string) => escaped(value),
  single: (value: string) => `'${value.replaceAll("'", "''")}'`,
  raw: (value: string) => value,
  block: (value: string) => `|\n        ${value.replaceAll("\n", "\n        ")}`,
} as const;

function escaped(value: string): string {
  return JSON.stringify(value).replace(
    /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

interface File {
  readonly style: keyof typeof STYLES;
  readonly rows: readonly { readonly text: string; readonly isInId: boolean }[];
}

const row = fc.record({ text, isInId: fc.nat(79).map((at) => at === 0) });

/** One mistake in a file hides the rest of it, so only what is written safely stands together. */
const files: fc.Arbitrary<File> = fc.oneof(
  {
    weight: 2,
    arbitrary: fc.record({
      style: fc.constant("escaped" as const),
      rows: fc.array(row, { minLength: 8, maxLength: 12 }),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      style: fc.constantFrom("single" as const, "raw" as const, "block" as const),
      rows: fc.array(row, { minLength: 1, maxLength: 1 }),
    }),
  },
);

const APP = "2fsgTvxP0DVTsNXEUBI7hOe0l5A";

function valuesOf({ rows, style }: File): string {
  const written = rows.map(({ text: value, isInId }, at) => {
    const scalar = STYLES[style](value);
    return `    - id: ${isInId ? scalar : `odd-${at}`}\n      text: ${scalar}\n`;
  });
  return `apiVersion: remit/v1\nkind: Values\nspec:\n  rows:\n${written.join("")}    - id: even\n      text: plain\n`;
}

/** Every place that a value may be put in: texts, literals, ids, choices and times. */
const SHAPES = `apiVersion: remit/v1
kind: EntitlementAutomation
metadata: { name: fits, labels: { team: { $value: d.id } } }
forEach: { in: rows, as: d }
spec:
  appId: ${APP}
  appEntitlementId: { alias: { $value: d.id } }
  displayName: { $text: "Members of {d.text} {{x}}" }
  description: { $value: d.text }
  cel:
    expression: subject.department == department || [department].exists(one, one in many)
    with: { department: { $value: d.text }, many: [{ $value: d.text }] }
---
apiVersion: remit/v1
kind: TemplateScope
metadata: { name: seldom-fits, labels: { team: { $value: d.text } } }
forEach: { in: rows, as: d }
spec:
  templateId: { $value: d.text }
  scope:
    userCriteria: { userStatus: [{ $value: d.text }] }
    grantsByCriteria: { daysSinceLastUsed: { $value: d.text } }
`;

/** How many rows were tried, and how many files were read as they are or had a mistake. */
let count = 0;
const seen = { accepted: 0, refused: 0 };

describe("hostile rows", () => {
  it("change no structure, and each diagnostic is inside a line that the author wrote", () => {
    fc.assert(
      fc.property(files, (file) => {
        const shapes = source(SHAPES);
        const sources = [source(valuesOf(file), "values/a.yaml"), shapes];
        const values = readValues(sources.slice(0, 1));
        const vocabulary = { ...NO_VOCABULARY, values, valuesFiles: new Set(["values/a.yaml"]) };
        const { resources, diagnostics } = checkAll(sources, vocabulary);
        const told = [...values.diagnostics, ...diagnostics.map(({ diagnostic }) => diagnostic)];
        for (const diagnostic of told) expect(misplaced(diagnostic, sources)).toEqual([]);

        const fits = resources.filter(({ address }) => address.name.startsWith("fits["));
        const list = meaningOf(values, "rows");
        const meant = Array.isArray(list) && values.diagnostics.length === 0 ? list : [];
        for (const { address, spec, place } of fits) {
          const own = meant.find((one) => isObject(one) && address.name === `fits[${one.id}]`);
          const { text: value } = own as { text: string };
          expect(spec).toMatchObject({ displayName: `Members of ${value} {x}`, description: value });
          expect(skeleton(spec)).toEqual(skeletonOfPlain);
          expect(place(["spec", "description"]).span.file).toBe("values/a.yaml");
        }
        // What is left out is reported.
        if (fits.length <= file.rows.length)
          expect(told.filter(({ severity }) => severity === "error")).not.toEqual([]);
        const isAccepted = fits.length === meant.length && meant.length > 0;
        if (isAccepted && told.every(({ code }) => !code.startsWith("yaml/"))) {
          const rendered = renderedFrom([shapes], vocabulary).filter((one) => one.address.includes("/fits["));
          expect(rendered).toHaveLength(fits.length);
          const again = checkAll([source(rendered.map((one) => one.text).join("---\n"))], NO_VOCABULARY);
          const specs = (list: readonly Resource[]) =>
            new Map(list.map(({ address, spec }) => [formatAddress(address), spec]));
          expect(specs(again.resources)).toEqual(specs(fits));
        }
        count += file.rows.length;
        seen[isAccepted ? "accepted" : "refused"] += 1;
      }),
      { numRuns: Math.ceil(ROWS / 3) },
    );
    // Three rows a file and more on average, and neither side of the law is empty.
    expect(count).toBeGreaterThanOrEqual(ROWS);
    expect(Math.min(seen.accepted, seen.refused)).toBeGreaterThan(ROWS / 20);
  }, 3_600_000);
});

/** What is wrong with the places of a diagnostic: a file that is not there, or characters outside of its lines. */
function misplaced(diagnostic: Diagnostic, sources: readonly Source[]): readonly string[] {
  const { span, excerpt, related = [] } = diagnostic;
  if (span === undefined) return [`${diagnostic.code} has no place`];
  return [span, ...related.map((one) => one.span)].flatMap((one, at) => {
    const lines = sources.find(({ file }) => file === one.file)?.text.split("\n");
    if (lines === undefined) return [`${one.file} was not written`];
    const [first, last] = [lines[one.start.line - 1], lines[one.end.line - 1]];
    if (first === undefined || last === undefined) return [`line ${one.start.line} was not written`];
    const isInside = one.start.column <= first.length + 1 && one.end.column <= last.length + 1;
    const isForward =
      one.start.line < one.end.line ||
      (one.start.line === one.end.line && one.start.column <= one.end.column);
    const isShown = at > 0 || excerpt === undefined || first.includes(excerpt.text);
    // A byte order mark in the middle of a text is written, too.
    const isWritten = /[^ \t\r]/.test(first);
    return isInside && isForward && isShown && isWritten
      ? []
      : [`${diagnostic.code} ${JSON.stringify({ one, isInside, isForward, isShown, isWritten })}`];
  });
}

/** A spec without its words: names of fields, lengths of lists, and the trees of expressions. */
function skeleton(value: Json, name = ""): unknown {
  if (typeof value === "string") return name === "expression" ? treeOf(GRAMMAR.parse(value).ast) : "text";
  if (Array.isArray(value)) return value.map((item) => skeleton(item));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([field, inner]) => [field, skeleton(inner, field)]));
}

/** The tree of an expression without its literals. */
function treeOf(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(treeOf);
  if (typeof node !== "object" || node === null || !("op" in node) || !("args" in node)) return node;
  const { op, args } = node as { op: string; args: unknown };
  return op === "value" ? "literal" : [op, treeOf(args)];
}

const skeletonOfPlain = skeleton({
  appId: APP,
  appEntitlementId: { alias: "a" },
  displayName: "a",
  description: "a",
  cel: { expression: 'subject.department == "a" || ["a"].exists(one, one in ["a"])' },
});
