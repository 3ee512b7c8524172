import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** An object of git: what it is, and its bytes. */
interface GitObject {
  readonly type: string;
  readonly body: Buffer;
}

/** The objects that `git cat-file --batch` printed; one that is missing has no bytes. */
export function objectsIn(output: Buffer): readonly GitObject[] {
  const found: GitObject[] = [];
  for (let at = 0; at < output.length; ) {
    const end = output.indexOf(0x0a, at);
    const [, type = "", size] = output.subarray(at, end).toString("latin1").split(" ");
    const from = end + 1;
    if (size === undefined) {
      found.push({ type, body: Buffer.alloc(0) });
      at = from;
    } else {
      found.push({ type, body: output.subarray(from, from + Number(size)) });
      at = from + Number(size) + 1;
    }
  }
  return found;
}

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
