import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { SECTIONS } from "../../src/words/sections.js";

const ROOT = join(import.meta.dirname, "..", "..");
const CITED = /`(?<file>test\/[\w./-]+\.test\.ts)`(?:: "(?<name>[^|\n]+)")?/g;
const CODE = /^`(?<code>[a-z]+\/[a-z-]+)`/;

const document = readFileSync(join(ROOT, "docs/security.md"), "utf8");
const citations = [...document.matchAll(CITED)].map(({ groups: { file = "", name = "" } = {} }) => ({
  file,
  name,
}));
const attacks = document
  .split("\n")
  .filter((line) => line.includes("`test/"))
  .map((line) => line.split(" | "));

it("each attack of the threat model has a test that exists, by its name", () => {
  expect(attacks.length).toBeGreaterThan(40);
  expect(attacks.filter((cells) => cells.length !== 3)).toEqual([]);
  const missing = citations.filter(({ file, name }) => {
    const path = join(ROOT, file);
    return name === "" || !existsSync(path) || !readFileSync(path, "utf8").includes(name);
  });
  expect(missing).toEqual([]);
});

it("each message of the threat model is a code that remit prints", () => {
  const known = SECTIONS.flatMap(({ rows }) => Object.keys(rows));
  const codes = attacks.flatMap(([, message = ""]) => CODE.exec(message)?.groups?.code ?? []);
  expect(codes.filter((code) => !known.includes(code) && !code.startsWith("guard/"))).toEqual([]);
});
