import { readdirSync, readFileSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";

/** A file of a new project: its path in the folder, with slashes, and its text. */
export interface StartingFile {
  readonly path: string;
  readonly text: string;
}

const EXAMPLES = fileURLToPath(new URL("../../../examples", import.meta.url));

/**
 * The files of an example, without the schemas that a build puts there. The build replaces this module by one that has
 * the texts: the package of npm leaves each `.gitignore` out, and the executable has no folder beside it.
 */
export function exampleFiles(name: string, examples = EXAMPLES): readonly StartingFile[] {
  const folder = join(examples, name);
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join("/"))
    .filter((path) => !/^(?:schemas|\.remit)\//.test(path))
    .sort()
    .map((path) => ({ path, text: readFileSync(join(folder, path), "utf8") }));
}
