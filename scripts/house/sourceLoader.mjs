// Lets node run the sources as they are: `node --import ./scripts/sourceLoader.mjs src/…`.
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { register } from "node:module";
import { fileURLToPath } from "node:url";
import { isMainThread } from "node:worker_threads";
import { transform } from "esbuild";

// node loads hooks in a thread of their own.
if (isMainThread) register(import.meta.url);

/** @type {import("node:module").ResolveHook} */
export async function resolve(specifier, context, next) {
  const from = context.parentURL;
  if (from === undefined || !specifier.startsWith(".")) return next(specifier, context);
  const source = new URL(specifier.replace(/\.js$/, ".ts"), from);
  return source.pathname.endsWith(".ts") && existsSync(source)
    ? { url: source.href, format: "module", shortCircuit: true }
    : next(specifier, context);
}

/** @type {import("node:module").LoadHook} */
export async function load(url, context, next) {
  if (!url.endsWith(".ts")) return next(url, context);
  const text = await readFile(new URL(url), "utf8");
  const { code } = await transform(text, { loader: "ts", target: "esnext", sourcefile: fileURLToPath(url) });
  return { source: code, format: "module", shortCircuit: true };
}
