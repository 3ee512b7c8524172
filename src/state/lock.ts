import { randomUUID } from "node:crypto";
import { type FileHandle, link, lstat, open, readdir, readFile, rename, rm, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { Clock } from "../model/clock.js";
import { say } from "../words/say.js";
import { PRIVATE } from "./durable.js";
import { codeOf, lockLost } from "./fault.js";
import { holdLease } from "./lease.js";
import { parseOwner } from "./owner.js";
import type { Contents, Owner, Waiting } from "./store.js";
import { StateError } from "./store.js";
import { waitForLock } from "./waitForLock.js";

/** A holder touches its lock this often. */
export const BEAT = 2_000;
/** The holder of a lock without a beat for so long, on the clock of the run that waits for it, is dead. */
export const SILENCE = 20_000;
const PAUSE = 200;
const BY_HAND = "If you are sure that it is dead, run `remit state unlock`.";

/** What a lock needs of the world outside. */
export interface LockWorld {
  readonly clock: Clock;
  /** Whether the process of a holder is certainly gone: it ran on this machine and runs no more. */
  readonly isDead: (holder: Owner) => boolean;
}

/** A lock file that this run holds. */
export interface HeldFile {
  readonly owner: Owner;
  /** Aborts, with a `StateError` as its reason, when another run has the lock. */
  readonly lost: AbortSignal;
  /** As `Lock.confirm`. */
  confirm(): Promise<void>;
  /** Throws `state/lock-lost` unless this run still holds the lock. */
  check(): Promise<void>;
  /** Ends the beats, and leaves a lock that was not released where it is. */
  close(): Promise<void>;
  release(): Promise<void>;
}

/** A lock file as it was read; `touched` changes with every beat of a living holder. */
interface LockFile {
  readonly owner: Owner | null;
  readonly touched: number;
  readonly file: number;
}

/**
 * Takes a lock file. It is created whole and exclusively. Its holder touches it through an open handle, so that a
 * beat never reaches the file of a successor. A waiting run judges a holder dead when its process on this machine is
 * gone, or when no beat came for `SILENCE`. It measures that on its own monotonic clock: no clock is compared with
 * another.
 * The time to wait and the silence both count from the moment the lock was first read, so a slow disk shortens neither.
 */
export async function takeLock(
  path: string,
  owner: Owner,
  waiting: Waiting,
  world: LockWorld,
): Promise<HeldFile> {
  const { clock } = world;
  let found: LockFile | null = null;
  return waitForLock(
    {
      ...{ name: basename(path), clock, silence: SILENCE, poll: PAUSE, next: BY_HAND },
      async look() {
        const seen = await read(path);
        found = seen;
        if (seen === null) return null;
        const { owner: by, file, touched } = seen;
        const isDead = isGone(seen, world.isDead);
        return { tag: `${file} ${touched}`, by, isGone: isDead, seemsSilent: () => looksSilent(seen, clock) };
      },
      async take() {
        const mine =
          found === null ? await create(path, owner, clock) : await succeed(path, found, owner, world);
        return mine === null ? null : hold(path, owner, mine, clock);
      },
    },
    waiting,
  );
}

/** Who holds a lock; null where it is free, or where its holder is certainly dead. */
export async function livingHolder(path: string, { isDead }: LockWorld): Promise<Contents["held"]> {
  const found = await read(path);
  return found === null || isGone(found, isDead) ? null : { by: found.owner };
}

/** Removes a lock and all claims to it, and says who held it. */
export async function breakLock(path: string): Promise<Owner | null> {
  const found = await read(path);
  const names = await readdir(dirname(path)).catch(() => []);
  const claims = names.filter((name) => name.startsWith(`${basename(path)}.`));
  await Promise.all(
    [path, ...claims.map((name) => join(dirname(path), name))].map((file) => rm(file, { force: true })),
  );
  return found?.owner ?? null;
}

/** A file with the owner in it that appears under the path whole or not at all; null where one is already there. */
async function create(path: string, owner: Owner, clock: Clock): Promise<FileHandle | null> {
  const draft = `${path}.${randomUUID()}.draft`;
  const handle = await write(draft, owner, clock);
  try {
    await link(draft, path);
    return handle;
  } catch (error) {
    await handle.close();
    const code = codeOf(error);
    // The run that took the lock in this moment removes all drafts.
    if (code === "EEXIST" || code === "ENOENT") return null;
    if (!LINKLESS.has(code)) throw error;
    return write(path, owner, clock).catch((fault) => {
      if (codeOf(fault) === "EEXIST") return null;
      throw fault;
    });
  } finally {
    await rm(draft, { force: true });
  }
}

/** What file systems answer that have no hard links; there a lock can be read a moment before it is whole. */
const LINKLESS = new Set(["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS"]);

async function write(path: string, owner: Owner, clock: Clock): Promise<FileHandle> {
  const handle = await open(path, "wx", PRIVATE);
  try {
    await handle.writeFile(`${JSON.stringify(owner)}\n`);
    await touch(handle, clock);
    return handle;
  } catch (error) {
    await handle.close();
    await rm(path, { force: true });
    throw error;
  }
}

async function touch(handle: FileHandle, clock: Clock): Promise<void> {
  const seconds = clock.now() / 1000;
  await handle.utimes(seconds, seconds);
}

/**
 * Takes over from a dead holder. The right to succeed one holder is a file that is created exclusively and named by
 * that holder's id, so one of many takers succeeds. It replaces the lock only while that holder's lock is still there,
 * so a late taker cannot remove the lock of an earlier one. A taker that died in between is succeeded the same way.
 */
async function succeed(
  path: string,
  dead: LockFile,
  mine: Owner,
  world: LockWorld,
): Promise<FileHandle | null> {
  const claim = `${path}.${dead.owner?.id.replace(/[^\w-]/g, "") ?? dead.file}.claim`;
  const claimed = (await create(claim, mine, world.clock)) ?? (await succeedClaimant(claim, mine, world));
  if (claimed === null) return null;
  await claimed.close();
  try {
    const found = await read(path);
    if (found?.file !== dead.file || found.owner?.id !== dead.owner?.id) return null;
    const draft = `${path}.${randomUUID()}.draft`;
    const handle = await write(draft, mine, world.clock);
    const isPlaced = await rename(draft, path).then(
      () => true,
      (error) => {
        // The lock was removed by hand, another run took it, and removed all drafts.
        if (codeOf(error) === "ENOENT") return false;
        throw error;
      },
    );
    if (isPlaced) return handle;
    await handle.close();
    return null;
  } finally {
    await rm(claim, { force: true });
  }
}

async function succeedClaimant(claim: string, mine: Owner, world: LockWorld): Promise<FileHandle | null> {
  const found = await read(claim);
  return found !== null && isGone(found, world.isDead) ? succeed(claim, found, mine, world) : null;
}

async function read(path: string): Promise<LockFile | null> {
  try {
    const [text, { mtimeMs, ino }] = await Promise.all([readFile(path, "utf8"), stat(path)]);
    return { owner: parseOwner(text), touched: mtimeMs, file: ino };
  } catch (error) {
    if (codeOf(error) !== "ENOENT") throw error;
    // A link to nowhere would look like no lock, and yet be in the way of one.
    if (await isLink(path)) throw new StateError(say("state/link", { path: basename(path) }));
    return null;
  }
}

async function isLink(path: string): Promise<boolean> {
  return lstat(path).then(
    (about) => about.isSymbolicLink(),
    () => false,
  );
}

function isGone({ owner }: LockFile, isDead: LockWorld["isDead"]): boolean {
  return owner !== null && isDead(owner);
}

/** Decided by the wall clock, which may be wrong: a reason to wait longer, never to take over. */
function looksSilent({ touched }: LockFile, clock: Clock): boolean {
  return Math.abs(clock.now() - touched) > SILENCE;
}

function hold(path: string, owner: Owner, handle: FileHandle, clock: Clock): HeldFile {
  const name = basename(path);
  let isReleased = false;

  // An open file keeps its inode.
  let mine: number | null = null;
  async function isMine(): Promise<boolean> {
    mine ??= (await handle.stat()).ino;
    return (await stat(path)).ino === mine;
  }
  async function renew(): Promise<boolean> {
    await touch(handle, clock);
    return isMine();
  }
  const lease = holdLease({
    name,
    clock,
    length: SILENCE,
    beat: BEAT,
    renew: () => renew().catch(() => false),
  });

  return {
    owner,
    lost: lease.lost,
    confirm: lease.confirm,
    async check() {
      const isHeld = !isReleased && !lease.lost.aborted && (await isMine().catch(() => false));
      if (!isHeld) throw lockLost(name);
    },
    async close() {
      await lease.close();
      // A lock that was lost is not given up: its file is the next holder's.
      if (!isReleased) await handle.close();
      isReleased = true;
    },
    async release() {
      if (isReleased) return;
      isReleased = true;
      await lease.close();
      const isHeld = await isMine().catch(() => false);
      await handle.close();
      // A lock that cannot be removed is the lock of a dead process as soon as this process ends.
      if (isHeld) await rm(path, { force: true }).catch(() => undefined);
    },
  };
}
