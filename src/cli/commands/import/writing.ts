import { join, relative, resolve } from "node:path";
import { tameLine } from "../../../entry/messages.js";
import type { Manuscript } from "../../../entry/session.js";
import type { Diagnostic } from "../../../entry/values.js";
import { sweepDrafts } from "../../outside/drafts.js";
import { writeNewFiles } from "../../outside/newFiles.js";
import type { Run } from "../../session/run.js";
import type { NewFile } from "./layout.js";
import type { Placement } from "./placement.js";

/** Writes whole new files, and names each; stops at the first that cannot be written. Sweeps the folders first. */
export async function writeFiles(
  { world, project }: Pick<Run, "world" | "project">,
  { folder, folders }: Pick<Placement, "folder" | "folders">,
  files: readonly NewFile[],
  isNamed: boolean,
): Promise<readonly Diagnostic[]> {
  const texts = files.map(({ path, manifests }) => {
    const absolute = join(folder, path);
    return { path: absolute, shown: shownFrom(project.root, absolute), text: streamOf(manifests) };
  });
  const here = { ...world, cwd: project.root };
  await sweepDrafts(here, folders);
  return writeNewFiles(here, texts, ({ shown }) => {
    if (isNamed) world.stdout.write(`${tameLine(shown)}\n`);
  });
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
