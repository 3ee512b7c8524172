import { Buffer } from "node:buffer";
import { fdatasync, write } from "node:fs";
import { type FileHandle, mkdir, open, readFile, rm, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { PRIVATE, syncFolder } from "./durable.js";
import { codeOf, unreadable, unwritable } from "./fault.js";
import type { Log } from "./log.js";

interface Waiting {
  readonly done: () => void;
  readonly failed: (error: unknown) => void;
}

/**
 * Keeps lines in a file. While the disk is busy with one batch of lines the next gathers, so that however many
 * writers there are, they share one write and one sync. After a fault nothing more is written: half a line may be
 * the last thing in the file, and no line may come after it.
 */
export function fileLog({ path, name }: { readonly path: string; readonly name: string }): Log {
  let file: FileHandle | null = null;
  let lines: string[] = [];
  let waiting: Waiting[] = [];
  let writing: Promise<void> | null = null;
  let broken: unknown = null;

  async function opened(): Promise<FileHandle> {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    file = await open(path, "a", PRIVATE);
    const { size } = await file.stat();
    // A crash may have left half a line; what follows begins on a new one.
    if (size > 0) await file.appendFile("\n");
    else await syncFolder(path);
    return file;
  }

  async function writeBatches(): Promise<void> {
    while (lines.length > 0) {
      const text = lines.join("");
      const batch = waiting;
      [lines, waiting] = [[], []];
      try {
        if (broken !== null) throw broken;
        const { fd } = file ?? (await opened());
        await writeAll(fd, Buffer.from(text));
        if (batch.length > 0) await sync(fd);
        for (const { done } of batch) done();
      } catch (error) {
        broken ??= unwritable(name, error);
        for (const { failed } of batch) failed(broken);
      }
    }
    writing = null;
  }

  function add(line: string): void {
    lines.push(`${line}\n`);
    // The batch is taken in a later turn, so that all who write in this one share it.
    writing ??= Promise.resolve().then(writeBatches);
  }

  async function close(): Promise<void> {
    await writing;
    await file?.close();
    file = null;
  }

  return {
    name,
    async read() {
      try {
        const whole = (await readFile(path, "utf8")).split("\n").slice(0, -1);
        return whole.filter((line) => line !== "");
      } catch (error) {
        if (codeOf(error) === "ENOENT") return [];
        throw unreadable(name, error);
      }
    },
    append: (line) =>
      new Promise((done, failed) => {
        waiting.push({ done, failed });
        add(line);
      }),
    note: add,
    async clear() {
      await writing;
      try {
        const isOurs = file === null || (await isAt(path, file));
        await close();
        if (isOurs) await rm(path, { force: true });
        await syncFolder(path).catch(() => undefined);
      } catch (error) {
        throw unwritable(name, error);
      }
    },
    close,
  };
}

/** Whether a file is still the one under its path: a run that lost its lock must not remove its successor's. */
async function isAt(path: string, file: FileHandle): Promise<boolean> {
  const [there, ours] = await Promise.all([stat(path).catch(() => null), file.stat()]);
  return there?.ino === ours.ino;
}

/** Writes all of it: a disk that is nearly full takes a part, and says so only the next time. */
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
