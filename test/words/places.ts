import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { textsOfPage, textsOfRun, textsOfSchema, textsOfYaml } from "./documents.js";
import { type Text, textsOfSource } from "./texts.js";

/** Where words are, and how they are found there; in tests, texts are fixtures and only names and comments count. */
const PLACES: readonly (readonly [string, RegExp, (path: string, text: string) => readonly Text[]])[] = [
  ["src", /\.ts$/, (path, text) => textsOfSource(path, text)],
  ["src", /\.md$/, textsOfPage],
  ["test", /\.ts$/, (path, text) => textsOfSource(path, text, "names")],
  ["test/golden", /\.face$/, textsOfRun],
  ["bench", /\.(mjs|ts)$/, (path, text) => textsOfSource(path, text)],
  ["scripts", /\.mjs$/, (path, text) => textsOfSource(path, text)],
  ["docs", /\.md$/, textsOfPage],
  ["examples", /\.md$/, textsOfPage],
  ["examples", /\.ts$/, (path, text) => textsOfSource(path, text)],
  ["examples", /\.ya?ml$/, textsOfYaml],
  ["schemas", /\.json$/, textsOfSchema],
  [".", /^(README|CHANGELOG|CONTRIBUTING|AGENTS)\.md$/, textsOfPage],
];

/** The check's own examples, and notes about the service in the short form of their sources. */
const EXEMPT = ["test/words/", "docs/service/"];

/** All prose of the project by folder: `src/plan`, `test/plan`, `docs`, `README.md`. */
export function readTexts(): ReadonlyMap<string, readonly Text[]> {
  const groups = new Map<string, Text[]>();
  for (const [folder, wanted, read] of PLACES)
    for (const name of readdirSync(folder, { recursive: folder !== ".", encoding: "utf8" }).sort()) {
      const path = join(folder, name).replaceAll("\\", "/");
      if (!wanted.test(name) || EXEMPT.some((start) => path.startsWith(start)) || !statSync(path).isFile())
        continue;
      const group = /^(src|test)\/[^/]+|^[^/]+/.exec(path)?.[0] ?? path;
      const texts = groups.get(group) ?? [];
      texts.push(...read(path, readFileSync(path, "utf8")));
      groups.set(group, texts);
    }
  return groups;
}
