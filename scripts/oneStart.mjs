// Bundles what the command loads before it knows its line as few files: each of them costs a start a millisecond.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { build } from "esbuild";

const START = "src/cli/run/main.ts";
const LIBRARY = "src/index.ts";

/**
 * The plugin that does so. esbuild makes a file for each set of entries that share modules, and each module that is
 * loaded later is an entry. They all import the start, so they share the whole of it. The library and what it loads
 * import only the modules of the start that the library uses, so it has nothing of the command line.
 * @param {import("esbuild").BuildOptions & { absWorkingDir: string }} options of the build
 * @returns {Promise<import("esbuild").Plugin>}
 */
export async function oneStart(options) {
  const { metafile } = await build({ ...options, metafile: true, write: false });
  const library = loadedBy(LIBRARY, metafile, () => true);
  const start = loadedBy(START, metafile, (kind) => kind === "import-statement");
  const shared = [...start].filter((path) => library.has(path));
  const root = options.absWorkingDir;
  const entries = Object.values(metafile.outputs).flatMap(({ entryPoint = [] }) => entryPoint);
  const added = new Map(
    entries.map((path) => [join(root, path), library.has(path) ? shared : [START, ...shared]]),
  );
  return {
    name: "one start",
    setup({ onLoad }) {
      onLoad({ filter: /\.ts$/ }, async ({ path }) => {
        const imports = added.get(path)?.map((one) => `import ${JSON.stringify(join(root, one))};`);
        if (imports === undefined) return undefined;
        const text = await readFile(path, "utf8");
        return { contents: [text, ...imports].join("\n"), loader: "ts" };
      });
    },
  };
}

/**
 * The plugin for the command's first file: the rest of the command is `start.js` beside it, which another build writes.
 * @type {import("esbuild").Plugin}
 */
export const oneEntry = {
  name: "one entry",
  setup({ onResolve }) {
    onResolve({ filter: /^\.\/start\.js$/ }, ({ path }) => ({ path, external: true }));
  },
};

/**
 * The plugin that bundles the version of the project's package file, and none of its other fields.
 * @type {import("esbuild").Plugin}
 */
export const versionOnly = {
  name: "version only",
  setup({ initialOptions, onLoad }) {
    const packageFile = join(initialOptions.absWorkingDir ?? "", "package.json");
    onLoad({ filter: /package\.json$/ }, async ({ path }) => {
      if (path !== packageFile) return undefined;
      const { version } = JSON.parse(await readFile(path, "utf8"));
      return { contents: JSON.stringify({ version }), loader: "json" };
    });
  },
};

/** The modules that a module loads by imports of some kinds, and itself. */
function loadedBy(entry, { inputs }, isFollowed) {
  const loaded = new Set([entry]);
  for (const path of loaded)
    for (const { kind, path: imported, external } of inputs[path]?.imports ?? [])
      if (isFollowed(kind) && external !== true) loaded.add(imported);
  return loaded;
}
