import { readdirSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { parseSync } from "oxc-parser";
import { describe, expect, it } from "vitest";

interface Names {
  readonly exported: readonly string[];
  /** `FILE#NAME`; the name is `*` where all of a file is loaded. */
  readonly imported: readonly string[];
}

function namesIn(path: string, text: string): Names {
  const { module } = parseSync(path, text);
  const at = (file: string, name: string | null) =>
    `${posix.join(posix.dirname(path), file).replace(/\.js$/, ".ts")}#${name ?? "*"}`;
  const entries = module.staticExports.flatMap((one) => one.entries);
  return {
    exported: entries.flatMap((one) => (one.moduleRequest === null ? (one.exportName.name ?? []) : [])),
    imported: [
      ...module.staticImports.flatMap((one) =>
        one.entries.map((entry) => at(one.moduleRequest.value, entry.importName.name)),
      ),
      ...entries.flatMap((one) =>
        one.moduleRequest === null ? [] : at(one.moduleRequest.value, one.importName.name),
      ),
      ...[...text.matchAll(/import\("(\.[^"]+)"\)/g)].map(([, file = ""]) => at(file, null)),
    ],
  };
}

/**
 * What a file exports that no file imports; what the library exports is for its users. A script takes names from a
 * bundle, so one that a script writes counts as imported.
 */
function unused(files: ReadonlyMap<string, string>): readonly string[] {
  const scripts = [...files].filter(([path]) => path.endsWith(".mjs")).map(([, text]) => text);
  const taken = new Set(scripts.flatMap((text) => text.match(/\w+/g) ?? []));
  const names = [...files].map(([path, text]) => [path, namesIn(path, text)] as const);
  const imported = new Set(names.flatMap(([, own]) => own.imported));
  return names
    .filter(([path]) => path.startsWith("src/") && path !== "src/index.ts" && !imported.has(`${path}#*`))
    .flatMap(([path, { exported }]) =>
      exported.filter((name) => !taken.has(name)).map((name) => `${path}#${name}`),
    )
    .filter((name) => !imported.has(name));
}

describe("an export", () => {
  it("is imported somewhere", () => {
    const files = ["src", "test", "scripts", "bench", "examples"].flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: "utf8" })
        .filter((path) => /\.(ts|mjs)$/.test(path) && !path.includes("node_modules"))
        .map((path) => `${folder}/${path}`),
    );
    expect(unused(new Map(files.map((path) => [path, readFileSync(join(path), "utf8")])))).toEqual([]);
  });

  it("is found where no file imports it", () => {
    const files = new Map([
      ["src/one.ts", "export const used = 1;\nexport type Alone = string;"],
      ["src/two.ts", 'import { used } from "./one.js";\nexport default used;'],
      ["src/three.ts", 'await import("./two.js");'],
    ]);
    expect(unused(files)).toEqual(["src/one.ts#Alone"]);
  });
});
