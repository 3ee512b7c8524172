// Bundles what the command loads before it knows its line as few files: each of them costs a start half a millisecond.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { build } from "esbuild";

const START = "src/cli/commandLine/main.ts";
const LIBRARY = "src/index.ts";

/**
 * The plugin that does so. esbuild makes a file for each set of entries that share modules, and each module that is
 * loaded later is an entry. They all import the start, so they share the whole of it; but not those of the library.
 * @param {import("esbuild").BuildOptions & { absWorkingDir: string }} options of the build
 * @returns {Promise<import("esbuild").Plugin>}
 */
export async function oneStart(options) {
  const { metafile } = await build({ ...options, metafile: true, write: false });
  const ofLibrary = loadedBy(LIBRARY, metafile);
  const entries = Object.values(metafile.outputs).flatMap(({ entryPoint = [] }) => entryPoint);
  const root = options.absWorkingDir;
  const later = new Set(entries.filter((path) => !ofLibrary.has(path)).map((path) => join(root, path)));
  return {
    name: "one start",
    setup({ onLoad }) {
      onLoad({ filter: /\.ts$/ }, async ({ path }) => {
        if (!later.has(path)) return undefined;
        const contents = await readFile(path, "utf8");
        return { contents: `${contents}\nimport ${JSON.stringify(join(root, START))};\n`, loader: "ts" };
      });
    },
  };
}

/** The modules that a module loads, at once or later, and itself. */
function loadedBy(entry, { inputs }) {
  const loaded = new Set([entry]);
  for (const path of loaded)
    for (const { path: imported } of inputs[path]?.imports ?? []) loaded.add(imported);
  return loaded;
}
