import { Buffer } from "node:buffer";
import { constants, fdatasync, write } from "node:fs";
import { type FileHandle, open, readFile, rm } from "node:fs/promises";
import { say } from "../words/say.js";
import { PRIVATE, syncFolder } from "./durable.js";
import { codeOf, unwritable } from "./fault.js";
import { StateError } from "./store.js";

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

/** A link is never followed: it may lead to any file of this user. Where a system has no such flag, it is 0. */
const APPEND = constants.O_RDWR | constants.O_APPEND | constants.O_CREAT | (constants.O_NOFOLLOW ?? 0);

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
