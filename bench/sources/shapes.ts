// Reads the manifests below a folder, with the named values beside them, and prints what that cost and what it keeps.
// With the name of another folder, it writes their rendering there instead, a file of each shape.
import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { loadManifests } from "../../src/manifest/load.js";
import { renderAll } from "../../src/manifest/renderAll.js";

const [folder = "", rendering] = process.argv.slice(2);
const values = existsSync(`${folder}/values`)
  ? readdirSync(`${folder}/values`).map((name) => ({ path: `${folder}/values/${name}`, place: null }))
  : [];
const load = { paths: [`${folder}/manifests`], cwd: folder, values };
const held = () => {
  globalThis.gc?.();
  return process.memoryUsage().heapUsed / 1024 ** 2;
};

if (rendering !== undefined) await render(rendering);
else await read();

async function read(): Promise<void> {
  const before = held();
  const started = performance.now();
  const { value, diagnostics } = await loadManifests(load);
  const milliseconds = performance.now() - started;
  if (diagnostics.length > 0) throw new Error(JSON.stringify(diagnostics[0]));
  const heap = held() - before;
  const megabytes = process.resourceUsage().maxRSS / 1024;
  console.log(JSON.stringify({ manifests: value.length, milliseconds, megabytes, heap }));
}

async function render(into: string): Promise<void> {
  const { manifests, diagnostics } = await renderAll(load);
  if (diagnostics.length > 0) throw new Error(JSON.stringify(diagnostics[0]));
  mkdirSync(`${into}/manifests`, { recursive: true });
  const files = new Map<string, string[]>();
  for (const { address, text } of manifests) {
    const name = (address.split("[")[0] ?? address).replaceAll("/", "-");
    files.set(name, [...(files.get(name) ?? []), text]);
  }
  for (const [name, texts] of files) writeFileSync(`${into}/manifests/${name}.yaml`, texts.join("---\n"));
}
