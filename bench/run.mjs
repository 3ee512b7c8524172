// Every figure beside its bound, in one run: npm run bench [-- --quick]. Prints a table and writes bench/results/*.json.
import { mkdirSync, writeFileSync } from "node:fs";
import { arch, cpus, platform, release, totalmem } from "node:os";
import { fileURLToPath } from "node:url";

const BENCHMARKS = [
  "start",
  "validate",
  "shapes",
  "contexts",
  "plan",
  "apply",
  "import",
  "calls",
  "governor",
  "memory",
  "people",
  "guards",
  "client",
  "sandbox",
  "terraform",
  "page",
  "stores",
  "states",
];

const quick = process.argv.includes("--quick");
const machine = {
  node: process.version,
  system: `${platform()} ${release()} ${arch()}`,
  processors: `${cpus().length} × ${cpus()[0]?.model ?? "unknown"}`,
  memory: `${Math.round(totalmem() / 1024 ** 3)} GB`,
};
console.log(Object.values(machine).join(" · "));

const rows = [];
for (const name of BENCHMARKS) {
  const { figures } = await import(`./${name}.mjs`);
  const found = await figures({ quick });
  rows.push(...found.map((row) => ({ benchmark: name, ...row })));
  print(found);
}

const folder = fileURLToPath(new URL("results/", import.meta.url));
mkdirSync(folder, { recursive: true });
const file = `${folder}${quick ? "quick" : "full"}.json`;
writeFileSync(file, `${JSON.stringify({ machine, quick, rows }, null, 2)}\n`);
const missed = rows.filter(({ ok }) => !ok);
console.log(`\n${rows.length - missed.length} of ${rows.length} figures within their bounds; ${file}`);

/** One line a figure: what, how much, beside what, in which ratio. */
function print(found) {
  for (const { figure, value, unit, bound, ratio, ok } of found) {
    const beside = bound === null ? "" : `  ${ok ? "within" : "MISSED"}  ${bound}`;
    const times = ratio === null ? "" : `  ratio ${ratio}`;
    console.log(`${figure.padEnd(74)} ${String(value).padStart(8)} ${unit}${times}${beside}`);
  }
}
