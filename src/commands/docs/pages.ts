import { readdirSync, readFileSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";

const DOCS = fileURLToPath(new URL("../../../docs", import.meta.url));

/**
 * The pages of the documentation by their names: `import`, `kinds/policy`. The index of a folder and what is
 * known of the service are left out. The build replaces this module by one that has the texts: the
 * executable has no folder beside it.
 */
export function pages(docs = DOCS): ReadonlyMap<string, string> {
  const names = readdirSync(docs, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(".md") && entry.name !== "README.md")
    .map((entry) => relative(docs, join(entry.parentPath, entry.name)).split(sep).join("/"))
    .filter((path) => !path.startsWith("service/"))
    .sort();
  return new Map(names.map((path) => [path.slice(0, -".md".length), readFileSync(join(docs, path), "utf8")]));
}
