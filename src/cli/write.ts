import { mkdir } from "node:fs/promises";
import { dirname } from "node:path";
import writeFileAtomic from "write-file-atomic";
import type { Diagnostic } from "../model/diagnostic.js";

/** Writes a whole file or nothing of it, making the folders it stands in. */
export async function writeText(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFileAtomic(path, text);
}

/** The same, giving what stood in the way instead of throwing it. */
export async function tryToWrite(path: string, text: string, shown: string): Promise<readonly Diagnostic[]> {
  try {
    await writeText(path, text);
    return [];
  } catch (error) {
    if (!(error instanceof Error) || !("code" in error)) throw error;
    return [unwritable(shown, String(error.code))];
  }
}

/** What the codes of a file system mean to a reader. */
const REASONS: Readonly<Record<string, string>> = {
  ENOENT: "there is no such file",
  EACCES: "permission denied",
  EPERM: "permission denied",
  EROFS: "the file system is read-only",
  ENOSPC: "no space is left",
  ENOTDIR: "a part of the path is a file",
  EEXIST: "a part of the path is a file",
  EISDIR: "it is a folder",
};

/** Why a file cannot be read or written, in a clause. */
export function reasonOf(code: string): string {
  return REASONS[code] ?? code;
}

function unwritable(shown: string, code: string): Diagnostic {
  return {
    code: "file/unwritable",
    severity: "error",
    message: `${shown} cannot be written: ${reasonOf(code)}`,
    hint: "Make room for it or allow it, and run the command again.",
  };
}
