// Bundles what commands share as few files: to load one more costs a start as much as to parse a little more code.
import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { build } from "esbuild";

/** So many bytes take as long to parse as one file takes to find and to read. */
const FILE = 40_000;
/** What stands behind the path of an entry. */
const ENTRY = "?entry";

/**
 * The plugin that does so. esbuild makes a file for each set of entries that load the same modules, and each module that
 * is loaded later is an entry. Two such files become one where each of their entries imports the modules of both; that is
 * done as long as it costs less than the files that it spares.
 * @param {import("esbuild").BuildOptions & { absWorkingDir: string, plugins: import("esbuild").Plugin[] }} options of the build
 * @returns {Promise<import("esbuild").Plugin>}
 */
export async function fewFiles(options) {
  const plugins = [withEntries(() => []), ...options.plugins];
  const { metafile } = await build({ ...options, plugins, sourcemap: false, metafile: true });
  const { entries, shared } = sharedIn(metafile);
  const root = options.absWorkingDir;
  /** @type {Map<string, string[]>} */
  const added = new Map(entries.map((entry) => [join(root, entry), []]));
  for (const { modules, isLoadedBy } of merged(shared))
    for (const [at, entry] of entries.entries())
      if (isLoadedBy[at]) added.get(join(root, entry))?.push(...modules.map((one) => named(one, root)));
  return withEntries((path) => added.get(path) ?? []);
}

/**
 * The plugin that makes an entry for each module of the sources that is loaded later. The entry has more imports; what
 * imports the same module without waiting gets none of them.
 * @param {(path: string) => readonly string[]} importsOf
 * @returns {import("esbuild").Plugin}
 */
function withEntries(importsOf) {
  return {
    name: "few files",
    setup({ initialOptions, onResolve, onLoad, resolve }) {
      // A package may say that an import for its effects alone can go: it comes with what uses it.
      initialOptions.logOverride = { "ignored-bare-import": "silent" };
      onResolve({ filter: /^\..*\.js$/ }, async ({ path, kind, pluginData, ...from }) => {
        if (kind !== "dynamic-import" || pluginData === "entry") return undefined;
        const found = await resolve(path, { ...from, kind, pluginData: "entry" });
        return { path: found.path, suffix: ENTRY };
      });
      onLoad({ filter: /\.ts$/ }, async ({ path, suffix }) => {
        const imports = importsOf(`${path}${suffix}`).map((one) => `import ${JSON.stringify(one)};`);
        if (suffix !== ENTRY && imports.length === 0) return undefined;
        const text = await readFile(path, "utf8");
        const own = suffix === ENTRY ? passedOn(path, text) : [text];
        return { contents: [...own, ...imports].join("\n"), loader: "ts", resolveDir: dirname(path) };
      });
    },
  };
}

/** All exports of a module, as a module of its own has them. */
function passedOn(path, text) {
  const from = JSON.stringify(path);
  const named = `export * from ${from};`;
  return /^export (default |\{.* as default)/m.test(text)
    ? [named, `export { default } from ${from};`]
    : [named];
}

/** How an entry imports a module that the metafile names. */
function named(module, root) {
  const [path = "", check] = module.split("?");
  return `${check === "check" ? "check:" : ""}${join(root, path)}`;
}

/**
 * The files that several entries load.
 * @param {import("esbuild").Metafile} metafile
 */
function sharedIn({ outputs }) {
  const entryOf = (file) => outputs[file].entryPoint ?? "";
  const entries = Object.keys(outputs).filter((file) => entryOf(file) !== "");
  const loads = entries.map((file) => loadedBy(file, outputs, ["import-statement"]));
  const files = [...new Set(loads.flatMap((loaded) => [...loaded]))].filter(
    (file) => !entries.includes(file),
  );
  const shared = new Map(
    files.map((file) => {
      const { inputs, bytes } = outputs[file];
      // Plain data comes with what imports it.
      const modules = Object.keys(inputs).filter((module) => !module.endsWith(".json"));
      const isLoadedBy = loads.map((loaded) => loaded.has(file));
      return [file, { modules, bytes, isLoadedBy, needs: new Set() }];
    }),
  );
  for (const [file, { needs }] of shared)
    for (const needed of loadedBy(file, outputs, ["import-statement"]))
      if (needed !== file) needs.add(shared.get(needed));
  return { entries: entries.map(entryOf), shared: [...shared.values()] };
}

/** The files that a file loads by imports of some kinds, by all where none are named, and itself. */
function loadedBy(file, outputs, kinds = ["import-statement", "dynamic-import"]) {
  const loaded = new Set([file]);
  for (const one of loaded)
    for (const { path, kind } of outputs[one].imports)
      if (kinds.includes(kind) && outputs[path] !== undefined) loaded.add(path);
  return loaded;
}

/** Merges pairs, those that spare most first, until none spare anything. */
function merged(shared) {
  const left = new Set(shared);
  for (let isDone = false; !isDone; ) {
    isDone = true;
    const all = [...left];
    const pairs = all.flatMap((one, at) =>
      all.slice(at + 1).flatMap((other) => {
        const gain = gainOf(one, other);
        return gain > 0 ? [{ one, other, gain }] : [];
      }),
    );
    for (const { one, other } of pairs.sort((a, b) => b.gain - a.gain)) {
      // An earlier pair may have changed either.
      if (!left.has(one) || !left.has(other) || gainOf(one, other) <= 0) continue;
      mergeInto(one, other, left);
      isDone = false;
    }
  }
  return left;
}

/** Puts one into another: each entry of either loads both, with all that they need. */
function mergeInto(gone, kept, left) {
  left.delete(gone);
  kept.modules.push(...gone.modules);
  kept.bytes += gone.bytes;
  for (const needed of gone.needs) kept.needs.add(needed);
  kept.needs.delete(gone);
  kept.needs.delete(kept);
  for (const { needs } of left) {
    if (!needs.has(gone) && !needs.has(kept)) continue;
    needs.delete(gone);
    for (const needed of [kept, ...kept.needs]) needs.add(needed);
  }
  kept.isLoadedBy = either(gone, kept);
  for (const needed of kept.needs) needed.isLoadedBy = either(needed, kept);
}

/** The bytes that it spares to make one of two; not above 0 where it costs more, or cannot be done. */
function gainOf(one, other) {
  const all = either(one, other);
  let gain = FILE * one.isLoadedBy.filter((isLoaded, at) => isLoaded && other.isLoadedBy[at]).length;
  const needs = new Set([...one.needs, ...other.needs]);
  for (const needed of new Set([one, other, ...needs])) {
    const isBetween = needed !== one && needed !== other;
    // A file between the two would have to run before and after the one that they become.
    if (isBetween && (needed.needs.has(one) || needed.needs.has(other))) return 0;
    for (const [at, isLoaded] of all.entries()) {
      if (!isLoaded || needed.isLoadedBy[at]) continue;
      gain -= needed.bytes + (isBetween ? FILE : 0);
      if (gain <= 0) return 0;
    }
  }
  return gain;
}

function either(one, other) {
  return one.isLoadedBy.map((isLoaded, at) => isLoaded || other.isLoadedBy[at]);
}
