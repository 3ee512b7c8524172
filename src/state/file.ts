import { mkdir, readFile } from "node:fs/promises";
import { dirname } from "node:path";
import type { Backend } from "./backend.js";
import { decode, encode } from "./codec.js";
import { type Mark, markAt, replaceFile, sweepLeftovers } from "./durable.js";
import { codeOf, isDamage, replaceable, unreadable, unwritable } from "./fault.js";
import { breakLock, type LockWorld, takeLock } from "./lock.js";
import type { Snapshot } from "./snapshot.js";
import { checkSuccession, type Version } from "./succession.js";

/** Where and as whom a state is kept in a file. */
export interface FileBackendOptions extends LockWorld {
  /** The path to open. */
  readonly path: string;
  /** The path as messages name it, relative to the project. */
  readonly name: string;
  /** The version of remit that writes. */
  readonly version: string;
}

/** Keeps the state in a file, its predecessor in `….backup` and its lock in `….lock` beside it. */
export function fileBackend({ path, name, version, ...world }: FileBackendOptions): Backend {
  const backup = `${path}.backup`;
  let saved: { readonly as: Version; readonly mark: Mark } | null = null;

  async function load(): Promise<Snapshot | null> {
    try {
      return decode(await readFile(path, "utf8"), name);
    } catch (error) {
      if (codeOf(error) === "ENOENT") return null;
      if (isDamage(error) && (await isWhole(backup))) throw replaceable(error, name, `${name}.backup`);
      throw isSystemFault(error) ? unreadable(name, error) : error;
    }
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

  return {
    name,
    load,
    async save(snapshot) {
      checkSuccession(name, await kept(), snapshot);
      const mark = await writing(name, () => replaceFile(path, encode(snapshot, version), backup));
      saved = { as: { lineage: snapshot.lineage, serial: snapshot.serial }, mark };
    },
    lock: (owner, options) =>
      writing(`${name}.lock`, async () => {
        const lock = await takeLock(`${path}.lock`, owner, options, world);
        await sweepLeftovers(path);
        return lock;
      }),
    unlock: () => writing(`${name}.lock`, () => breakLock(`${path}.lock`)),
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

function isSystemFault(error: unknown): boolean {
  return codeOf(error) !== "EUNKNOWN";
}
