import { lstat, mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";

/** Where a run keeps its temporary repositories, and how it finds those of runs that have ended. */
export interface Scratch {
  /** The folder of temporary files. */
  readonly folder: string;
  /** The number of this user; null where users have none. */
  readonly user: number | null;
  /** A word for this run that no other has: letters, digits and dots. */
  readonly mark: string;
  /** Whether the run of such a word has certainly ended. */
  readonly isOver: (mark: string) => boolean;
}

const NAME = /^remit-state-([\w.]+)-\w{6}$/;
/** So many are removed at most before a run begins its work. */
const MOST = 50;
const STICKY = 0o1000;
const WRITTEN_BY_OTHERS = 0o022;
const OPEN_TO_OTHERS = 0o077;

/** Makes a folder that only this user may open. Removes such folders first that ended runs of this user left. */
export async function makeScratch(scratch: Scratch): Promise<string> {
  // What cannot be removed hinders nothing.
  await sweep(scratch).catch(() => undefined);
  return mkdtemp(join(scratch.folder, `remit-state-${scratch.mark}-`));
}

async function sweep(scratch: Scratch): Promise<void> {
  const { folder, isOver } = scratch;
  if (!(await keepsNames(scratch))) return;
  const left = (await readdir(folder)).filter((name) => {
    const mark = NAME.exec(name)?.[1];
    return mark !== undefined && isOver(mark);
  });
  for (const name of left.slice(0, MOST)) {
    const path = join(folder, name);
    if (await isOwn(path, scratch)) await rm(path, { recursive: true, force: true }).catch(() => undefined);
  }
}

/** Whether other users cannot put something else in the place of a folder of this user. */
async function keepsNames({ folder, user }: Scratch): Promise<boolean> {
  if (user === null) return true;
  const { uid, mode } = await stat(folder);
  return (uid === 0 || uid === user) && ((mode & STICKY) !== 0 || (mode & WRITTEN_BY_OTHERS) === 0);
}

/** Whether it is a folder, and not a link to one, that remit made for this user alone. */
async function isOwn(path: string, { user }: Scratch): Promise<boolean> {
  const about = await lstat(path).catch(() => null);
  if (about === null || !about.isDirectory()) return false;
  return user === null || (about.uid === user && (about.mode & OPEN_TO_OTHERS) === 0);
}
