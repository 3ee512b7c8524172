import { describe, expect, it } from "vitest";
import { parse } from "../../src/manifest/parse/parse.js";
import { cases } from "../fakes/cases.js";
import { line, load, marked, resourceType, told } from "./loading.js";

/** Nine aliases of nine aliases, and so on: a few hundred bytes that unfold to billions of values. */
const BOMB = Array.from(
  { length: 12 },
  (_, at) => `a${at}: &a${at} [${Array(9).fill(at === 0 ? "x" : `*a${at - 1}`)}]`,
);

describe("a text that is broken or hostile ends in findings with places:", () => {
  const M = 1024 * 1024;
  it.each<{ what: string; text: string; says: readonly string[] }>([
    { what: "an empty file", text: "", says: ["1:1 manifest/empty"] },
    { what: "a file of blank lines", text: "\n\n", says: ["1:1 manifest/empty"] },
    { what: "comments alone", text: "# one\n---\n# two\n...\n", says: ["1:1 manifest/empty"] },
    { what: "an unclosed quote", text: `${resourceType()}  traitIds: ["a]\n`, says: ["9:14 yaml/syntax"] },
    {
      what: "an unclosed bracket",
      text: `${resourceType()}  traitIds: [a\n`,
      says: ["9:13 yaml/syntax"],
    },
    {
      what: "an open bracket around closed ones",
      text: `${resourceType()}  traitIds: [a, [b], {c: d}\n`,
      says: ["9:13 yaml/syntax"],
    },
    { what: "anchors alone in a line", text: "&a ".repeat(cases(20_000)), says: ["1:4 yaml/alias"] },
    { what: "a tab as indentation", text: `${resourceType()}  traitIds:\n\t- a\n`, says: ["10:1 yaml/tab"] },
    { what: "two values in a line", text: `${resourceType()}  traitIds: a: b\n`, says: ["9:13 yaml/syntax"] },
    { what: "a name without a colon", text: `${resourceType()}  traitIds\n`, says: ["9:3 yaml/syntax"] },
    { what: "a wrong escape", text: `${resourceType()}  traitIds: ["\\d"]\n`, says: ["9:15 yaml/syntax"] },
    {
      what: "a name written twice",
      text: resourceType({ rest: "  id: x\n" }),
      says: ["9:3 yaml/duplicate-name"],
    },
    { what: "a value without a name", text: `${resourceType()}  : x\n`, says: ["9:1 yaml/name"] },
    { what: "a list as a name", text: `${resourceType()}  ? [a]\n  : x\n`, says: ["9:5 yaml/name"] },
    { what: "an alias without its anchor", text: resourceType({ id: "*nope" }), says: ["7:7 yaml/alias"] },
    {
      what: "an alias inside its anchor",
      text: `${resourceType()}  traitIds: &t [*t]\n`,
      says: ["9:17 yaml/alias"],
    },
    {
      what: "an alias bomb",
      text: `apiVersion: remit/v1\nkind: ResourceType\n${BOMB.join("\n")}\n`,
      says: ["8:10 yaml/alias-bomb"],
    },
    { what: "a merge of a text", text: `${resourceType()}  <<: x\n`, says: ["9:7 yaml/merge"] },
    { what: "an unknown tag", text: resourceType({ id: "!!binary aGk=" }), says: ["7:7 yaml/tag"] },
    { what: "a tag of one's own", text: resourceType({ id: "!secret x" }), says: ["7:7 yaml/tag"] },
    { what: "an older YAML", text: `%YAML 1.1\n---\n${resourceType()}`, says: ["1:1 yaml/directive"] },
    { what: "an unknown directive", text: `%REMIT 1\n---\n${resourceType()}`, says: ["1:1 yaml/directive"] },
    { what: "a NUL", text: resourceType({ id: "a\0" }), says: ["7:8 yaml/control-character"] },
    {
      what: "an escape character",
      text: resourceType({ id: "\x1b[31m" }),
      says: ["7:7 yaml/control-character"],
    },
    { what: "10,000 brackets", text: `a: ${"[".repeat(10_000)}`, says: ["1:102 yaml/too-deep"] },
    {
      what: "10,000 braces",
      text: `a: ${"{a: ".repeat(10_000)}${"}".repeat(10_000)}`,
      says: ["1:396 yaml/too-deep"],
    },
    { what: "10,000 dashes", text: `${"- ".repeat(10_000)}x`, says: ["1:199 yaml/too-deep"] },
    { what: "10,000 question marks", text: `${"? ".repeat(10_000)}x`, says: ["1:199 yaml/too-deep"] },
    {
      what: "2,000 indentations",
      text: Array.from({ length: 2_000 }, (_, depth) => `${" ".repeat(depth)}a:`).join("\n"),
      says: ["100:100 yaml/too-deep"],
    },
    { what: "8 MB of one list", text: "- a\n".repeat(2 * M), says: ["200000:4 yaml/too-large"] },
    {
      what: "a template's braces in each line",
      text: "{{ x }}\n".repeat(cases(M / 64)),
      says: ["1:2 yaml/name"],
    },
    {
      what: "documents of others",
      text: "a: 1\n---\n".repeat(cases(10_000)),
      says: ["1:1 manifest/foreign"],
    },
    { what: "100,000 empty documents", text: "---\n".repeat(100_000), says: ["50002:3 yaml/too-large"] },
    { what: "more than 8 MB", text: " ".repeat(8 * M + 1), says: ["file/too-large"] },
  ])("$what", async ({ text, says }) => {
    expect((await told(text)).slice(0, says.length)).toEqual(says);
  });
});

