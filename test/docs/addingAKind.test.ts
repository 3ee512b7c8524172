import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import resourceType from "../../schemas/resource-type.json" with { type: "json" };
import { outlineSpec } from "../../src/schema/outline.js";

const ROOT = join(import.meta.dirname, "..", "..");
const text = readFileSync(join(ROOT, "docs", "adding-a-kind.md"), "utf8");
const [, code = ""] = /```ts\n(.*?)```/s.exec(text) ?? [];
const [, spec = ""] = /```json\n(.*?)```/s.exec(text) ?? [];
const schema = { ...resourceType, $defs: { ...resourceType.$defs, spec: JSON.parse(spec) } };

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(ROOT, "node_modules", ".docs-"));
  for (const part of ["src/kinds", "schemas"]) mkdirSync(join(folder, part), { recursive: true });
  writeFileSync(join(folder, "schemas", "review-template.json"), JSON.stringify(schema));
  writeFileSync(join(folder, "src/kinds/documented.ts"), code);
  writeFileSync(join(folder, "src/kinds/planted.ts"), code.replace("  isPointedAt: true,\n", ""));
  const config = {
    extends: "../../tsconfig.json",
    // The files stand in src/kinds as far as their imports are concerned.
    compilerOptions: { rootDirs: [".", "../.."], typeRoots: ["../@types"] },
    include: ["src"],
  };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(config));
});

afterAll(() => rmSync(folder, { recursive: true }));

test("the kind of docs/adding-a-kind.md compiles, and one that lacks a member does not", () => {
  const problems = compile();
  expect(problems.filter((line) => line.includes("documented.ts"))).toEqual([]);
  expect(problems.join("\n")).toMatch(/^src\/kinds\/planted\.ts.*Property 'isPointedAt' is missing/s);
});

test("its schema has the shape of a spec", () => {
  expect([...outlineSpec(schema).fields.keys()]).toEqual([
    "templateId",
    "displayName",
    "description",
    "accessReviewDuration",
  ]);
});

/** The compiler's problems with both files, one a line. */
function compile(): readonly string[] {
  const compiler = join(ROOT, "node_modules", "typescript", "bin", "tsc");
  try {
    execFileSync(process.execPath, [compiler, "-p", "."], { cwd: folder, encoding: "utf8", stdio: "pipe" });
    return [];
  } catch (error) {
    return (error as { stdout: string }).stdout.trim().split("\n");
  }
}
