import { randomUUID } from "node:crypto";
import { lstatSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { Script } from "node:vm";
import { crc32 } from "node:zlib";
import { isOnlyOf } from "./owner.js";

/** Compiles the modules of the command, and keeps for the next run what V8 compiled of them. */
export interface CompiledCode {
  /** What the text of a module makes when it runs. */
  readonly run: (name: string, text: string) => unknown;
  /** Keeps what was compiled, where this run needed a module that was not kept. */
  readonly keep: () => void;
}

/** A module as V8 compiled it, and the check sum of the text that it is of. */
interface Part {
  readonly sum: number;
  readonly code: Buffer;
}

/**
 * Opens what is kept beside the modules in a folder: who may write it may write the modules themselves. No
 * variable and no other folder names code. Null keeps nothing. V8 takes what is kept only if its version and its flags are
 * the same, and else compiles anew; so does a module whose text is another one.
 */
export function openCompiled(modules: string | null): CompiledCode {
  const file = modules === null ? null : fileIn(modules);
  if (file === null) {
    const run = (filename: string, text: string) => new Script(text, { filename }).runInThisContext();
    return { run, keep: () => undefined };
  }
  // A long run would else forget what ran only once, and the next one would compile it again.
  setFlagsFromString("--no-flush-bytecode");
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

/** The module that every run of a command loads. */
const FIRST_MODULE = "start.js";

/**
 * The file for what is compiled. Null where this user does not own the modules. Null also where a link, a folder, or a
 * file that another user owns or may write stands there.
 */
function fileIn(modules: string): string | null {
  const file = join(modules, `compiled-${process.version}-${process.arch}`);
  try {
    const { uid } = statSync(join(modules, FIRST_MODULE));
    const there = lstatSync(file, { throwIfNoEntry: false });
    const isOwn = there === undefined || (there.isFile() && isOnlyOf(there, uid));
    return isOwn && uid === process.getuid?.() ? file : null;
  } catch {
    return null;
  }
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
