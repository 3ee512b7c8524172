// Copies into each example the schemas that its files name, so that it works when its folder is copied alone; with
// --check, says whether they are current and changes nothing.
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";

const ROOT = join(import.meta.dirname, "..");
const EXAMPLES = join(ROOT, "examples");
const isCheck = process.argv.includes("--check");
const wrong = [];

for (const name of readdirSync(EXAMPLES)) {
  const folder = join(EXAMPLES, name);
  for (const file of namedIn(folder)) {
    const copy = join(folder, "schemas", file);
    const text = readFileSync(join(ROOT, "schemas", file), "utf8");
    if (existsSync(copy) && readFileSync(copy, "utf8") === text) continue;
    wrong.push(`examples/${name}/schemas/${file}`);
    if (isCheck) continue;
    mkdirSync(dirname(copy), { recursive: true });
    writeFileSync(copy, text);
  }
}
if (isCheck && wrong.length > 0) {
  console.error(`not what schemas/ says: run \`npm run docs\`\n${wrong.join("\n")}`);
  process.exitCode = 1;
}

/** The schemas that the files of an example name, and those that these refer to. */
function namedIn(folder) {
  const waiting = readdirSync(folder, { recursive: true })
    .map((path) => join(folder, path))
    .filter((path) => /\.ya?ml$/.test(path) && statSync(path).isFile())
    .flatMap((path) => {
      const [, named] = /^# yaml-language-server: \$schema=(\S+)/m.exec(readFileSync(path, "utf8")) ?? [];
      if (named === undefined) return [];
      const target = resolve(dirname(path), named);
      if (dirname(target) !== join(folder, "schemas")) {
        wrong.push(`${path}: names a schema outside its example`);
        return [];
      }
      return [basename(target)];
    });
  const names = new Set();
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    if (names.has(name)) continue;
    names.add(name);
    const text = readFileSync(join(ROOT, "schemas", name), "utf8");
    for (const [, other] of text.matchAll(/"\$ref": "([\w-]+\.json)/g)) waiting.push(other);
  }
  return names;
}
