import { open, readdir, rename, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";

/**
 * Puts a text in a file's place, whole or not at all. write-file-atomic is not used: it takes a write that the
 * full disk cut short for a whole one.
 */
export async function replaceFile(path: string, text: string): Promise<void> {
  const draft = `${path}.${process.pid}${DRAFT}`;
  try {
    const file = await open(draft, "w", 0o600);
    try {
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}

const DRAFT = ".draft";

/** Removes what processes left beside a file that ended in the middle of writing it. */
export async function sweepDrafts(path: string): Promise<void> {
  const names = await readdir(dirname(path)).catch(() => []);
  const left = names.filter((name) => name.startsWith(`${basename(path)}.`) && isLeft(name));
  await Promise.all(left.map((name) => rm(join(dirname(path), name), { force: true })));
}

function isLeft(name: string): boolean {
  const writer = /\.(\d+)\.draft$/.exec(name)?.[1];
  return writer !== undefined && !isRunning(Number(writer));
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // A process of another user cannot be signalled, and runs all the same.
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
