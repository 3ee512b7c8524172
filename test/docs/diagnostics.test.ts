import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { guardNames } from "../../src/plan/guards/guards.js";
import type { Saying } from "../../src/words/saying.js";
import { helpOf, SECTIONS } from "../../src/words/sections.js";

const ROOT = join(import.meta.dirname, "..", "..");

const CODES = SECTIONS.flatMap(({ rows }) => Object.entries<Saying>(rows));

// What is written like a code in the source and is none.
const OTHERS = new Set([
  "application/json",
  "application/vnd",
  "application/vnd.in-toto+json",
  "application/yaml",
  "application/x-www-form-urlencoded",
  "batch/v1",
  "deploy/kubernetes",
  "pods/log",
  "remit/context",
  "remit/protect",
  "remit/v1",
  "text/html",
]);

test("the table of codes has each code that the source can print, once, and no other", () => {
  const listed = CODES.map(([code]) => code);
  expect(listed.length).toBe(new Set(listed).size);
  expect([...listed].sort()).toEqual([...codesOfSource()].sort());
});

test("each code has a severity, a title and a help, or a hint that needs no values", () => {
  for (const [code, row] of CODES) {
    const { severity, title, help } = row;
    expect(["error", "warning", "note"], code).toContain(severity);
    expect(title, code).toMatch(/\S{2}/);
    expect(helpOf(row), code).toMatch(/[.!]$/);
    if (help === undefined) expect(row.hint, code).not.toMatch(/\{[a-z]/i);
  }
});

test("docs/diagnostics.md is made from the table", () => {
  const run = spawnSync("node", ["scripts/docs.mjs", "--check"], { cwd: ROOT, encoding: "utf8" });
  expect(run.stderr).toBe("");
});

function codesOfSource(): ReadonlySet<string> {
  const files = readdirSync(join(ROOT, "src"), { recursive: true, encoding: "utf8" });
  const texts = files
    .filter((file) => file.endsWith(".ts") && !file.startsWith("words"))
    .map((file) => read(join("src", file)));
  const schemas = readdirSync(join(ROOT, "schemas", "source")).map((file) =>
    read(join("schemas", "source", file)),
  );
  const literals = [...texts, ...schemas.flatMap((text) => text.match(/"says": "[^"]*"/g) ?? [])].flatMap(
    (text) => [...text.matchAll(/"([a-z]+\/[a-z0-9-]+)(?:#[a-zA-Z]+)?"/g)].map(([, code]) => code ?? ""),
  );
  const guards = guardNames.map((name) => `guard/${name}`);
  return new Set([...literals.filter((code) => !OTHERS.has(code)), ...guards]);
}

function read(file: string): string {
  return readFileSync(join(ROOT, file), "utf8");
}
