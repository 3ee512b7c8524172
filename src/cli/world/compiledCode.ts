import { randomUUID } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { Script } from "node:vm";
import { crc32 } from "node:zlib";

/** Compiles the modules of the command, and keeps for the next run what V8 compiled of them. */
export interface CompiledCode {
  /** What the text of a module makes when it runs. */
  readonly run: (name: string, text: string) => unknown;
  /** Keeps what was compiled, where this run needed a module that was not kept. */
  readonly keep: () => void;
}

/** The variables that decide where it is kept. Their list is not loaded for this: it is a module like those. */
type Surroundings = Readonly<
  Partial<Record<"HOME" | "XDG_CACHE_HOME" | "CI" | "NODE_COMPILE_CACHE", string | undefined>>
>;

/** A module as V8 compiled it, and the check sum of the text that it is of. */
interface Part {
  readonly sum: number;
  readonly code: Buffer;
}

/**
 * Opens what is kept. V8 takes it only if its version and its flags are the same, and else compiles anew; so does a module
 * whose text is another one. A folder that is missing, in the way or full costs no run more than that.
 */
export function openCompiled(env: Surroundings): CompiledCode {
  const folder = folderFor(env);
  if (folder === null) {
    const run = (filename: string, text: string) => new Script(text, { filename }).runInThisContext();
    return { run, keep: () => undefined };
  }
  // A long run would else forget what ran only once, and the next one would compile it again.
  setFlagsFromString("--no-flush-bytecode");
  const file = join(folder, `compiled-${process.version}-${process.arch}`);
  const kept = partsIn(file);
  const compiled = new Map<string, { readonly sum: number; readonly script: Script }>();
  let isKept = true;
  return {
    run(filename, text) {
      const sum = crc32(text);
      const part = kept.get(filename);
      const isSame = part?.sum === sum;
      // The names of all modules depend on their texts, but for the first: where that is another one, so is the build.
      if (!isSame && compiled.size === 0) kept.clear();
      const script = new Script(text, { filename, ...(isSame && { cachedData: part.code }) });
      isKept &&= isSame && script.cachedDataRejected !== true;
      compiled.set(filename, { sum, script });
      return script.runInThisContext();
    },
    keep() {
      if (isKept) return;
      const made = [...compiled].map(([filename, { sum, script }]): [string, Part] => [
        filename,
        { sum, code: script.createCachedData() },
      ]);
      write(file, new Map([...kept, ...made]));
    },
  };
}

/**
 * The folder, which only this user may write to: what is found there runs. A runner of a pipeline is new each time, so
 * it keeps nothing, unless a folder is named. Null where there is none.
 */
function folderFor(env: Surroundings): string | null {
  const { HOME: home, XDG_CACHE_HOME: caches, CI: pipeline, NODE_COMPILE_CACHE: given } = env;
  const place = given?.startsWith("/") ? given : pipeline === undefined ? ownCaches(home, caches) : null;
  if (place === null) return null;
  const folder = join(place, "remit");
  try {
    // Not `recursive`: node would try without end where a file system says that a folder is missing which is there.
    for (const one of [place, folder]) if (!existsSync(one)) mkdirSync(one, { mode: 0o700 });
    const { uid, mode } = statSync(folder);
    return uid === process.getuid?.() && (mode & 0o022) === 0 ? folder : null;
  } catch {
    return null;
  }
}

function ownCaches(home: string | undefined, caches: string | undefined): string | null {
  if (caches?.startsWith("/")) return caches;
  return home?.startsWith("/") ? join(home, ".cache") : null;
}

/** A file has the sum of all that follows, the length of its head in JSON, the head, and what was compiled. */
const START = 8;

type Head = readonly (readonly [name: string, sum: number, length: number])[];

/** The modules in a file; none where it is missing or was not written whole. */
function partsIn(file: string): Map<string, Part> {
  try {
    const all = readFileSync(file);
    if (all.readUInt32LE(0) !== crc32(all.subarray(4))) return new Map();
    let at = START + all.readUInt32LE(4);
    const head: Head = JSON.parse(all.toString("utf8", START, at));
    return new Map(
      head.map(([name, sum, length]) => {
        at += length;
        return [name, { sum, code: all.subarray(at - length, at) }];
      }),
    );
  } catch {
    return new Map();
  }
}

/** A run that reads it meanwhile gets the file before or the file after. */
function write(file: string, parts: ReadonlyMap<string, Part>): void {
  const head: Head = [...parts].map(([name, { sum, code }]) => [name, sum, code.length]);
  const text = Buffer.from(JSON.stringify(head));
  const numbers = Buffer.alloc(START);
  const all = Buffer.concat([numbers, text, ...[...parts.values()].map(({ code }) => code)]);
  all.writeUInt32LE(text.length, 4);
  all.writeUInt32LE(crc32(all.subarray(4)), 0);
  const draft = `${file}.${randomUUID()}`;
  try {
    writeFileSync(draft, all, { mode: 0o600 });
    renameSync(draft, file);
  } catch {
    rmSync(draft, { force: true });
  }
}
