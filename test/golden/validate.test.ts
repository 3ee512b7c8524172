import { readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { helpOf, rowOf } from "../../src/words/sections.js";
import { expectFace, face, type Given } from "./harness.js";

const CASES = join(import.meta.dirname, "validate");
const SCOPE = join(CASES, "schema-one-of-users.yaml");

describe("remit validate says of", () => {
  const cases = readdirSync(CASES).filter((name) => !name.endsWith(".face"));

  test("at least forty faults what is wrong, where, and what to do", () => {
    expect(cases.length).toBeGreaterThanOrEqual(40);
  });

  test.each(cases)("%s", async (name) => {
    const input = join(CASES, name);
    const isFolder = statSync(input).isDirectory();
    const seen = await face(input, isFolder ? ["validate"] : ["validate", name]);
    expectFace(join(CASES, `${name.replace(/\.[a-z]+$/, "")}.face`), seen);
  });
});

describe("remit validate", () => {
  const file = "schema-one-of-users.yaml";
  type Run = readonly [name: string, input: string | null, argv: readonly string[], given: Given];
  const runs: readonly Run[] = [
    ["json", SCOPE, ["--format", "json", file], {}],
    ["github", SCOPE, ["--format", "github", file], {}],
    ["github-in-checkout", SCOPE, ["--format", "github", file], { env: { GITHUB_WORKSPACE: "$CWD/.." } }],
    ["sarif", SCOPE, ["--format", "sarif", file], {}],
    ["strict", join(CASES, "schema-enum.yaml"), ["--strict", "schema-enum.yaml"], {}],
    ["stdin", null, ["-"], { stdin: "apiVersion: remit/v1\nkind: TemplateScop\n" }],
    ["codequality", SCOPE, ["--format", "codequality", file], {}],
    ["codequality-in-checkout", SCOPE, ["--format", "codequality", file], { env: { CI_PROJECT_DIR: "$CWD/.." } }],
    ["markdown", SCOPE, ["--format", "markdown", file], {}],
    ["missing", null, ["nowhere.yaml"], {}],
    ["missing-json", null, ["--format", "json", "nowhere.yaml"], {}],
    ["missing-github", null, ["--format", "github", "nowhere.yaml", "."], {}],
    ["missing-sarif", null, ["--format", "sarif", "nowhere.yaml", "."], {}],
    ["none", null, [], {}],
    ["format-unknown", null, ["--format", "xml"], {}],
    ["coloured", SCOPE, [file], { env: { FORCE_COLOR: "1" } }],
    [
      "symlink-loop",
      join(CASES, "key-taken"),
      [],
      { prepare: (cwd) => symlinkSync(cwd, join(cwd, "again")) },
    ],
    [
      "too-large",
      null,
      ["large.yaml"],
      { prepare: (cwd) => writeFileSync(join(cwd, "large.yaml"), Buffer.alloc(50 * 1024 * 1024, "#")) },
    ],
  ];

  test.each(runs)("%s", async (name, input, argv, given) => {
    expectFace(join(import.meta.dirname, "faces", `validate-${name}.face`), await face(input, ["validate", ...argv], given));
  });
});

test("every code that a face shows has a rule that explains it", () => {
  const faces = readdirSync(CASES).filter((name) => name.endsWith(".face"));
  const codes = faces.flatMap((name) =>
    [...readFileSync(join(CASES, name), "utf8").matchAll(/^(?:error|warning)\[([a-z/-]+)\]/gm)].map((match) => match[1] ?? ""),
  );
  expect(new Set(codes).size).toBeGreaterThan(25);
  for (const code of codes) expect(helpOf(rowOf(code)), code).not.toMatch(/^A diagnostic of remit/);
});
