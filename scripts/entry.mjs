// What the command's first files bring: themselves and the version of the package.
import { readFile } from "node:fs/promises";
import { join } from "node:path";

/**
 * The plugin for the command's first file: the one that loads its modules stands beside it.
 * @type {import("esbuild").Plugin}
 */
export const besideIt = {
  name: "beside it",
  setup({ onResolve }) {
    onResolve({ filter: /^\.\/packaged\.js$/ }, ({ path }) => ({ path, external: true }));
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
