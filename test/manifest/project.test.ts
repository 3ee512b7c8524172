import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { loadProject } from "../../src/manifest/project.js";
import { folder } from "./folder.js";

const MANIFEST = `apiVersion: remit/v1
kind: ResourceType
metadata: { name: team }
spec: { appId: 2fsgTvxP0DVTsNXEUBI7hOe0l5A, resourceType: CUSTOM, displayName: Team }
`;

/** What is wrong with a project whose `manifests:` names these paths, and whether what is missing counts as removed. */
async function load(files: Readonly<Record<string, string>>, ...project: readonly string[]) {
  const cwd = folder(files);
  const paths = project.map((path) => join(cwd, path));
  const { diagnostics, isComplete } = await loadProject({ project: paths, paths: [], cwd });
  return {
    errors: diagnostics.flatMap(({ diagnostic: { code, severity, message } }) =>
      severity === "error" ? [`${code}: ${message}`] : [],
    ),
    isComplete,
  };
}

describe("a path of a project", () => {
  it.each([
    ["is empty", { "b/note.txt": "" }, "manifest/none: No manifests found in ./b"],
    ["is missing", {}, "file/missing: No manifests found in ./b: the folder does not exist"],
    [
      "has only ignored files",
      { "b/.remitignore": "*", "b/x.yaml": MANIFEST },
      "manifest/none: No manifests found in ./b",
    ],
    ["has only foreign files", { "b/x.yaml": "x: 1\n" }, "manifest/none: No manifests found in ./b"],
    ["has only empty files", { "b/x.yaml": "" }, "manifest/none: No manifests found in ./b"],
  ])(
    "that %s is an error beside one with manifests, so that nothing counts as removed",
    async (_, files, error) => {
      const { errors, isComplete } = await load({ "a/x.yaml": MANIFEST, ...files }, "a", "b");
      expect([errors, isComplete]).toEqual([[error], false]);
    },
  );

  it("may be inside another one, or be named twice", async () => {
    const files = { "a/b/x.yaml": MANIFEST };
    for (const paths of [
      ["a", "a/b"],
      ["a/b", "a"],
      ["a", "a"],
      [".", "a/b/x.yaml"],
    ]) {
      expect(await load(files, ...paths), paths.join()).toEqual({ errors: [], isComplete: true });
    }
  });
});
