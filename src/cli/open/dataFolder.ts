import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** Where remit keeps its data in a project. */
export const DATA_FOLDER = ".remit";

/** Only the schemas that `remit init` writes for editors are for git. */
const IGNORED = "# What remit keeps here is not for git; the schemas for editors are.\n/*\n!/schemas/\n";

/**
 * Makes a project's data folder with a file that keeps it out of git. An existing folder stays as it is. What prevents
 * it also prevents the write that needs the folder, and is reported there.
 */
export async function makeDataFolder(root: string): Promise<void> {
  const folder = join(root, DATA_FOLDER);
  try {
    await mkdir(folder, { mode: 0o700 });
    await writeFile(join(folder, ".gitignore"), IGNORED, { flag: "wx" });
  } catch {
    return;
  }
}
