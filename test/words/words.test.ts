import { describe, expect, it } from "vitest";
import { textsOfPage, textsOfRun, textsOfSchema } from "./documents.js";
import { readTexts } from "./places.js";
import { faultsOf, sentencesOf } from "./rules.js";
import { textsOfSource } from "./texts.js";

/** Folders that may break the rules: none. */
const NOT_YET: readonly string[] = [];

describe("plain English", () => {
  const groups = readTexts();

  it("is checked in every place where a user or a maintainer reads", () => {
    for (const group of [
      "src/bin",
      "src/cli",
      "src/commands",
      "src/report",
      "test/golden",
      "docs",
      "schemas",
      "examples",
      "README.md",
    ])
      expect([group, groups.get(group)?.length ?? 0]).toEqual([
        group,
        expect.toSatisfy((count) => count > 3),
      ]);
  });

  it.each([...groups].filter(([group]) => !NOT_YET.includes(group)))("is written in %s", (_, texts) => {
    expect(texts.flatMap((text) => faultsOf(text))).toEqual([]);
  });
});

describe("the check of words", () => {
  const faultsIn = (source: string) => textsOfSource("planted.ts", source).flatMap((text) => faultsOf(text));

  it.each([
    ["a message", 'fail("nobody could learn it");', "nobody"],
    ["a template", "fail(`the file of $" + "{name} is no manifest`);", "is no"],
    ["texts joined", 'fail("the plan is " + "to be read " + name);', "is to be"],
    ["a text inside a template", "fail(`it $" + '{sure ? "shall go on" : ""} here`);', "shall"],
    ["a comment of one line", "// Mend it first.\nrun();", "Mend"],
    ["a comment over two lines", "// it is\n// to be mended\nrun();", "is to be"],
    [
      "a comment of an exported name",
      "/** What the caller is\n * told of it. */\nexport const one = 1;",
      "told",
    ],
  ])("notices %s", (_, source, turn) => {
    expect(faultsIn(source).join("\n")).toContain(`"${turn}"`);
  });

  it("notices a sentence of 31 words, and leaves one of 30 alone", () => {
    const words = (count: number) => `${Array.from({ length: count }, () => "word").join(" ")}.`;
    expect(faultsOf({ path: "a", line: 1, words: words(30) })).toEqual([]);
    expect(faultsOf({ path: "a", line: 1, words: words(31) })).toEqual([expect.stringContaining("31 words")]);
  });

  it("exempts names: guards, codes and what is quoted as code", () => {
    const words = "The guard `nobody` trips; nobody[abc] names it: https://example.com/told. ```\nshall\n```";
    expect(faultsOf({ path: "a", line: 1, words })).toEqual([]);
  });

  it("reads test names but no fixtures in tests", () => {
    const source = 'it("knows nobody", () => { parse("whoever reads this"); });';
    const texts = textsOfSource("a.test.ts", source, "names");
    expect(texts.map((text) => text.words)).toEqual(["knows nobody"]);
  });

  it("reads descriptions of schemas, and pages without their code", () => {
    expect(textsOfSchema("a", '{\n  "description": "Whoever \\"asks\\".",\n  "type": "object"\n}')).toEqual([
      { path: "a", line: 2, words: 'Whoever "asks".' },
    ]);
    expect(textsOfPage("a", "# One\n\ntwo\nthree\n\n```sh\nshall\n```\n").map((text) => text.words)).toEqual([
      "# One",
      "two\nthree",
    ]);
  });

  it("reads what a golden run printed, without its commands and excerpts of manifests", () => {
    const run = "$ remit plan nobody\nexit 0\n──── stdout\nwarning: one\n14│ name: nobody\n";
    expect(textsOfRun("a", run).map((text) => text.words)).toEqual(["──── stdout", "warning: one"]);
  });

  it("ends a sentence at a full stop, a list item and an empty line", () => {
    expect(sentencesOf("One. Two?\n\nThree\n- four\n- five e.g.x")).toEqual([
      "One.",
      "Two?",
      "Three",
      "- four",
      "- five e.g.x",
    ]);
  });
});
