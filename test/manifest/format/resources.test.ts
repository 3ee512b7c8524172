import { existsSync, readdirSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { readSources } from "../../../src/manifest/files.js";
import { formatText } from "../../../src/manifest/format/formatText.js";
import { readManifests } from "../../../src/manifest/manifests.js";
import type { Source } from "../../../src/manifest/source.js";
import { NO_VOCABULARY } from "../../../src/manifest/vocabulary.js";

/** Everything that is read of a text but its places: resources as they are, findings by their codes. */
function readWhole(source: Source) {
  const { members, diagnostics } = readManifests(source, NO_VOCABULARY);
  const resources = members.map(({ resource: { address, labels, annotations, spec } }) => ({
    address,
    labels,
    annotations,
    spec,
  }));
  return { resources, findings: diagnostics.map(({ diagnostic }) => diagnostic.code).sort() };
}

const FOLDERS = ["test/golden/validate", "test/golden/fmt", "examples"].filter((folder) =>
  existsSync(folder),
);
const { value: read } = await readSources({ paths: FOLDERS, cwd: process.cwd() });
// The build copies the schemas into each example: they are long, and no manifests.
const sources = read.filter(({ file }) => !file.includes("/schemas/"));

describe("the resources and findings of a file are the same after its layout", () => {
  test("for every file there is", () => {
    expect(sources.length).toBeGreaterThan(readdirSync("test/golden/fmt").length);
  });

  test.each(sources.map((source) => [source.file, source] as const))("%s", (_file, source) => {
    expect(readWhole({ ...source, text: formatText(source).value })).toEqual(readWhole(source));
  });
});
