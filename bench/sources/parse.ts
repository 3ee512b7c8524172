// Parses the files of a folder as YAML and nothing more, and prints what that cost.
import { readdirSync, readFileSync } from "node:fs";
import { parseAllDocuments } from "yaml";
import { printCost } from "./cost.js";

const [folder = ""] = process.argv.slice(2);
const started = performance.now();
let manifests = 0;
for (const name of readdirSync(folder).sort())
  manifests += parseAllDocuments(readFileSync(`${folder}/${name}`, "utf8")).length;
printCost(manifests, started);