describe("one document has as many pieces as is allowed at most, and one text as many documents:", () => {
  const CAPACITY = { pieces: 10_000, documents: 500 };
  it.each([
    { what: "a flow list", text: `[${"a,".repeat(50_000)}]`, says: "1:6667 yaml/too-large" },
    { what: "closing brackets", text: "]".repeat(20_000), says: "1:10000 yaml/too-large" },
    { what: "quotes", text: '"'.repeat(50_000), says: "1:20000 yaml/too-large" },
    { what: "documents", text: "a: 1\n---\n".repeat(1_000), says: "1002:3 yaml/too-large" },
  ])("$what", ({ text, says }) => {
    const { diagnostics } = parse({ file: "a.yaml", text, named: true }, CAPACITY);
    expect(diagnostics.map(line)).toEqual([says]);
  });
});

it("standard input is called by its name", async () => {
  const { diagnostics } = await load(" ".repeat(8 * 1024 * 1024 + 1));
  expect(diagnostics[0]?.message).toMatch(/^standard input holds/);
});

describe("a value is what YAML 1.2 says, and a text needs its quotes:", () => {
  it.each(["0123", "123", "0x1F", "1e3", "1_000", ".5", "-7", ".inf", "true", "False", "1.20"])(
    "%s",
    async (id) => {
      const text = resourceType({ id });
      const { value, diagnostics } = await load(text);
      const [fault] = diagnostics;
      if (id === "1_000") {
        expect(value[0]?.spec.id).toBe("1_000");
        return;
      }
      expect(fault).toMatchObject({ code: "schema/type", hint: `Put it in quotes: "${id}".` });
      expect(fault?.message).toContain(id);
      expect(fault && marked(text, fault)).toBe(id);
    },
  );

  it.each([
    "yes",
    "no",
    "on",
    "off",
    "y",
    "2024-01-01",
    "2024-01-01T00:00:00Z",
    "12:30:45",
    "0o9",
    "nul",
    "1.2.3",
  ])("%s is a text as it stands", async (displayName) => {
    const { value, diagnostics } = await load(
      resourceType({ id: `x\n  description: ${displayName}` })
        .replace("displayName: Team", `displayName: ${displayName}`)
        .replace(/ {2}description.*\n/, ""),
    );
    expect(diagnostics).toEqual([]);
    expect(value[0]?.spec.displayName).toBe(displayName);
  });

  it.each(["'0123'", '"0123"', "!!str 0123", "|-\n    0123", ">-\n    0123"])(
    "%s is the text 0123",
    async (id) => {
      const { value, diagnostics } = await load(resourceType({ id }));
      expect(diagnostics).toEqual([]);
      expect(value[0]?.spec.id).toBe("0123");
    },
  );

  it("around the spec, too", async () => {
    const text = resourceType().replace(
      "  name: team",
      "  name: team\n  labels: { year: 2026 }\n  annotations:\n    remit/protect: true",
    );
    expect((await load(text)).diagnostics.map(({ hint }) => hint)).toEqual([
      'Put it in quotes: "2026".',
      'Put it in quotes: "true".',
    ]);
  });
});

describe("what is unusual and allowed:", () => {
  it("a byte order mark, CRLF and an end without a line end", async () => {
    const { value, diagnostics } = await load(`\ufeff${resourceType().trimEnd().replaceAll("\n", "\r\n")}`);
    expect(diagnostics).toEqual([]);
    expect(value[0]?.spec).toEqual({ appId: "app1", id: "type1", displayName: "Team" });
  });

  it("anchors, aliases and merge keys, the nearest name winning", async () => {
    const { value, diagnostics } = await load(`apiVersion: remit/v1
kind: ResourceType
metadata: { name: team, labels: &both { team: a, tier: b }, annotations: { <<: [*both, { extra: c }], tier: d } }
spec: { appId: &app app1, id: *app, displayName: Team }
`);
    expect(diagnostics).toEqual([]);
    expect(value[0]?.annotations).toEqual({ tier: "d", team: "a", extra: "c" });
    expect(value[0]?.spec.id).toBe("app1");
  });

  it("JSON, indented with tabs", async () => {
    const json = JSON.stringify(
      {
        apiVersion: "remit/v1",
        kind: "ResourceType",
        metadata: { name: "team" },
        spec: { appId: "a", id: "b", displayName: "T" },
      },
      null,
      "\t",
    );
    expect((await load(json)).diagnostics).toEqual([]);
  });

  it("%YAML 1.2, %TAG and !!str", async () => {
    expect(
      await told(`%YAML 1.2\n%TAG !t! tag:yaml.org,2002:\n---\n${resourceType({ id: "!t!str x" })}`),
    ).toEqual([]);
  });

  it("empty documents among others", async () => {
    const { value, diagnostics } = await load(`---\n---\n${resourceType()}---\n# nothing\n---\n`);
    expect(diagnostics).toEqual([]);
    expect(value).toHaveLength(1);
  });
});

describe("__proto__ is a name like any other", () => {
  it("in a map of names", async () => {
    const { value } = await load(
      resourceType().replace("name: team", "name: team\n  labels: { __proto__: x, constructor: y }"),
    );
    expect(Object.entries(value[0]?.labels ?? {})).toEqual([
      ["__proto__", "x"],
      ["constructor", "y"],
    ]);
  });

  it.each(["__proto__", "constructor", "toString"])("and no field: %s", async (name) => {
    expect(await told(`${resourceType()}  ${name}: { a: b }\n`)).toEqual(["9:3 schema/unknown-field"]);
  });

  it("nor a kind", async () => {
    expect(await told(resourceType().replace("ResourceType", "constructor"))).toEqual(["2:7 manifest/kind"]);
  });
});
