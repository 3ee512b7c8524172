// Which packages a bundle contains, read from esbuild's metafiles.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const PACKAGE = /^.*node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/;
const LEGAL = /^(licen[cs]e|copying|notice)/i;

/**
 * Every package with code in one of the bundles, one for each name and version, sorted: its manifest, its legal texts, and
 * the packages it imports. `direct` lists the packages that the project's own code imports.
 */
export function bundledPackages(metafiles, root) {
  const folders = new Set(
    metafiles
      .flatMap(({ outputs }) => Object.values(outputs))
      .flatMap(({ inputs }) => Object.entries(inputs))
      .filter(([, { bytesInOutput }]) => bytesInOutput > 0)
      .map(([path]) => folderOf(path))
      .filter((folder) => folder !== ""),
  );
  const byFolder = new Map([...folders].map((folder) => [folder, describe(folder, root)]));
  const packages = new Map([...byFolder.values()].map((one) => [one.id, one]));
  const direct = new Set();
  for (const [path, { imports }] of metafiles.flatMap(({ inputs }) => Object.entries(inputs))) {
    const from = byFolder.get(folderOf(path));
    for (const { path: imported } of imports) {
      const to = byFolder.get(folderOf(imported));
      if (to === undefined || to === from) continue;
      const importing = from === undefined ? direct : packages.get(from.id)?.imports;
      importing?.add(to.id);
    }
  }
  const sorted = [...packages.values()].sort((a, b) => compare(a.id, b.id));
  return {
    packages: sorted.map((one) => ({ ...one, imports: [...one.imports].sort(compare) })),
    direct: [...direct].sort(compare),
  };
}

/** What the notices and the bill of materials say of the package in a folder. */
export function describe(folder, root) {
  const path = join(root, folder);
  const manifest = JSON.parse(readFileSync(join(path, "package.json"), "utf8"));
  const { name, version, license } = manifest;
  return {
    id: `${name}@${version}`,
    name,
    version,
    license,
    author: typeof manifest.author === "string" ? manifest.author : manifest.author?.name,
    description: manifest.description,
    repository: repositoryOf(manifest),
    texts: legalTexts(name, license, path, root),
    imports: new Set(),
  };
}

/** The licence and notice files of a package. Apache-2.0 has one fixed text, which is the project's own licence too. */
function legalTexts(name, license, path, root) {
  const files = readdirSync(path, { withFileTypes: true })
    .filter((entry) => entry.isFile() && LEGAL.test(entry.name))
    .map((entry) => entry.name)
    .sort(compare);
  const texts = files.map((file) => readText(join(path, file)));
  if (files.some((file) => !/^notice/i.test(file))) return texts;
  if (license === "Apache-2.0") return [readText(join(root, "LICENSE")), ...texts];
  const section = licenceSection(path);
  if (section !== null) return [section, ...texts];
  throw new Error(`${name} is bundled, but its package has no licence file (its licence is ${license})`);
}

/** The licence that a package gives in its README, down to the next heading; null where there is none. */
function licenceSection(path) {
  const readme = readdirSync(path).find((file) => /^readme/i.test(file));
  if (readme === undefined) return null;
  const text = readText(join(path, readme));
  const section = /^#+ *licen[cs]e *\n([\s\S]*?)(?=^#|(?![\s\S]))/im.exec(text)?.[1]?.trim() ?? "";
  return /copyright/i.test(section) ? section : null;
}

function readText(path) {
  return readFileSync(path, "utf8").replaceAll("\r\n", "\n").trim();
}

function repositoryOf({ repository }) {
  const url = typeof repository === "string" ? repository : repository?.url;
  if (url === undefined) return undefined;
  if (/^[\w.-]+\/[\w.-]+$/.test(url)) return `https://github.com/${url}`;
  return url
    .replace(/^git\+/, "")
    .replace(/^git:\/\//, "https://")
    .replace(/^ssh:\/\/git@/, "https://")
    .replace(/\.git$/, "");
}

/** The folder of the package that a path is in; the empty text where it is in none. */
function folderOf(path) {
  return PACKAGE.exec(path)?.[0] ?? "";
}

function compare(a, b) {
  return a < b ? -1 : a > b ? 1 : 0;
}
