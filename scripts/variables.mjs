// Writes docs/variables.md from src/model/variables.ts; with --check, says whether it is current and changes nothing.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { transform } from "esbuild";

const ROOT = join(import.meta.dirname, "..");
const FILE = join(ROOT, "docs", "variables.md");
const { code } = await transform(readFileSync(join(ROOT, "src", "model", "variables.ts"), "utf8"), {
  loader: "ts",
});
const { VARIABLES, CONTEXT_VARIABLES } = await import(`data:text/javascript,${encodeURIComponent(code)}`);

const rows = Object.entries(VARIABLES).map(([name, { meaning, secret }]) => [
  `\`${name}\``,
  meaning,
  secret ? "secret" : "",
]);
const own = Object.entries(CONTEXT_VARIABLES).map(([end, name]) => [
  `\`REMIT_CONTEXT_<NAME>_${end}\``,
  `\`${name}\``,
]);
const text = `<!-- Written by \`npm run docs\` from src/model/variables.ts. -->

# Environment variables

These are all environment variables that remit reads. A flag comes before a variable, and a variable before \`remit.yaml\`. If several
variables mean the same, the first one in this list that is set is used. One that gives a setting or a credential
and is set but empty is an error; of the others, an empty one counts as not set. \`remit config\` prints those that are set, without secrets.

${table([["variable", "means", ""], ...rows])}

Where \`remit.yaml\` has contexts, each may have variables of its own. NAME is that of the context in capitals, with \`_\` for each \`-\`.
They come before the variable that they stand for.

${table([["variable", "stands for"], ...own])}
`;
if (!process.argv.includes("--check")) writeFileSync(FILE, text);
else if (readFileSync(FILE, "utf8") !== text) {
  console.error("docs/variables.md is not what src/model/variables.ts says: run `npm run docs`");
  process.exitCode = 1;
}

function table([head, ...body]) {
  const widths = head.map((_, column) => Math.max(...[head, ...body].map((cells) => cells[column].length)));
  const line = (cells) => `| ${cells.map((cell, column) => cell.padEnd(widths[column])).join(" | ")} |`;
  return [line(head), line(widths.map((width) => "-".repeat(width))), ...body.map(line)].join("\n");
}
