// Measures the house: lines, files and nodes of the syntax tree of each room, the largest functions, and what a plan of one manifest loads
// and executes. npm run house
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseSync } from "oxc-parser";
import { runOfOne } from "./house/plan.mjs";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
/** How many of the largest functions are named. */
const NAMED = 12;
/** No closure has more lines. */
const CLOSURE = 150;
const FUNCTIONS = new Set(["FunctionDeclaration", "FunctionExpression", "ArrowFunctionExpression"]);

const files = ["src", "scripts", "bench"].flatMap((top) =>
  readdirSync(join(ROOT, top), { recursive: true, encoding: "utf8" })
    .filter((path) => /\.(ts|mjs|json)$/.test(path))
    .map((path) => read(`${top}/${path}`)),
);
const sources = files.filter(({ path }) => path.startsWith("src/"));
const rooms = grouped(sources, roomOf);

print(
  ["room", "lines", "files", "nodes"],
  [
    ...[...rooms]
      .map(([room, own]) => [room, sum(own, "lines"), own.length, sum(own, "nodes")])
      .sort(([, one], [, other]) => other - one),
    ["src", sum(sources, "lines"), sources.length, sum(sources, "nodes")],
    ["src, scripts, bench", sum(files, "lines"), files.length, sum(files, "nodes")],
  ],
);

const functions = sources.flatMap((file) => file.functions).sort((one, other) => other.lines - one.lines);
const large = functions.filter(({ lines }) => lines > CLOSURE).length;
print(
  [`largest functions (${large} over ${CLOSURE} lines)`, "lines"],
  functions.slice(0, NAMED).map(({ name, lines }) => [name, lines]),
);

const runs = [["plan"], ["apply", "--yes"]];
const seen = await Promise.all(runs.map((line) => runOfOne(ROOT, line)));
print(
  ["of one manifest", ...runs.map((line) => `remit ${line.join(" ")}`)],
  [
    ["modules loaded", ...seen.map(({ modules }) => modules)],
    ["functions executed", ...seen.map(({ functions: count }) => count)],
    ["files of these", ...seen.map(({ files: count }) => count)],
    ["own frames where the plan is shown", ...seen.map(({ frames }) => frames)],
  ],
);

function roomOf({ path }) {
  return path.split("/").length === 2 ? path : path.split("/").slice(0, 2).join("/");
}

function read(path) {
  const text = readFileSync(join(ROOT, path), "utf8");
  const ends = [...text.matchAll(/\n/g)].map(({ index }) => index);
  /** @type {{ name: string, lines: number }[]} */
  const functions = [];
  const found = { path, lines: ends.length, nodes: 0, functions };
  if (path.endsWith(".json")) return found;
  const lineAt = (place) => ends.filter((end) => end < place).length + 1;
  const walk = (node, name) => {
    if (typeof node !== "object" || node === null) return;
    const inside = Object.entries(node).filter(([member]) => member !== "type");
    if (typeof node.type === "string") found.nodes += 1;
    if (FUNCTIONS.has(node.type)) {
      const [from, to] = [lineAt(node.start), lineAt(node.end)];
      functions.push({
        name: `${path}:${from} ${node.id?.name ?? name}`.trimEnd(),
        lines: to - from + 1,
      });
    }
    const named = node.key?.name ?? node.id?.name ?? (Array.isArray(node) ? name : "");
    for (const [, child] of inside) walk(child, named);
  };
  walk(parseSync(path, text).program, "");
  return found;
}

function grouped(entries, by) {
  const groups = new Map();
  for (const entry of entries) groups.set(by(entry), [...(groups.get(by(entry)) ?? []), entry]);
  return groups;
}

function sum(entries, member) {
  return entries.reduce((all, entry) => all + entry[member], 0);
}

function print(head, rows) {
  const shown = [head, ...rows].map((row) =>
    row.map((cell) => (typeof cell === "number" ? cell.toLocaleString("en-US") : cell)),
  );
  const widths = head.map((_, column) => Math.max(...shown.map((row) => row[column].length)));
  for (const row of shown)
    console.log(
      row
        .map((cell, column) => (column === 0 ? cell.padEnd(widths[0]) : cell.padStart(widths[column])))
        .join("  "),
    );
  console.log();
}
