// Builds the package's generated files: dist/, THIRD_PARTY_NOTICES, sbom.cdx.json and the schemas beside each example.
// `--into DIR` puts them elsewhere.
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { build } from "esbuild";
import { bundledPackages } from "./bundled.mjs";
import { buildCommand, optionsFor, writeBuilt } from "./command.mjs";
import { giveSchemas } from "./examples.mjs";
import { noticesOf } from "./notices.mjs";
import { sbomOf } from "./sbom.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const { values } = parseArgs({ options: { into: { type: "string", default: root } } });
const into = resolve(values.into);
const dist = join(into, "dist");

rmSync(dist, { recursive: true, force: true });
mkdirSync(into, { recursive: true });

const command = await buildCommand({ root, into: dist });
const { metafile: library, outputFiles = [] } = await build({
  ...(await optionsFor(root)),
  entryPoints: { index: "src/index.ts" },
  chunkNames: "parts/[name]-[hash]",
  legalComments: "eof",
  metafile: true,
});
writeBuilt(root, dist, outputFiles);

const compiler = join(root, "node_modules", "typescript", "bin", "tsc");
const types = ["-p", join(root, "tsconfig.build.json"), "--outDir", join(dist, "types")];
execFileSync(process.execPath, [compiler, ...types], { stdio: "inherit" });

const project = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const bundled = bundledPackages([command, library], root);
writeFileSync(join(into, "THIRD_PARTY_NOTICES"), noticesOf(bundled.packages));
writeFileSync(join(into, "sbom.cdx.json"), sbomOf(project, bundled));
giveSchemas(root, join(into, "examples"));
