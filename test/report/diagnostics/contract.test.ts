import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { Ajv } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Diagnostic } from "../../../src/model/diagnostic.js";
import { toGithub } from "../../../src/report/forms/github.js";
import { toJson } from "../../../src/report/forms/json.js";
import { toSarif } from "../../../src/report/forms/sarif.js";
import { toText } from "../../../src/report/forms/terminal/diagnostics.js";
import { finding, HOSTILE } from "./diagnostic.js";

const FORMATS: readonly (readonly [name: string, print: (diagnostics: readonly Diagnostic[]) => string])[] = [
  ["text", (diagnostics) => toText(diagnostics)],
  ["json", toJson],
  ["github", (diagnostics) => toGithub(diagnostics)],
  ["sarif", (diagnostics) => toSarif(diagnostics, { version: "1.2.3" })],
];

const require = createRequire(import.meta.url);
const formats = addFormats.default;

function validator(text: string, ajv: Ajv | Ajv2020) {
  const { $schema: _dialect, id: _id, ...schema } = JSON.parse(text);
  formats(ajv as Ajv);
  return ajv.compile(schema);
}

// Microsoft publishes the official schema with its matchers for Jest; its dialect, draft 4, differs in `id` alone here.
const isSarif = validator(
  readFileSync(require.resolve("@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json"), "utf8"),
  new Ajv({ strict: false, allErrors: true, unicodeRegExp: false }),
);
const isDiagnostics = validator(readFileSync("schemas/diagnostics.json", "utf8"), new Ajv2020());

/** A finding every text of which is the given one. */
function hostile(text: string): Diagnostic {
  const start = { line: 1, column: 1 };
  const span = { file: `dir/${text}`, start, end: { line: 1, column: 4 } };
  const related = [{ message: text, span }];
  return finding(text, [1, 4], { message: text, hint: text, span, related });
}

const anyText = fc.oneof(
  fc.constantFrom(...HOSTILE),
  fc.string({ unit: "binary" }),
  fc.string({ unit: "grapheme" }),
);

// Every control but the line break, what reorders or hides text, and halves of pairs.
const OBEYED = /(?!\n)\p{Cc}|[\u00ad\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff]|\p{Surrogate}/u;

describe.each(FORMATS)("%s", (_name, print) => {
  test("prints nothing that a terminal would obey or hide", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(print([hostile(text)])).not.toMatch(OBEYED);
      }),
    );
  });

  test("prints the same whatever order findings come in", () => {
    const some = [finding("a", [1, 2]), finding("b", [2, 3]), { ...finding("c", [1, 2]), code: "a/b" }];
    expect(print([...some].reverse())).toBe(print(some));
  });

  test("ends with a line break", () => {
    expect(print([finding("a", [1, 2])])).toMatch(/[^\n]\n$/);
  });
});

test.each(FORMATS.filter(([name]) => name !== "github"))(
  "%s holds no mark that a pipeline obeys anywhere in a line",
  (_name, print) => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(print([hostile(text)])).not.toMatch(/##\w*\[/);
      }),
    );
  },
);

test("a value cannot begin a line of text that a workflow would run as a command", () => {
  fc.assert(
    fc.property(anyText, (text) => {
      for (const line of toText([hostile(text)]).split("\n")) expect(line).not.toMatch(/^\s*(?:::|##\[)/);
    }),
  );
});

describe("github", () => {
  test("one finding is one command with its place", () => {
    const one = finding("x", [7, 15], { hint: "Remove one of them." });
    expect(toGithub([one], { folder: "config/prod" })).toBe(
      "::error file=config/prod/reviews/q4.yaml,line=14,endLine=14,col=7,endColumn=15,title=schema/one-of::" +
        "userCriteria and allUsers cannot both be set: a scope has one users_scope%0ARemove one of them.\n",
    );
  });

  test("names related places from the root of the checkout, too", () => {
    const one = finding("x", [7, 15]);
    const related = one.span === undefined ? [] : [{ span: one.span, message: "the first is here" }];
    expect(toGithub([{ ...one, related }], { folder: "config/prod" })).toContain(
      "%0Aconfig/prod/reviews/q4.yaml:14:7: the first is here",
    );
  });

  test("a note is a notice, and what has no file names none", () => {
    expect(toGithub([{ code: "a/b", severity: "note", message: "50%" }])).toBe("::notice title=a/b::50%25\n");
  });

  test("a value cannot forge a command, a property or a line", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const printed = toGithub([hostile(text)]);
        expect(printed.indexOf("\n")).toBe(printed.length - 1);
        const [, properties = ""] = /^::error (.*?)::/.exec(printed) ?? [];
        const names = properties.split(",").map((property) => property.split("=")[0]);
        expect(names).toEqual(["file", "line", "endLine", "col", "endColumn", "title"]);
      }),
    );
  });
});

