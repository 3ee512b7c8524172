// Builds the command: a small first file, and the modules of the command as CommonJS, which that file loads and of which
// it keeps what was compiled.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { build, transform } from "esbuild";
import { compiledSchemas } from "./compiledSchemas.mjs";
import { besideIt, versionOnly } from "./entry.mjs";
import { broughtExamples } from "./examples.mjs";
import { fewFiles } from "./fewFiles.mjs";
import { lateWidths } from "./lateWidths.mjs";
import { broughtPages } from "./pages.mjs";

/** Source maps name the sources and do not contain them. */
const MAPS = { sourcemap: true, sourcesContent: false };

/**
 * What the modules of the command and of the library are built with. Two options need a reason:
 * - `alias`: at every token, the YAML parser's build for node reads an environment variable for debugging. The browser build does not.
 *   The other one says itself why.
 * - `banner`: some packages are CommonJS, and call `require` for node's own modules.
 * @param {string} root of the project
 */
export async function optionsFor(root) {
  const bundle = JSON.parse(readFileSync(join(root, "scripts", "bundle.json"), "utf8"));
  const plugins = [
    versionOnly,
    lateWidths,
    await compiledSchemas(root),
    await broughtExamples(root),
    await broughtPages(root),
  ];
  return { ...bundle, absWorkingDir: root, plugins, outdir: join(root, "dist"), write: false, ...MAPS };
}

/**
 * Writes to a folder what was built for `dist/`. A source map leads from there to the sources, so that it is the same
 * wherever the files are written.
 * @param {string} root of the project
 * @param {string} into
 * @param {readonly { readonly path: string, readonly contents: string | Uint8Array }[]} files
 */
export function writeBuilt(root, into, files) {
  for (const { path, contents } of files) {
    const file = join(into, relative(join(root, "dist"), path));
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, contents);
  }
}

/**
 * Builds the command into a folder; gives the metafile of its modules.
 * @param {{ root: string, into: string, entry?: string }} places: the project, the folder, and the module that starts a line
 */
export async function buildCommand({ root, into, entry = "src/bin/start.ts" }) {
  // CommonJS has `require`, and the first files need none.
  const shared = { ...(await optionsFor(root)), banner: {} };
  const { outputFiles: first = [] } = await build({
    ...shared,
    splitting: false,
    entryPoints: { remit: "src/bin/remit.ts", packaged: "src/bin/packaged.ts" },
    plugins: [besideIt, versionOnly],
  });
  writeBuilt(root, into, first);
  const options = { ...shared, entryPoints: { start: entry }, outdir: join(root, "dist", "command") };
  const { metafile, outputFiles = [] } = await build({
    ...options,
    plugins: [await fewFiles(options), ...options.plugins],
    metafile: true,
  });
  const maps = new Map(outputFiles.map(({ path, text }) => [path, text]));
  const modules = outputFiles.filter(({ path }) => path.endsWith(".js"));
  const common = modules.map(({ path, text }) =>
    commonOf(path, text, maps.get(`${path}.map`) ?? "", options),
  );
  writeBuilt(root, into, (await Promise.all(common)).flat());
  return metafile;
}

/** A module as the text of a function, and its map. No name is made shorter: CEL's messages name the classes of values. */
async function commonOf(path, code, map, { platform, target }) {
  const inline = `//# sourceMappingURL=data:application/json;base64,${Buffer.from(map).toString("base64")}`;
  const common = await transform(`${code.replace(/\/\/# sourceMappingURL=.*\n*$/, "")}\n${inline}`, {
    format: "cjs",
    platform,
    target,
    supported: { "dynamic-import": false },
    legalComments: "none",
    ...MAPS,
    logOverride: { "empty-import-meta": "error" },
  });
  return [
    { path, contents: `(function (module, exports, require) {${common.code}})` },
    // A module that only passes on what others export comes from no source.
    { path: `${path}.map`, contents: JSON.parse(map).sources.length === 0 ? map : common.map },
  ];
}
