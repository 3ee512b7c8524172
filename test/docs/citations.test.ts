import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";

const ROOT = join(import.meta.dirname, "..", "..");
const SERVICE = join(ROOT, "docs", "service");
const CITATION = /(?<folder>[\w./-]*)\b(?<name>interface|live|live-reads)\.md(?: §(?<section>[\dA-Z.]+\b))?/g;
const ROW = /(?<name>interface|live) (?<sections>§[\dA-Z.]+(?:(?:–|, )§?[\dA-Z.]+)*)/g;

test("comments cite the service's documents in docs/service, and sections that exist", () => {
  expect(sources().flatMap(({ file, text }) => faultsIn(file, text))).toEqual([]);
});

test("the sandbox's README names sections that exist", () => {
  const text = readFileSync(join(ROOT, "src/sandbox/README.md"), "utf8");
  const named = [...text.matchAll(ROW)].flatMap(({ groups: { name = "", sections = "" } = {} }) =>
    sections.split(/[–,§ ]+/).flatMap((section) => (section === "" ? [] : [[name, section] as const])),
  );
  expect(named.length).toBeGreaterThan(40);
  expect(named.filter(([name, section]) => !hasSection(name, section))).toEqual([]);
});

describe("a citation is refused", () => {
  test.each([
    ["without its folder", "// see live.md §4"],
    ["of a section that does not exist", "// docs/service/live.md §99"],
  ])("%s", (_, text) => {
    expect(faultsIn("planted.ts", text)).toHaveLength(1);
  });
});

test("the service's documents name no path of a machine", () => {
  for (const file of readdirSync(SERVICE))
    expect(readFileSync(join(SERVICE, file), "utf8")).not.toMatch(/(?<![\w./>}])\/(work|home|root|tmp)\//);
});

function faultsIn(file: string, text: string): readonly string[] {
  return [...text.matchAll(CITATION)].flatMap(([cited, folder, name = "", section]) => {
    if (folder !== "docs/service/") return [`${file}: write docs/service/${name}.md for ${cited}`];
    return section === undefined || hasSection(name, section) ? [] : [`${file}: ${cited} does not exist`];
  });
}

/** Whether a document has a heading or a table row with that number. */
function hasSection(name: string, section: string): boolean {
  const text = readFileSync(join(SERVICE, `${name}.md`), "utf8");
  return text.split("\n").some((line) => /^(?:#+|\|) ([\dA-Z.]*\w)\.? /.exec(line)?.[1] === section);
}

function sources(): readonly { readonly file: string; readonly text: string }[] {
  return ["src", "test", "bench", "scripts"]
    .flatMap((folder) =>
      readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" }).map((file) =>
        join(folder, file),
      ),
    )
    .filter((file) => /\.(ts|mjs)$/.test(file) && file !== "test/docs/citations.test.ts")
    .map((file) => ({ file, text: readFileSync(join(ROOT, file), "utf8") }));
}
