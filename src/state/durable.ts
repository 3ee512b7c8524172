import { randomUUID } from "node:crypto";
import type { BigIntStats, Stats } from "node:fs";
import { chmod, copyFile, type FileHandle, link, open, readdir, rename, rm, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { codeOf } from "./fault.js";

/** Who may read and write what is kept: its owner alone. */
export const PRIVATE = 0o600;
/** Who may read and write any other file: everyone whom the umask allows. */
const OPEN = 0o666;

/** Distinguishes a file from its successor under the same path, and from itself after a write. */
export type Mark = string;

/** The mark of the file that is now under a path; null where there is none to be seen. */
export async function markAt(path: string): Promise<Mark | null> {
  return stat(path, { bigint: true }).then(markOf, () => null);
}

function markOf({ dev, ino, size, mtimeNs }: BigIntStats): Mark {
  return `${dev} ${ino} ${size} ${mtimeNs}`;
}

/** So much text is written at a time. */
const CHUNK = 1 << 18;

/** What stands for the owner there is in a change of owners: chown(2). */
const SAME = -1;

/** Who may read and write a file, and whose it is. */
export interface Access {
  readonly mode: number;
  /** Null for the user who writes it. */
  readonly owner: { readonly user: number; readonly group: number } | null;
}

/**
 * Replaces a state atomically and durably: at every instant the path has the whole old text or the whole new one. When
 * this resolves, with the new one's mark, it is on the disk. The old file stays under `previous`.
 */
export function replaceFile(path: string, text: Iterable<string>, previous: string): Promise<Mark> {
  return placeFile(path, text, { mode: PRIVATE, owner: null }, () => keepPrevious(path, previous));
}

/**
 * Puts a text under a path, whole or not at all, and on the disk when this resolves; without an access, the umask
 * decides who may read it. `before` happens while the path still holds what it held.
 *
 * No library does it. write-file-atomic treats a write that a full disk cut short as complete: it puts half a file in
 * the place of the good one (seen with 7.0.1).
 */
export async function placeFile(
  path: string,
  text: Iterable<string>,
  access: Access | null,
  before: () => Promise<void> = async () => undefined,
): Promise<Mark> {
  const draft = draftOf(path);
  try {
    const file = await open(draft, "wx", access?.mode ?? OPEN);
    let mark: Mark;
    try {
      if (access !== null) await give(file, access);
      for (const chunk of chunksOf(text)) await file.writeFile(chunk);
      await file.sync();
      mark = markOf(await file.stat({ bigint: true }));
    } finally {
      await file.close();
    }
    await before();
    await rename(draft, path);
    await syncFolder(path);
    return mark;
  } catch (error) {
    await rm(draft, { force: true }).catch(() => undefined);
    throw error;
  }
}

/**
 * Gives a file to an owner, or to their group at least, as far as this user may; and sets who may read and write it.
 */
async function give(file: FileHandle, { mode, owner }: Access): Promise<void> {
  if (owner !== null)
    await file
      .chown(owner.user, owner.group)
      .catch(() => file.chown(SAME, owner.group))
      .catch(() => undefined);
  // The umask takes rights away from a new file. Some file systems know none, and refuse to set them.
  if (rightsOf(await file.stat()) !== mode) await file.chmod(mode);
}

/** Who may read and write a file, of all that its mode says. */
export function rightsOf({ mode }: Pick<Stats, "mode">): number {
  return mode & 0o777;
}

/**
 * Removes what was left beside a file by writers and takers of its lock that were killed: drafts, and claims to locks
 * that no longer exist. Only for the run that has just taken the lock: then no other claim is valid.
 */
export async function sweepLeftovers(path: string): Promise<void> {
  const folder = dirname(path);
  const names = await readdir(folder);
  const left = names.filter((name) => name.startsWith(`${basename(path)}.`) && /\.(draft|claim)$/.test(name));
  await Promise.all(left.map((name) => rm(join(folder, name), { force: true })));
}

function* chunksOf(text: Iterable<string>): Iterable<string> {
  let chunk = "";
  for (const piece of text) {
    chunk += piece;
    if (chunk.length < CHUNK) continue;
    yield chunk;
    chunk = "";
  }
  yield chunk;
}

function draftOf(path: string): string {
  return `${path}.${randomUUID()}.draft`;
}

async function keepPrevious(path: string, previous: string): Promise<void> {
  const draft = draftOf(previous);
  try {
    await link(path, draft);
  } catch (error) {
    if (codeOf(error) === "ENOENT") return;
    // Some file systems know no second name for a file.
    await copyFile(path, draft);
  }
  await chmod(draft, PRIVATE);
  await rename(draft, previous);
  // Renaming one name of a file to another of its names does nothing, and says that it did.
  await rm(draft, { force: true });
}

/** Makes what a folder lists durable: a rename or a new file in it. */
export async function syncFolder(path: string): Promise<void> {
  try {
    const folder = await open(dirname(path), "r");
    try {
      await folder.sync();
    } finally {
      await folder.close();
    }
  } catch (error) {
    // Windows does not open folders; there the rename itself must be enough.
    if (!["EISDIR", "EPERM", "EACCES", "EINVAL"].includes(codeOf(error))) throw error;
  }
}
