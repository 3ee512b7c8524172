import { existsSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { linkInProject } from "./links.js";
import { runMarkOf } from "./runMark.js";
import type { World } from "./world.js";

const DRAFT = /\.(\d+\.\d+\.[0-9a-f]{8})-[^./]+\.draft$/;

/**
 * The name of each new file of a folder until its text is whole. It has the mark of the run that writes it. One name for
 * all keeps the folder as small as its files make it.
 */
export function draftIn(folder: string, mark: string, unique: string): string {
  return join(folder, `new.${mark}-${unique}.draft`);
}

/** Removes from some folders what runs of remit left that ended in the middle of writing a new file. */
export async function sweepDrafts(
  { cwd, process }: Pick<World, "cwd" | "process">,
  folders: readonly string[],
): Promise<void> {
  const { mark: own, isOver } = runMarkOf(process);
  // This run has written nothing yet: a draft with its mark is of an earlier process with the same number.
  const isLeft = (mark: string) => mark === own || isOver(mark);
  for (const folder of folders) {
    if (!existsSync(folder) || (await linkInProject(cwd, folder)) !== null) continue;
    const left = readdirSync(folder).filter((name) => isLeft(DRAFT.exec(name)?.[1] ?? ""));
    for (const name of left) rmSync(join(folder, name), { force: true });
  }
}
