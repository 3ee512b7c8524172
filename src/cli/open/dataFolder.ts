import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { DATA_FOLDER } from "../../manifest/contexts.js";
import type { Project } from "../settings/project.js";

/** Only the schemas that `remit init` writes for editors are for git. */
const IGNORED = "# What remit keeps here is not for git; the schemas for editors are.\n/*\n!/schemas/\n";

/**
 * Makes a project's data folder with a file that keeps it out of git. An existing folder stays as it is. What prevents
 * it also prevents the write that needs the folder, and is reported there.
 */
export async function makeDataFolder({
  root,
  dataFolder,
}: Pick<Project, "root" | "dataFolder">): Promise<void> {
  const folder = join(root, DATA_FOLDER);
  try {
    const isNew = await mkdir(folder, { mode: 0o700 }).then(
      () => true,
      () => false,
    );
    if (isNew) await writeFile(join(folder, ".gitignore"), IGNORED, { flag: "wx" });
    await mkdir(join(root, dataFolder), { mode: 0o700, recursive: true });
  } catch {
    return;
  }
}
