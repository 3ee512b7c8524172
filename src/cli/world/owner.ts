import type { Stats } from "node:fs";

const OTHERS_MAY_WRITE = 0o022;

/** Whether a file or folder is of a user, and no other user may write it. */
export function isOnlyOf({ uid, mode }: Pick<Stats, "uid" | "mode">, user: number | undefined): boolean {
  return uid === user && (mode & OTHERS_MAY_WRITE) === 0;
}
