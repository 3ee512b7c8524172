import { Buffer } from "node:buffer";
import { constants, fdatasync, write } from "node:fs";
import { access, type FileHandle, mkdir, open, readdir, readFile, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { isObject, parseJson } from "../model/json.js";
import { say } from "../words/say.js";
import { decode, encode } from "./codec.js";
import { type Mark, markAt, PRIVATE, replaceFile, sweepLeftovers, syncFolder } from "./durable.js";
import { codeOf, irreplaceable, isDamage, replaceable, unwritable } from "./fault.js";
import { breakLock, type HeldFile, type LockWorld, livingHolder, takeLock } from "./lock.js";
import type { Kept, Version } from "./snapshot.js";
import {
  type Contents,
  checkSuccession,
  type Lock,
  PROMPT,
  StateError,
  type Store,
  type Trace,
  type Waiting,
} from "./store.js";
import { projectIn, type StoredState } from "./stores.js";
import { heldLock, type Writer } from "./writes.js";

/** So many bytes of a file show whether it is a state, and whose. */
const HEAD = 20_000;

/** Where and as whom a state is kept in a file. */
export interface FileStoreOptions extends LockWorld {
  /** The path to open. */
  readonly path: string;
  /** The path as messages name it, relative to the project. */
  readonly name: string;
  /** The version of remit that writes. */
  readonly version: string;
}

/** The letters of a hash, with which a line of the history begins. */
const HASH = 64;

/** So often is the state read anew when another run saves it in between. */
const ATTEMPTS = 20;

/** Where a journal is. */
interface JournalPlace {
  /** The path to open. */
  readonly path: string;
  /** The path as messages name it. */
  readonly name: string;
}

/** The lines of a journal in a file, for one holder of the lock. */
interface JournalFile {
  /** Adds lines; throws a `StateError` where none of them is certain to be there. The same lines may be added again then. */
  append(lines: readonly string[], isDurable: boolean): Promise<void>;
  clear(): Promise<void>;
  close(): Promise<void>;
}

/** A link is never followed: it may lead to any file of this user. Where a system has no such flag, it is 0. */
const APPEND = constants.O_RDWR | constants.O_APPEND | constants.O_CREAT | (constants.O_NOFOLLOW ?? 0);

function traceIn(backup: string): Trace {
  const remedy = `Copy ${backup} back to continue from it. To start without it, move it away.`;
  return { what: backup, remedy };
}

/** Keeps the state in a file; beside it its predecessor in `….backup`, its lock in `….lock`, its journal in `….journal`, its
 * history in `….history`. */
export function fileStore({ path, name, version, ...world }: FileStoreOptions): Store<Kept> {
  const backup = `${path}.backup`;
  const lockFile = `${path}.lock`;
  const journalPlace = { path: `${path}.journal`, name: `${name}.journal` };
  const historyPlace = { path: `${path}.history`, name: `${name}.history` };
  let saved: { readonly as: Version; readonly mark: Mark } | null = null;

  async function load(): Promise<Kept | null> {
    try {
      return decode(await readFile(path, "utf8"), name);
    } catch (error) {
      if (codeOf(error) === "ENOENT") return null;
      if (isDamage(error))
        throw (await isWhole(backup)) ? replaceable(error, name, `${name}.backup`) : irreplaceable(error);
      throw isSystemFault(error)
        ? new StateError(say("state/unreadable", { name, cause: codeOf(error) }), { cause: error })
        : error;
    }
  }

  /** The journal was read while one and the same snapshot was in place: together they are one version. */
  async function read(): Promise<Contents<Kept>> {
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      const mark = await markAt(path);
      const journal = await readJournalFile(journalPlace);
      const snapshot = await load();
      const held = await livingHolder(lockFile, world);
      const trace = snapshot === null && (await isThere(backup)) ? traceIn(`${name}.backup`) : null;
      if (mark === (await markAt(path))) return { snapshot, trace, journal, held };
    }
    throw new StateError(say("state/changing", { name }));
  }

  /** What is kept now; a file that is still the one that was saved last is not read again. */
  async function kept(): Promise<Version | null> {
    return saved !== null && saved.mark === (await markAt(path)) ? saved.as : load();
  }

  async function writing<T>(file: string, work: () => Promise<T>): Promise<T> {
    try {
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      return await work();
    } catch (error) {
      throw isSystemFault(error) ? unwritable(file, error) : error;
    }
  }

  function hold(held: HeldFile, waiting: Waiting): Lock<Kept> {
    const { owner, check } = held;
    const journal = journalFile(journalPlace, check);
    const history = journalFile(historyPlace, check);
    /** What was written of a change whose attempt failed: the next attempt goes on after it. */
    const written = new WeakSet<object>();
    async function once<T extends object>(part: T, work: () => Promise<void>): Promise<void> {
      if (!written.has(part)) await work();
      written.add(part);
    }
    async function save(snapshot: Kept): Promise<void> {
      await check();
      checkSuccession(name, await kept(), snapshot);
      const mark = await writing(name, () => replaceFile(path, encode(snapshot, version), backup));
      saved = { as: { lineage: snapshot.lineage, serial: snapshot.serial }, mark };
    }
    const write: Writer<Kept>["write"] = async ({ records, snapshot, isCleared, lines }, isDurable) => {
      const append = () => once(lines, () => journal.append(lines, isDurable));
      if (lines.length > 0 && !isCleared) await append();
      const texts = records.map(({ hash, text }) => `${hash} ${text}`);
      if (records.length > 0) await once(records, () => history.append(texts, true));
      if (snapshot !== null) await once(snapshot, () => save(snapshot));
      // What comes after a clear is not removed by it.
      if (isCleared && !written.has(lines)) await journal.clear();
      if (lines.length > 0 && isCleared) await append();
    };
    const writer: Writer<Kept> = {
      linger: 0,
      ready: () => null,
      write,
      async release(last) {
        if (last !== null) await write(last, false);
        await journal.close();
        await history.close();
        await held.release();
      },
      async close() {
        await journal.close();
        await history.close();
      },
    };
    return heldLock({ name, owner, clock: world.clock, writer, lease: held, waiting }).lock;
  }

  return {
    name,
    rhythm: PROMPT,
    openTo: null,
    isOwn: true,
    isRemote: false,
    read,
    lock: (owner, waiting) =>
      writing(`${name}.lock`, async () => {
        const held = await takeLock(lockFile, owner, waiting, world);
        // What cannot be removed is in no one's way.
        await sweepLeftovers(path).catch(() => undefined);
        return hold(held, waiting);
      }),
    unlock: () => writing(`${name}.lock`, () => breakLock(lockFile)),
    async history(work) {
      const lines = await readJournalFile(historyPlace);
      const records = new Map(lines.map((line) => [line.slice(0, HASH), line.slice(HASH + 1)]));
      return work({ record: async (hash) => records.get(hash) ?? null });
    },
  };
}

