// Bundles a module of TypeScript with what it imports, so that a script can run it.
import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";

const ROOT = fileURLToPath(new URL("..", import.meta.url));

/**
 * Bundles the module at a path from the root of the project into a folder; gives the file. The folder must be below
 * node_modules where the bundle imports packages.
 * @param {string} entry
 * @param {string} folder
 * @param {import("esbuild").BuildOptions} [options] instead of what is usual, such as packages in the bundle
 */
export async function bundleModule(entry, folder, options = {}) {
  const outfile = join(folder, `${basename(entry, ".ts")}-${randomUUID()}.mjs`);
  await build({
    entryPoints: [join(ROOT, entry)],
    outfile,
    bundle: true,
    format: "esm",
    platform: "node",
    packages: "external",
    logLevel: "error",
    // A package in it may be CommonJS, which calls `require`.
    banner: {
      js: 'import { createRequire as __r } from "node:module"; const require = __r(import.meta.url);',
    },
    ...options,
  });
  return outfile;
}

/**
 * Bundles a module as `bundleModule` does and loads it. The caller gives its type: `typeof import("…")`.
 * @param {string} entry
 * @param {string} folder
 * @param {import("esbuild").BuildOptions} [options]
 */
export async function loadModule(entry, folder, options = {}) {
  return import(pathToFileURL(await bundleModule(entry, folder, options)).href);
}

/**
 * Bundles and loads a module as `loadModule` does; the bundle is gone afterwards.
 * @param {string} entry
 */
export async function loadOnce(entry) {
  const folder = mkdtempSync(join(ROOT, "node_modules", ".once-"));
  try {
    return await loadModule(entry, folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
