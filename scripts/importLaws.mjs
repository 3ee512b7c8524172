// Imports generated tenants and prints what broke a law; `--count N --seed N`. `--mutate` plants defects instead, and says
// which of them no law notices.
import { mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import fc from "fast-check";
import { loadModule } from "./bundleModule.mjs";
import { planting } from "./planting.mjs";

const { values } = parseArgs({
  options: {
    count: { type: "string", default: "10000" },
    seed: { type: "string", default: "1" },
    mutate: { type: "boolean", default: false },
  },
});

/** Generated together from one seed: the later ones of a round are larger. */
const ROUND = 100;

const MUTATIONS = [
  {
    name: "takes what an access profile manages",
    file: "src/commands/import/leftOut.ts",
    from: "if (managedBy !== undefined) return",
    to: "if (false) return",
  },
  {
    name: "takes what a connector owns",
    file: "src/commands/import/leftOut.ts",
    from: "if (isConnected) return",
    to: "if (false) return",
  },
  {
    name: "takes the first of several with a name",
    file: "src/author/called.ts",
    from: ".length === 1)",
    to: ".length >= 1)",
  },
  {
    name: "keeps a device's name",
    file: "src/author/naming.ts",
    from: "return RESERVED.test(name);",
    to: "return false;",
  },
  {
    name: "gives a clashing name to the first",
    file: "src/author/naming.ts",
    from: "counts.get(name) === 1 && !used.has(name)",
    to: "true",
  },
  {
    name: "makes a path of a name",
    file: "src/author/naming.ts",
    from: '.replace(/[^a-z0-9]+/g, "-")',
    to: "",
  },
  {
    name: "writes an expression without its line ends",
    file: "src/author/authored.ts",
    from: "  return value;\n}\n\nfunction mapped",
    to: '  return typeof value === "string" ? value.trim() : value;\n}\n\nfunction mapped',
  },
  {
    name: "writes what it has no name for as if it were nothing",
    file: "src/author/authored.ts",
    from: "} else if (field === undefined || place !== undefined) {",
    to: "} else if (field === undefined) {",
  },
  {
    name: "takes an object again",
    file: "src/commands/import/leftOut.ts",
    from: "if (isDescribed(observed)) return",
    to: "if (false) return",
  },
];

const root = fileURLToPath(new URL("..", import.meta.url));
const folder = await mkdtemp(join(root, "node_modules", ".import-laws-"));
try {
  if (values.mutate) process.exitCode = await plantAll();
  else {
    const { broken, objects } = await search(await load(), Number(values.count), true);
    for (const { seed, place, laws } of broken)
      console.log(`seed ${seed}, tenant ${place}:\n  ${laws.join("\n  ")}`);
    console.log(`${values.count} tenants with ${objects} objects to import: ${broken.length} break a law`);
    process.exitCode = broken.length === 0 ? 0 : 1;
  }
} finally {
  await rm(folder, { recursive: true });
}

/** The tenants that break a law; the first alone where one is enough. */
async function search({ ANY_TENANT, brokenLaws }, count, isWhole) {
  const broken = [];
  let objects = 0;
  for (let done = 0, seed = Number(values.seed); done < count; seed += 1) {
    for (const [place, tenant] of fc.sample(ANY_TENANT, { seed, numRuns: ROUND }).entries()) {
      if (done >= count) break;
      done += 1;
      objects += tenant.importable.size;
      const laws = await brokenLaws(tenant).catch((error) => [`it throws: ${error.message.slice(0, 300)}`]);
      if (laws.length > 0) broken.push({ seed, place, laws });
      if (laws.length > 0 && !isWhole) return { broken, objects };
    }
    if (isWhole) process.stderr.write(`\r${done} imported, ${broken.length} break a law `);
  }
  process.stderr.write("\r");
  return { broken, objects };
}

/** Plants one defect after the other; 1 where no law notices one. */
async function plantAll() {
  let unseen = 0;
  for (const mutation of MUTATIONS) {
    const { broken } = await search(await load(mutation), Math.min(Number(values.count), 500), false);
    const [first] = broken;
    if (first === undefined) unseen += 1;
    const seen =
      first === undefined ? "NOT SEEN" : `seed ${first.seed}, tenant ${first.place}: ${first.laws[0]}`;
    console.log(`${mutation.name}\n  ${seen.slice(0, 200)}`);
  }
  return unseen === 0 ? 0 : 1;
}

/**
 * @param {(typeof MUTATIONS)[number] | null} mutation
 * @returns {Promise<typeof import("./sources/importLaws.js")>}
 */
async function load(mutation = null) {
  return loadModule("scripts/sources/importLaws.ts", folder, { plugins: planting(mutation) });
}
