import { existsSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";

/**
 * Makes a folder that test files of one run share: the first to ask makes it, and the others wait for it. It goes when
 * the run ends. Null outside of a run of tests.
 */
export async function once(name: string, make: (into: string) => Promise<void>): Promise<string | null> {
  const { REMIT_TEST_FOLDER: shared } = process.env;
  if (shared === undefined) return null;
  const folder = join(shared, name);
  while (!existsSync(folder)) {
    try {
      mkdirSync(`${folder}.turn`);
    } catch {
      await pause(50);
      continue;
    }
    try {
      await make(`${folder}.new`);
      renameSync(`${folder}.new`, folder);
    } finally {
      rmSync(`${folder}.turn`, { recursive: true });
    }
  }
  return folder;
}
