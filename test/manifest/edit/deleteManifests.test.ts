import { describe, expect, it } from "vitest";
import { deleteManifests, manifestAlone, withManifest } from "../../../src/manifest/edit/deleteManifests.js";
import { parse } from "../../../src/manifest/parse/parse.js";

const doc = (name: string) => `kind: K\nmetadata: { name: ${name} }\n`;
const address = (name: string) => ({ kind: "K", name });
const [a, b, c] = [doc("a"), doc("b"), doc("c")];

describe("a text without a manifest", () => {
  it.each([
    ["the first of three", `${a}---\n${b}---\n${c}`, "a", `${b}---\n${c}`],
    ["one in the middle", `${a}---\n${b}---\n${c}`, "b", `${a}---\n${c}`],
    ["the last", `${a}---\n${b}`, "b", a],
    ["the last without a newline", `${a}---\nkind: K\nmetadata: { name: b }`, "b", a],
    ["with its comments", `${a}--- # two\n# about b\n${b}# end of b\n---\n${c}`, "b", `${a}---\n${c}`],
    ["with CRLF", `${a}---\n${b}`.replaceAll("\n", "\r\n"), "a", b.replaceAll("\n", "\r\n")],
    ["with a directive", `${a}...\n%YAML 1.2\n---\n${b}`, "b", `${a}...\n`],
    ["of no such name", a, "z", a],
  ])("%s", (_title, text, name, expected) => {
    expect(deleteManifests(text, [address(name)])).toBe(expected);
  });

  it.each([
    ["alone", a],
    ["between comments", `# head\n\n${a}# foot\n`],
    ["beside an empty document", `---\n${a}---\n# nothing\n`],
  ])("%s is nothing", (_title, text) => {
    expect(deleteManifests(text, [address("a")])).toBe(null);
  });
});

describe("a manifest that is put back", () => {
  const kept = (name: string) => `${doc(name)}spec:\n  description: |+\n    text\n\n\n`;
  const valuesOf = (text: string) => parse({ file: "a", text, named: true }).value.map(({ value }) => value);

  it.each([
    ["alone", kept("a"), "a"],
    ["the first of two", `${kept("a")}---\n${kept("b")}`, "a"],
    ["the last of two", `${kept("a")}---\n${kept("b")}`, "b"],
    ["of a file with CRLF", `${kept("a")}---\n${kept("b")}`.replaceAll("\n", "\r\n"), "b"],
    ["of a file without a line break at its end", `${kept("a")}---\n${b.trimEnd()}`, "a"],
  ])("says what it said, %s, and every other byte stays", (_title, text, name) => {
    const alone = manifestAlone(text, address(name)) ?? "";
    const rest = deleteManifests(text, [address(name)]) ?? "";
    const back = withManifest(rest, alone);
    expect(back.startsWith(rest)).toBe(true);
    expect(/\r\n/.test(back) && /[^\r]\n/.test(back)).toBe(false);
    expect(new Set(valuesOf(back).map((value) => JSON.stringify(value)))).toEqual(
      new Set(valuesOf(text).map((value) => JSON.stringify(value))),
    );
  });
});
