import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { guardNames } from "../../src/plan/guards.js";

const ROOT = join(import.meta.dirname, "..", "..");

// What is written like a code in the source and is none.
const OTHERS = new Set([
  "application/json",
  "application/yaml",
  "application/x-www-form-urlencoded",
  "remit/protect",
  "remit/v1",
  "text/html",
]);

test("every code of the source is in docs/diagnostics.md, once, and no other is", () => {
  const documented = [...read("docs/diagnostics.md").matchAll(/^\| `([^`]+)` +\|/gm)].map(([, code]) => code);
  expect(documented.length).toBe(new Set(documented).size);
  expect([...documented].sort()).toEqual([...codesOfSource()].sort());
});

function codesOfSource(): ReadonlySet<string> {
  const files = readdirSync(join(ROOT, "src"), { recursive: true, encoding: "utf8" });
  const texts = files.filter((file) => file.endsWith(".ts")).map((file) => read(join("src", file)));
  const literals = texts.flatMap((text) =>
    [...text.matchAll(/"([a-z]+\/[a-z0-9-]+)"/g)].map(([, code]) => code ?? ""),
  );
  const guards = guardNames.map((name) => `guard/${name}`);
  return new Set([...literals.filter((code) => !OTHERS.has(code)), ...guards]);
}

function read(file: string): string {
  return readFileSync(join(ROOT, file), "utf8");
}
