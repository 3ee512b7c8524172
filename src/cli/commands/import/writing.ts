import { existsSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { tameLine } from "../../../entry/messages.js";
import type { Manuscript } from "../../../entry/session.js";
import type { Diagnostic } from "../../../entry/values.js";
import { tryToWrite } from "../../outside/write.js";
import type { Run } from "../../session/run.js";
import type { NewFile } from "./layout.js";

/** Writes whole files, and names each; stops at the first that cannot be written. */
export async function writeFiles(
  { world, project }: Pick<Run, "world" | "project">,
  folder: string,
  files: readonly NewFile[],
  isNamed: boolean,
): Promise<readonly Diagnostic[]> {
  const place = { ...world, cwd: project.root };
  for (const file of files) {
    const path = join(folder, file.path);
    const shown = shownFrom(project.root, path);
    const text = streamOf(file.manifests);
    const failures = existsSync(path)
      ? [isTaken(shown)]
      : await tryToWrite(place, { path, shown, text, access: "open" });
    if (failures.length > 0) return failures;
    if (isNamed) world.stdout.write(`${tameLine(shown)}\n`);
  }
  return [];
}

/** Manifests as the documents of one text. */
export function streamOf(manifests: readonly Manuscript[]): string {
  return manifests.map(({ text }) => text).join("---\n");
}

/** A path as messages show it: from the project, with forward slashes. */
export function shownFrom(root: string, path: string): string {
  const shown = relative(root, resolve(path)).replaceAll("\\", "/");
  return shown === "" ? "." : shown;
}

function isTaken(path: string): Diagnostic {
  return {
    code: "command/already-there",
    severity: "error",
    message: `${path} already exists, so it was not changed`,
    hint: "Import again: remit chooses another name.",
  };
}
