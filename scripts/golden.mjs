// Rewrites the golden files; with --summary [REF], groups what changed in them since REF (HEAD without one).
import { execFileSync, spawnSync } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = join(import.meta.dirname, "..");

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [flag, ref = "HEAD"] = process.argv.slice(2);
  if (flag === "--summary") process.stdout.write(summary(changesSince(ref)));
  else process.exitCode = update();
}

function update() {
  const env = { ...process.env, UPDATE: "1" };
  return spawnSync("npx", ["vitest", "run", "test/golden"], { cwd: ROOT, env, stdio: "inherit" }).status ?? 1;
}

function changesSince(ref) {
  const args = [
    "diff",
    "--unified=0",
    "--no-color",
    "--no-ext-diff",
    "--no-renames",
    ref,
    "--",
    "test/golden",
  ];
  return execFileSync("git", args, { cwd: ROOT, encoding: "utf8", maxBuffer: 1 << 28 });
}

/** Groups the changed lines of a `git diff -U0`: what each group changes, how often, and one example of it. */
export function summary(diff) {
  const groups = new Map();
  for (const { file, before, after } of blocksOf(diff)) {
    for (const [from, to] of pairs(before, after)) {
      const name = nameOf(from, to);
      const group = groups.get(name) ?? { name, count: 0, files: new Set(), file, from, to };
      group.count += 1;
      group.files.add(file);
      groups.set(name, group);
    }
  }
  const sorted = [...groups.values()].sort((one, other) => other.count - one.count);
  if (sorted.length === 0) return "No golden file changed.\n";
  const files = new Set(sorted.flatMap((group) => [...group.files]));
  const head = `Kinds of change: ${sorted.length}; golden files: ${files.size}`;
  return `${head}\n${sorted.map(describe).join("")}`;
}

function describe({ name, count, file, from, to }) {
  const example = [from === null ? [] : [`    - ${from}`], to === null ? [] : [`    + ${to}`]].flat();
  return `\n${count} × ${name}\n  in ${file}:\n${example.join("\n")}\n`;
}

/** Stretches of lines that changed together. */
function blocksOf(diff) {
  const blocks = [];
  let file = "";
  for (const line of diff.split("\n")) {
    const named = /^(?:---|\+\+\+) [ab]\/test\/golden\/(.*)$/.exec(line);
    if (named !== null) file = named[1];
    else if (line.startsWith("@@")) blocks.push({ file, before: [], after: [] });
    else if (/^-(?!--)/.test(line)) blocks.at(-1)?.before.push(line.slice(1));
    else if (/^\+(?!\+\+)/.test(line)) blocks.at(-1)?.after.push(line.slice(1));
  }
  return blocks;
}

/** Lines that replace each other, where there are as many before as after; else each line by itself. */
function pairs(before, after) {
  if (before.length === after.length) return before.map((line, at) => [line, after[at]]);
  return [...before.map((line) => [line, null]), ...after.map((line) => [null, line])];
}

/** What changes in a line, without the words that stay, and with `0` for every number and `…` for every id. */
function nameOf(from, to) {
  if (from === null || to === null) return `${from === null ? "+" : "-"} ${plain(from ?? to)}`;
  const [one, other] = [from.trim().split(/\s+/), to.trim().split(/\s+/)];
  let start = 0;
  while (start < Math.min(one.length, other.length) && one[start] === other[start]) start += 1;
  let end = 0;
  while (end < Math.min(one.length, other.length) - start && one.at(-1 - end) === other.at(-1 - end))
    end += 1;
  const middle = (words) => plain(words.slice(start, words.length - end).join(" ")) || "nothing";
  return `${middle(one)} → ${middle(other)}`;
}

function plain(line) {
  return line
    .trim()
    .replace(/\b[A-Za-z0-9]{20,}\b/g, "…")
    .replace(/\d+/g, "0");
}
