// Gives each example the schemas that its files name, so that editors find them where its folder is copied alone.
// Gives the command the examples, which it copies where no folder is beside it.
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { loadOnce } from "./bundleModule.mjs";

/** The module of the command that reads examples from their folder. */
const READER = "src/commands/init/exampleFiles.ts";

/**
 * The plugin that puts the texts of the examples in the place of what reads them.
 * @param {string} root of the project
 * @returns {Promise<import("esbuild").Plugin>}
 */
export async function broughtExamples(root) {
  /** @type {typeof import("../src/commands/init/exampleFiles.js")} */
  const { exampleFiles } = await loadOnce(READER);
  const examples = join(root, "examples");
  const texts = Object.fromEntries(
    readdirSync(examples)
      .sort()
      .map((name) => [name, exampleFiles(name, examples)]),
  );
  const contents = `const EXAMPLES = ${JSON.stringify(texts)};\nexport const exampleFiles = (name) => EXAMPLES[name];`;
  return {
    name: "brought examples",
    setup({ onLoad }) {
      onLoad({ filter: /\/commands\/init\/exampleFiles\.ts$/ }, () => ({ contents }));
    },
  };
}

/**
 * Copies the schemas of the project into the examples, or into a folder like theirs. Copies of earlier builds go.
 * @param {string} root of the project
 * @param {string} into the folder that gets a folder for each example
 */
export function giveSchemas(root, into) {
  const examples = join(root, "examples");
  for (const name of readdirSync(examples)) {
    const schemas = join(into, name, "schemas");
    rmSync(schemas, { recursive: true, force: true });
    for (const file of namedIn(join(examples, name), join(root, "schemas"))) {
      mkdirSync(schemas, { recursive: true });
      copyFileSync(join(root, "schemas", file), join(schemas, file));
    }
  }
}

/** The schemas that the files of an example name, and those that these refer to. */
function namedIn(folder, schemas) {
  const waiting = readdirSync(folder, { recursive: true })
    .map((path) => join(folder, path))
    .filter((path) => /\.ya?ml$/.test(path) && statSync(path).isFile())
    .flatMap((path) => {
      const [, named] = /^# yaml-language-server: \$schema=(\S+)/m.exec(readFileSync(path, "utf8")) ?? [];
      if (named === undefined) return [];
      const target = resolve(dirname(path), named);
      if (dirname(target) !== join(folder, "schemas"))
        throw new Error(`${path}: names a schema outside its example`);
      return [basename(target)];
    });
  const names = new Set();
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    if (names.has(name)) continue;
    names.add(name);
    const text = readFileSync(join(schemas, name), "utf8");
    for (const [, other] of text.matchAll(/"\$ref": "([\w-]+\.json)/g)) waiting.push(other);
  }
  return names;
}