/** Whether there is a state that can be read and used. */
async function isWhole(path: string): Promise<boolean> {
  try {
    decode(await readFile(path, "utf8"), path);
    return true;
  } catch {
    return false;
  }
}

async function isThere(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

function isSystemFault(error: unknown): boolean {
  return codeOf(error) !== "EUNKNOWN";
}

/** Every whole line of a journal in a file; none without a file. */
export async function readJournalFile({ path, name }: JournalPlace): Promise<readonly string[]> {
  try {
    const whole = (await readFile(path, "utf8")).split("\n").slice(0, -1);
    return whole.filter((line) => line !== "");
  } catch (error) {
    if (codeOf(error) === "ENOENT") return [];
    throw new StateError(say("state/unreadable", { name, cause: codeOf(error) }), { cause: error });
  }
}

/** Keeps a journal in a file. `check` throws when the writer no longer holds the lock; it runs before each write. */
export function journalFile({ path, name }: JournalPlace, check: () => Promise<void>): JournalFile {
  let file: FileHandle | null = null;
  /** The length up to the last line that is certain to be whole; null while all of the file is. */
  let whole: number | null = null;

  async function close(): Promise<void> {
    const open = file;
    file = null;
    await open?.close();
  }

  return {
    async append(lines, isDurable) {
      await check();
      await writing(name, async () => {
        file ??= await openToAppend(path);
        if (whole === null) whole = (await file.stat()).size;
        // A part of a write that failed may be there.
        else await file.truncate(whole);
        await writeAll(file.fd, Buffer.from(lines.map((line) => `${line}\n`).join("")));
        if (isDurable) await sync(file.fd);
        whole = null;
      });
    },
    async clear() {
      await check();
      await writing(name, async () => {
        await close();
        await rm(path, { force: true });
        whole = null;
        await syncFolder(path);
      });
    },
    close,
  };
}

async function openToAppend(path: string): Promise<FileHandle> {
  const file = await open(path, APPEND, PRIVATE);
  const { size } = await file.stat();
  if (size === 0) {
    await syncFolder(path);
    return file;
  }
  // A crash may have left half a line: no run waited for it, so nothing was sent.
  const whole = (await file.readFile()).lastIndexOf("\n") + 1;
  if (whole < size) await file.truncate(whole);
  return file;
}

async function writing(name: string, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    throw error instanceof StateError ? error : unwritable(name, error);
  }
}

/** Writes all of it: a disk that is nearly full accepts a part, and reports the fault only at the next write. */
function writeAll(fd: number, bytes: Buffer): Promise<void> {
  return new Promise((done, failed) => {
    write(fd, bytes, (error, count) => {
      if (error !== null) failed(error);
      else if (count === bytes.length) done();
      else writeAll(fd, bytes.subarray(count)).then(done, failed);
    });
  });
}

function sync(fd: number): Promise<void> {
  return new Promise((done, failed) => fdatasync(fd, (error) => (error === null ? done() : failed(error))));
}

/** The states in the folder of a file; a backup is none. `nameOf` names a file as `state:` does. */
export async function listFileStates(
  path: string,
  nameOf: (file: string) => string,
  world: LockWorld,
): Promise<readonly StoredState[]> {
  const folder = dirname(path);
  const names = (await readdir(folder).catch(() => [])).filter(
    (name) => name === basename(path) || name.endsWith(".json"),
  );
  const states: StoredState[] = [];
  for (const name of names.sort()) {
    const file = join(folder, name);
    const serial = serialIn(await headOf(file));
    if (serial === null) continue;
    const project = projectIn(await headOf(file));
    states.push({ address: nameOf(file), project, serial, held: await livingHolder(`${file}.lock`, world) });
  }
  return states;
}

async function headOf(file: string): Promise<string> {
  const handle = await open(file, "r").catch(() => null);
  if (handle === null) return "";
  try {
    const { buffer, bytesRead } = await handle.read({ buffer: new Uint8Array(HEAD) });
    return new TextDecoder().decode(buffer.subarray(0, bytesRead));
  } catch {
    return "";
  } finally {
    await handle.close();
  }
}

/** Null for a file that does not begin as a state does. */
function serialIn(head: string): number | null {
  const lines =
    /^\{\n {2}"formatVersion": \d+,\n {2}"writtenBy": .*,\n {2}("lineage": .*,\n {2}"serial": \d+),/;
  const version = parseJson(`{${lines.exec(head)?.[1] ?? '"serial":null'}}`);
  return isObject(version) && typeof version.serial === "number" ? version.serial : null;
}
