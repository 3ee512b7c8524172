import { randomUUID } from "node:crypto";
import { type FileHandle, link, open, readdir, readFile, rename, rm, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { Clock } from "../model/clock.js";
import { isObject } from "../model/json.js";
import type { Lock, Owner } from "./backend.js";
import { PRIVATE } from "./durable.js";
import { codeOf, fault } from "./fault.js";

/** A holder touches its lock this often. */
export const BEAT = 2_000;
/** A lock that nobody touched for so long, on the clock of who waits for it, has no holder any more. */
export const SILENCE = 20_000;
const GLANCE = 200;

/** What a lock needs of the world outside. */
export interface LockWorld {
  readonly clock: Clock;
  /** Whether a process of this machine is running. */
  readonly isRunning: (pid: number) => boolean;
}

/** A lock as it was found; `touched` changes with every beat of a living holder. */
interface Found {
  readonly owner: Owner | null;
  readonly touched: number;
  readonly file: number;
}

/**
 * Takes a lock file. It is created whole and exclusively. Its holder touches it through an open handle, so that a
 * beat never reaches the file of a successor. Who waits judges a holder dead when its process on this machine is
 * gone, or when no beat came for `SILENCE` of its own monotonic time: no clock is compared with another's.
 */
export async function takeLock(
  path: string,
  owner: Owner,
  { timeout, signal }: { readonly timeout: number; readonly signal?: AbortSignal },
  world: LockWorld,
): Promise<Lock> {
  const { clock } = world;
  const began = clock.elapsed();
  let watched: { readonly found: Found; readonly since: number } | null = null;
  for (;;) {
    signal?.throwIfAborted();
    const mine = await create(path, owner, clock);
    if (mine !== null) return hold(path, owner, mine, clock);
    const found = await look(path);
    const now = clock.elapsed();
    if (found === null) continue;
    if (watched === null || !isSame(watched.found, found)) watched = { found, since: now };
    if (isGone(found, owner, world) || now - watched.since >= SILENCE) {
      const taken = await succeed(path, found, owner, world);
      if (taken !== null) return hold(path, owner, taken, clock);
    }
    const patience = looksSilent(found, clock) ? Math.max(timeout, SILENCE + GLANCE) : timeout;
    if (now - began >= patience) throw locked(path, found.owner, timeout);
    await clock.sleep(GLANCE, signal);
  }
}

/** Removes a lock and all claims to it, and says who held it. */
export async function breakLock(path: string): Promise<Owner | null> {
  const found = await look(path);
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
    // Whoever took the lock in this moment sweeps drafts away.
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

/** What file systems answer that know no second name for a file; there a lock is seen a moment before it is whole. */
const LINKLESS = new Set(["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS"]);

async function write(path: string, owner: Owner, clock: Clock): Promise<FileHandle> {
  const handle = await open(path, "wx", PRIVATE);
  await handle.writeFile(`${JSON.stringify(owner)}\n`);
  await touch(handle, clock);
  return handle;
}

async function touch(handle: FileHandle, clock: Clock): Promise<void> {
  const seconds = clock.now() / 1000;
  await handle.utimes(seconds, seconds);
}

/**
 * Takes over from a dead holder. The right to succeed one holder is itself a file that is created exclusively and
 * bears that holder's id, so of many takers one succeeds; and it replaces the lock only while that holder's is still
 * there, so a late taker cannot remove the lock of an earlier one. A taker that died in between is succeeded likewise.
 */
async function succeed(path: string, dead: Found, mine: Owner, world: LockWorld): Promise<FileHandle | null> {
  const claim = `${path}.${dead.owner?.id.replace(/[^\w-]/g, "") ?? dead.file}.claim`;
  const claimed = (await create(claim, mine, world.clock)) ?? (await succeedClaimant(claim, mine, world));
  if (claimed === null) return null;
  await claimed.close();
  try {
    const found = await look(path);
    if (found?.file !== dead.file || found.owner?.id !== dead.owner?.id) return null;
    const draft = `${path}.${randomUUID()}.draft`;
    const handle = await write(draft, mine, world.clock);
    const isPlaced = await rename(draft, path).then(
      () => true,
      (error) => {
        // Removed by hand, the lock went to another, who sweeps drafts away.
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
  const found = await look(claim);
  return found !== null && isGone(found, mine, world) ? succeed(claim, found, mine, world) : null;
}

async function look(path: string): Promise<Found | null> {
  try {
    const [text, { mtimeMs, ino }] = await Promise.all([readFile(path, "utf8"), stat(path)]);
    return { owner: parseOwner(text), touched: mtimeMs, file: ino };
  } catch (error) {
    if (codeOf(error) === "ENOENT") return null;
    throw error;
  }
}

function parseOwner(text: string): Owner | null {
  try {
    const owner: unknown = JSON.parse(text);
    return isObject(owner) && typeof owner.id === "string" ? (owner as unknown as Owner) : null;
  } catch {
    return null;
  }
}

function isSame(one: Found, other: Found): boolean {
  return one.file === other.file && one.touched === other.touched;
}

function isGone({ owner }: Found, mine: Owner, { isRunning }: LockWorld): boolean {
  return owner !== null && owner.host === mine.host && !isRunning(owner.pid);
}

/** By the wall clock, which may be wrong: reason enough to look longer, never to take over. */
function looksSilent({ touched }: Found, clock: Clock): boolean {
  return Math.abs(clock.now() - touched) > SILENCE;
}

function locked(path: string, owner: Owner | null, timeout: number): Error {
  const who =
    owner === null
      ? "somebody"
      : `${owner.command} (process ${owner.pid} on ${owner.host}, since ${owner.since})`;
  return fault(
    "state/locked",
    `the state is locked by ${who}, and was not free within ${timeout / 1000} s`,
    `Wait for that run, or longer with --lock-timeout. If it is certain that it is dead: remit state unlock (${basename(path)}).`,
  );
}

function hold(path: string, owner: Owner, handle: FileHandle, clock: Clock): Lock {
  const lost = new AbortController();
  const released = new AbortController();

  const isMine = async () => (await stat(path)).ino === (await handle.stat()).ino;
  async function beat(): Promise<void> {
    for (;;) {
      await clock.sleep(BEAT, released.signal);
      if (released.signal.aborted) return;
      await touch(handle, clock);
      if (!(await isMine())) throw new Error("the lock is another's");
    }
  }

  const beating = beat().catch(() => {
    if (!released.signal.aborted) lost.abort(lostLock(path));
  });
  return {
    owner,
    lost: lost.signal,
    async release() {
      if (released.signal.aborted) return;
      released.abort();
      await beating;
      const held = await isMine().catch(() => false);
      await handle.close();
      if (held) await rm(path, { force: true });
    },
  };
}

function lostLock(path: string): Error {
  return fault(
    "state/lock-lost",
    `another run has taken the lock of the state (${basename(path)})`,
    "Nothing more is started. Let the other run end, then run the same command again.",
  );
}
