import { SCHEMAS } from "../schema/schemas.js";
import type { StartingFile } from "./exampleFiles.js";

/** Where VS Code finds which schema belongs to which files of the folder. */
export const EDITOR_SETTINGS = ".vscode/settings.json";

/** The files that each schema is for, as `remit init` and the examples place them. */
const FILES: readonly (readonly [schema: string, globs: readonly string[]])[] = [
  ["config", ["remit.yaml"]],
  ["manifest", inside("manifests", "values")],
  ["test", inside("tests")],
  ["guard", inside("guards")],
  ["seed", ["seed.yaml"]],
  ["faults", ["faults.yaml"]],
];

/**
 * The settings of an editor for a project. A line `# yaml-language-server:` counts for one document of a file, and these for
 * all of them.
 */
export function editorSettings(schemas: string): StartingFile {
  const entries = FILES.map(([name, globs]) => [`./${schemas}/${SCHEMAS.get(name)?.file}`, globs] as const);
  const text = JSON.stringify({ "yaml.schemas": Object.fromEntries(entries) }, null, 2);
  return { path: EDITOR_SETTINGS, text: `${text}\n` };
}

function inside(...folders: readonly string[]): readonly string[] {
  return folders.flatMap((folder) => ["yaml", "yml"].map((ending) => `${folder}/**/*.${ending}`));
}
