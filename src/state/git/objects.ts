import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** Makes an empty bare repository in a folder that is there, with what git asks of one: `HEAD`, `objects` and `refs`. */
export async function makeBare(folder: string): Promise<void> {
  await Promise.all(["objects", "refs"].map((name) => mkdir(join(folder, name))));
  await writeFile(join(folder, "HEAD"), "ref: refs/heads/main\n");
  // Without an extension, git keeps a ref in a file of its name.
  await writeFile(join(folder, "config"), "[core]\n\trepositoryformatversion = 0\n\tbare = true\n");
}

/** The commit of a ref that git has just written in such a repository. */
export async function refIn(folder: string, ref: string): Promise<string> {
  return (await readFile(join(folder, ref), "utf8")).trim();
}
