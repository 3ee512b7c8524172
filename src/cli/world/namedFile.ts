import { readFile, stat } from "node:fs/promises";
import { resolve } from "node:path";
import { reasonOf } from "./reason.js";
import type { World } from "./world.js";

/** The text of a file that the operator named, or why there is none. */
type NamedFile = { readonly text: string } | { readonly text: null; readonly why: string };

const LARGEST = 256 * 1024 * 1024;

/** Reads a file that the operator named on the command line; `-` is standard input. */
export async function readNamedFile(world: World, file: string): Promise<NamedFile> {
  if (file === "-") return { text: Buffer.from(await world.stdin.bytes()).toString("utf8") };
  const path = resolve(world.cwd, file);
  try {
    const about = await stat(path);
    if (!about.isFile())
      return { text: null, why: about.isDirectory() ? "it is a folder" : "it is not a file" };
    if (about.size > LARGEST) return { text: null, why: "it is larger than 256 MiB" };
    return { text: await readFile(path, "utf8") };
  } catch (error) {
    if (!(error instanceof Error) || !("code" in error)) throw error;
    return { text: null, why: reasonOf(String(error.code)) };
  }
}
