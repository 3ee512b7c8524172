// Prints what applies of `--steps 3,200` steps cost each store (`--store`): pushes, transactions or requests, and seconds beside those of a file.
import { mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { loadModule } from "./bundleModule.mjs";

const { values } = parseArgs({
  options: { steps: { type: "string", default: "3,200" }, store: { type: "string" } },
});
const root = fileURLToPath(new URL("..", import.meta.url));
const folder = await mkdtemp(join(root, "node_modules", ".costs-"));
let command;
try {
  /** @type {typeof import("./sources/storeCosts.js")} */
  const { bundleCommand, costsOf, STORES } = await loadModule("scripts/sources/storeCosts.ts", folder);
  command = await bundleCommand();
  console.log("| store | apply | what its server received | seconds |\n|---|---|---|---|");
  for (const [name, open] of Object.entries(STORES)) {
    if (values.store !== undefined && values.store !== name) continue;
    for (const steps of values.steps.split(",").map(Number))
      for (const { what, counts, seconds } of await costsOf(command, open, steps)) {
        const received = Object.entries(counts).map(([kind, count]) => `${count} ${kind}`);
        console.log(`| ${name} | ${what} | ${received.join(", ")} | ${seconds.toFixed(1)} |`);
      }
  }
} finally {
  command?.close();
  await rm(folder, { recursive: true });
}
