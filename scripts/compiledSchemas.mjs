// Compiles the schemas that remit checks manifests, settings and its own files with: to compile one when it is first
// used takes longer than most commands.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { transform } from "esbuild";
import { loadOnce } from "./bundleModule.mjs";

/** The module that only prints schemas. */
const PRINTER = /\/commands\/schema\/schemas\.ts$/;
/** The module that compiles a schema when it is first used; nothing is left for it. */
const VALIDATOR = /\/src\/schema\/validator\.ts$/;
const NOTHING_LEFT =
  'export const makeValidator = () => { throw new Error("the build has not compiled this schema"); };';

/**
 * The plugin that puts its compiled check beside each schema that a module imports.
 * @param {string} root of the project
 * @returns {Promise<import("esbuild").Plugin>}
 */
export async function compiledSchemas(root) {
  /** @type {typeof import("./sources/compiled.js")} */
  const { codeFor } = await loadOnce("scripts/sources/compiled.ts");
  const hints = JSON.stringify(join(root, "src/schema/hints.ts"));
  return {
    name: "compiled schemas",
    setup({ onResolve, onLoad, resolve }) {
      onResolve({ filter: /^check:/ }, ({ path }) => ({
        path: path.slice("check:".length),
        suffix: "?check",
      }));
      onResolve({ filter: /\/schemas\/[^/]+\.json$/ }, async ({ path, pluginData, ...from }) => {
        if (pluginData === "resolved" || PRINTER.test(from.importer)) return undefined;
        const found = await resolve(path, { ...from, pluginData: "resolved" });
        return { path: found.path, suffix: "?checked" };
      });
      onLoad({ filter: /\.json$/ }, async ({ path, suffix }) => {
        if (suffix === "") return undefined;
        const schema = readFileSync(path, "utf8");
        if (suffix === "?check") {
          // This code is for node alone, and each start parses it.
          const { code } = await transform(codeFor(JSON.parse(schema)), { minify: true, format: "esm" });
          return { contents: `import { HINTS } from ${hints};\n${code}`, resolveDir: root };
        }
        const contents = `import check from ${JSON.stringify(`check:${path}`)};
          export default Object.defineProperty(${schema}, Symbol.for("remit.check"), { value: check });`;
        return { contents, resolveDir: root };
      });
      onLoad({ filter: VALIDATOR }, () => ({ contents: NOTHING_LEFT }));
    },
  };
}
