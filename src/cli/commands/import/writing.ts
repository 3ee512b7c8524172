import { existsSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { tameLine } from "../../../entry/messages.js";
import type { Imported } from "../../../entry/session.js";
import type { Diagnostic } from "../../../entry/values.js";
import type { World } from "../../outside/world.js";
import { tryToWrite } from "../../outside/write.js";
import type { Run } from "../../session/run.js";
import type { Placement } from "./placement.js";

/** Prints all manifests as one stream, so that `remit validate -` can read it. */
export function printManifests({ stdout }: World, { manifests }: Pick<Imported, "manifests">): void {
  stdout.write(manifests.map(({ text }) => text).join("---\n"));
}

/** Writes each manifest as a whole file of its own, and names it; stops at the first that cannot be written. */
export async function writeManifests(
  { world, project }: Pick<Run, "world" | "project">,
  { folder, file }: Placement,
  { manifests }: Pick<Imported, "manifests">,
  isNamed: boolean,
): Promise<readonly Diagnostic[]> {
  const place = { ...world, cwd: project.root };
  for (const { kind, name, text } of manifests) {
    const path = join(folder, file(kind, name));
    const shown = shownFrom(project.root, path);
    const failures = existsSync(path)
      ? [isTaken(shown)]
      : await tryToWrite(place, { path, shown, text, access: "open" });
    if (failures.length > 0) return failures;
    if (isNamed) world.stdout.write(`${tameLine(shown)}\n`);
  }
  return [];
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
