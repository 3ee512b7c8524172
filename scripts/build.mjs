// Builds the package's generated files: dist/, THIRD_PARTY_NOTICES and sbom.cdx.json. `--into DIR` puts them elsewhere.
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { build } from "esbuild";
import { bundledPackages } from "./bundled.mjs";
import { noticesOf } from "./notices.mjs";
import { sbomOf } from "./sbom.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const { values } = parseArgs({ options: { into: { type: "string", default: root } } });
const into = resolve(values.into);
const dist = join(into, "dist");

rmSync(dist, { recursive: true, force: true });
mkdirSync(into, { recursive: true });

const { metafile } = await build({
  absWorkingDir: root,
  entryPoints: { remit: "src/cli/remit.ts", index: "src/index.ts" },
  outdir: dist,
  metafile: true,
  bundle: true,
  splitting: true,
  chunkNames: "parts/[name]-[hash]",
  format: "esm",
  platform: "node",
  target: "node20.19",
  sourcemap: true,
  sourcesContent: false,
  minifySyntax: true,
  // At every token, the parser's build for node reads an environment variable for debugging. The browser build does not.
  alias: { yaml: "./node_modules/yaml/browser/index.js" },
  legalComments: "eof",
  // Some packages are CommonJS, and call `require` for node's own modules.
  banner: {
    js: 'import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);',
  },
});

const compiler = join(root, "node_modules", "typescript", "bin", "tsc");
const types = ["-p", join(root, "tsconfig.build.json"), "--outDir", join(dist, "types")];
execFileSync(process.execPath, [compiler, ...types], { stdio: "inherit" });

const project = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const bundled = bundledPackages(metafile, root);
writeFileSync(join(into, "THIRD_PARTY_NOTICES"), noticesOf(bundled.packages));
writeFileSync(join(into, "sbom.cdx.json"), sbomOf(project, bundled));