describe("json", () => {
  test("is as its schema says, and its values are as given", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const printed = JSON.parse(toJson([hostile(text), { code: "a/b", severity: "note", message: text }]));
        expect(isDiagnostics(printed), JSON.stringify(isDiagnostics.errors)).toBe(true);
        expect(printed.diagnostics[0].message).toBe(text);
        expect(printed.diagnostics[1]).toMatchObject({
          message: text,
          span: null,
          hint: null,
          excerpt: null,
          related: [],
        });
      }),
    );
  });

  test("no findings are an empty list", () => {
    expect(JSON.parse(toJson([]))).toEqual({
      formatVersion: 1,
      counts: { errors: 0, warnings: 0, notes: 0, files: 0 },
      diagnostics: [],
    });
  });
});

describe("sarif", () => {
  test("is valid by the official schema, whatever the values", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const log = JSON.parse(
          toSarif([hostile(text), { code: "a/b", severity: "note", message: text }], { version: "1.2.3" }),
        );
        expect(isSarif(log), JSON.stringify(isSarif.errors)).toBe(true);
      }),
    );
  });

  test("names files from the root of the checkout, encoded, and columns by UTF-16", () => {
    const one = finding("x", [7, 15]);
    const odd = {
      ...one,
      span: { file: "a b/ü#?.yaml", start: { line: 1, column: 2 }, end: { line: 3, column: 4 } },
    };
    const { runs } = JSON.parse(toSarif([odd], { version: "1.2.3", folder: "conf" }));
    expect(runs[0].columnKind).toBe("utf16CodeUnits");
    expect(runs[0].results[0].locations[0].physicalLocation).toEqual({
      artifactLocation: { uri: "conf/a%20b/%C3%BC%23%3F.yaml", uriBaseId: "%SRCROOT%" },
      region: { startLine: 1, startColumn: 2, endLine: 3, endColumn: 4 },
    });
  });

  test("lists each rule once, with help, and points results at it", () => {
    const { runs } = JSON.parse(toSarif([finding("a", [1, 2]), finding("b", [3, 4])], { version: "1.2.3" }));
    expect(runs[0].tool.driver).toMatchObject({
      name: "remit",
      version: "1.2.3",
      rules: [{ id: "schema/one-of" }],
    });
    expect(runs[0].tool.driver.rules[0].help.text).not.toBe("");
    expect(runs[0].results.map((result: { ruleIndex: number }) => result.ruleIndex)).toEqual([0, 0]);
  });

  test("a value does not become a link", () => {
    expect(toSarif([hostile("[click](http://evil.example)")], { version: "1.2.3" })).not.toContain("](");
  });

  test.each([
    ["error", false],
    ["warning", true],
  ] as const)("an %s without a place belongs to the run, which was a success: %s", (severity, success) => {
    const { runs } = JSON.parse(toSarif([{ code: "a/b", severity, message: "m" }], { version: "1.2.3" }));
    expect(runs[0].results).toEqual([]);
    const notification = { descriptor: { id: "a/b" }, level: severity, message: { text: "m" } };
    expect(runs[0].invocations).toEqual([
      { executionSuccessful: success, toolExecutionNotifications: [notification] },
    ]);
  });
});
