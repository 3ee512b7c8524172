// Builds the package's generated files: dist/, THIRD_PARTY_NOTICES, sbom.cdx.json and the schemas beside each example.
// `--into DIR` puts them elsewhere.
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { build } from "esbuild";
import { bundledPackages } from "./bundled.mjs";
import { compiledSchemas } from "./compiledSchemas.mjs";
import { oneEntry, versionOnly } from "./entry.mjs";
import { broughtExamples, giveSchemas } from "./examples.mjs";
import { fewFiles } from "./fewFiles.mjs";
import { lateWidths } from "./lateWidths.mjs";
import { noticesOf } from "./notices.mjs";
import { sbomOf } from "./sbom.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const { values } = parseArgs({ options: { into: { type: "string", default: root } } });
const into = resolve(values.into);
const dist = join(into, "dist");

// Tests bundle the command with the same options. Two of them need a reason:
// - `alias`: at every token, the YAML parser's build for node reads an environment variable for debugging. The browser build does not.
// - `banner`: some packages are CommonJS, and call `require` for node's own modules.
const bundle = JSON.parse(readFileSync(join(root, "scripts", "bundle.json"), "utf8"));

rmSync(dist, { recursive: true, force: true });
mkdirSync(into, { recursive: true });

const options = {
  ...bundle,
  absWorkingDir: root,
  entryPoints: { start: "src/cli/start.ts", index: "src/index.ts" },
  outdir: dist,
  plugins: [versionOnly, lateWidths, await compiledSchemas(root), await broughtExamples(root)],
};
const written = { sourcemap: true, sourcesContent: false, legalComments: "eof" };
const { metafile } = await build({
  ...options,
  ...written,
  plugins: [await fewFiles(options), ...options.plugins],
  chunkNames: "parts/[name]-[hash]",
  metafile: true,
});
await build({
  ...options,
  ...written,
  entryPoints: { remit: "src/cli/remit.ts" },
  plugins: [oneEntry, versionOnly],
  splitting: false,
  banner: {},
});

const compiler = join(root, "node_modules", "typescript", "bin", "tsc");
const types = ["-p", join(root, "tsconfig.build.json"), "--outDir", join(dist, "types")];
execFileSync(process.execPath, [compiler, ...types], { stdio: "inherit" });

const project = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const bundled = bundledPackages(metafile, root);
writeFileSync(join(into, "THIRD_PARTY_NOTICES"), noticesOf(bundled.packages));
writeFileSync(join(into, "sbom.cdx.json"), sbomOf(project, bundled));
giveSchemas(root, join(into, "examples"));
