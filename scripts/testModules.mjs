// Bundles modules of the tests into a folder and loads them, so that a script can run what the tests run.
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";

const root = fileURLToPath(new URL("..", import.meta.url));

/** What the lines of exports name, as one module. */
export async function loadTestModules(folder, lines) {
  const outfile = join(folder, "testModules.mjs");
  await build({
    stdin: { contents: lines.join("\n"), resolveDir: root },
    outfile,
    bundle: true,
    format: "esm",
    platform: "node",
    packages: "external",
    logLevel: "error",
  });
  return import(pathToFileURL(outfile).href);
}
