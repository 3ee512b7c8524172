// Reads the manifests of a folder and prints what that cost.
import { loadManifests } from "../../src/manifest/load.js";
import { printCost } from "./cost.js";

const [folder = ""] = process.argv.slice(2);
const started = performance.now();
const { value, diagnostics } = await loadManifests({ paths: [folder], cwd: process.cwd() });
if (value === null || diagnostics.length > 0) throw new Error(JSON.stringify(diagnostics[0]));
printCost(value.length, started);
