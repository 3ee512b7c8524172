// Bundles modules of the tests into a folder and loads them, so that a script can run what the tests run.
import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";

const root = fileURLToPath(new URL("..", import.meta.url));

/**
 * What the lines of exports name, as one module. A `mutation` takes one text of one file for another: a defect to see
 * whether the tests notice it.
 */
export async function loadTestModules(folder, lines, mutation = null) {
  const outfile = join(folder, `testModules-${randomUUID()}.mjs`);
  await build({
    stdin: { contents: lines.join("\n"), resolveDir: root },
    outfile,
    bundle: true,
    format: "esm",
    platform: "node",
    packages: "external",
    logLevel: "error",
    plugins: mutation === null ? [] : [planting(mutation)],
  });
  return import(pathToFileURL(outfile).href);
}

function planting({ file, from, to }) {
  return {
    name: "planting",
    setup({ onLoad }) {
      const isWanted = (path) => path === join(root, file);
      onLoad({ filter: /\.ts$/ }, async ({ path }) => {
        if (!isWanted(path)) return undefined;
        const parts = (await readFile(path, "utf8")).split(from);
        if (parts.length !== 2) throw new Error(`${file} has ${parts.length - 1} places of: ${from}`);
        return { contents: parts.join(to), loader: "ts" };
      });
    },
  };
}
