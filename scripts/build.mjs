import { execFileSync } from "node:child_process";
import { rm } from "node:fs/promises";
import { build } from "esbuild";

await rm("dist", { recursive: true, force: true });

const shared = {
  bundle: true,
  format: "esm",
  platform: "node",
  target: "node20.19",
  sourcemap: true,
  sourcesContent: false,
  minifySyntax: true,
  // The parser's build for node looks up a debugging switch in the environment at every token; this one has none.
  alias: { yaml: "./node_modules/yaml/browser/index.js" },
  legalComments: "eof",
  outdir: "dist",
  // Some packages are CommonJS, and call `require` for node's own modules.
  banner: {
    js: 'import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);',
  },
};

await build({
  ...shared,
  entryPoints: { remit: "src/cli/remit.ts", index: "src/index.ts" },
  splitting: true,
  chunkNames: "parts/[name]-[hash]",
});

execFileSync("npx", ["tsc", "-p", "tsconfig.build.json"], { stdio: "inherit" });
