import { existsSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { linkInProject } from "./links.js";
import { isRunning } from "./running.js";
import type { World } from "./world.js";

type Writer = Pick<World, "cwd" | "unique" | "process">;

const DRAFT = /\.(\d+)-[^./]+\.draft$/;

/** The name of a new file until its text is whole. It says which process writes it. */
export function draftOf(path: string, { process, unique }: Writer): string {
  return `${path}.${process.pid}-${unique()}.draft`;
}

/** Removes from some folders what runs of remit left that ended in the middle of writing a new file. */
export async function sweepDrafts(world: Writer, folders: readonly string[]): Promise<void> {
  for (const folder of folders) {
    if (!existsSync(folder) || (await linkInProject(world.cwd, folder)) !== null) continue;
    const left = readdirSync(folder).filter((name) => isLeft(name, world));
    for (const name of left) rmSync(join(folder, name), { force: true });
  }
}

// In a container each run has the same number, and this run has written nothing yet.
function isLeft(name: string, { process }: Writer): boolean {
  const writer = DRAFT.exec(name)?.[1];
  return writer !== undefined && (Number(writer) === process.pid || !isRunning(Number(writer)));
}
