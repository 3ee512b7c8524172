// A defect in a bundle, to see whether the tests notice it.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("..", import.meta.url));

/**
 * The plugins that bundle one text of one file in place of another; none without a mutation.
 * @param {{ file: string, from: string, to: string } | null} mutation
 * @returns {import("esbuild").Plugin[]}
 */
export function planting(mutation) {
  if (mutation === null) return [];
  const { file, from, to } = mutation;
  return [
    {
      name: "planting",
      setup({ onLoad }) {
        onLoad({ filter: /\.ts$/ }, async ({ path }) => {
          if (path !== join(ROOT, file)) return undefined;
          const parts = (await readFile(path, "utf8")).split(from);
          if (parts.length !== 2) throw new Error(`${file} has ${parts.length - 1} places of: ${from}`);
          return { contents: parts.join(to), loader: "ts" };
        });
      },
    },
  ];
}
