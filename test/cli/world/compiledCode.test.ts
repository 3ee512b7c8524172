import {
  chmodSync,
  chownSync,
  copyFileSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { crc32 } from "node:zlib";
import { describe, expect, it } from "vitest";
import { openCompiled } from "../../../src/cli/world/compiledCode.js";

const root = mkdtempSync(join(tmpdir(), "remit-compiled-"));
let homes = 0;

/** The folder of a package's modules. */
function home(): string {
  homes += 1;
  const folder = join(root, `home-${homes}`);
  mkdirSync(folder);
  writeFileSync(join(folder, "start.js"), "");
  return folder;
}

const FIRST = "(function () { return 1; })";
/** No other test runs these: V8 remembers within a process what it compiled of a text. */
const [OWN_TEXT, FORGED] = ["(function () { return 70; })", "(function () { return 76; })"] as const;
const SECOND = "(function () { return 'two'; })";

/** Runs modules and calls what each makes; gives what they returned. */
function run(folder: string | null, modules: Readonly<Record<string, string>>): readonly unknown[] {
  const compiled = openCompiled(folder);
  const results = Object.entries(modules).map(([name, text]) =>
    (compiled.run(name, text) as () => unknown)(),
  );
  compiled.keep();
  return results;
}

/** The file beside the modules; null where there is none. */
function keptIn(folder: string): string | null {
  const name = readdirSync(folder).find((one) => one.startsWith("compiled-"));
  return name === undefined ? null : join(folder, name);
}

/** What was kept, and a number that another write of it changes. */
function versionOf(folder: string): number {
  return statSync(keptIn(folder) ?? "").ino;
}

/** What was compiled of another text, as if it were that of the first module: V8 compares the length of a text alone. */
function forged(): string {
  const folder = home();
  run(folder, { first: FORGED });
  const file = keptIn(folder) ?? "";
  const all = readFileSync(file);
  const end = 8 + all.readUInt32LE(4);
  const head = all.toString("utf8", 8, end).replace(String(crc32(FORGED)), String(crc32(OWN_TEXT)));
  const made = Buffer.concat([all.subarray(0, 8), Buffer.from(head), all.subarray(end)]);
  made.writeUInt32LE(Buffer.byteLength(head), 4);
  made.writeUInt32LE(crc32(made.subarray(4)), 0);
  writeFileSync(file, made);
  return file;
}

describe("compiled code", () => {
  it("is kept beside the modules of the package", () => {
    const folder = home();
    expect(run(folder, { first: FIRST })).toEqual([1]);
    expect(statSync(keptIn(folder) ?? "").mode & 0o777).toBe(0o600);
  });

  it("is kept nowhere without a folder, or where the modules are missing", () => {
    expect(run(null, { first: FIRST })).toEqual([1]);
    const folder = home();
    rmSync(join(folder, "start.js"));
    expect(run(folder, { first: FIRST })).toEqual([1]);
    expect(run(join(folder, "missing"), { first: FIRST })).toEqual([1]);
    expect(readdirSync(folder)).toEqual([]);
  });

  it("is not taken from a link, a folder, or a file that others may write", () => {
    const kept = forged();
    const name = basename(kept);
    // The owner of the modules can write code there. This shows that the file would run.
    const own = home();
    copyFileSync(kept, join(own, name));
    expect(run(own, { first: OWN_TEXT })).toEqual([76]);
    const ways: readonly ((file: string) => void)[] = [
      (file) => symlinkSync(kept, file),
      (file) => mkdirSync(file),
      (file) => {
        copyFileSync(kept, file);
        chmodSync(file, 0o666);
      },
    ];
    for (const plant of ways) {
      const folder = home();
      plant(join(folder, name));
      const before = lstatSync(join(folder, name));
      expect(run(folder, { first: OWN_TEXT })).toEqual([70]);
      expect(lstatSync(join(folder, name)).ino).toBe(before.ino);
    }
  });

  it.skipIf(process.getuid?.() !== 0)(
    "is neither taken nor kept where another user owns it or the modules",
    () => {
      const modules = home();
      chownSync(join(modules, "start.js"), 12_345, 12_345);
      expect(run(modules, { first: FIRST })).toEqual([1]);
      expect(keptIn(modules)).toBeNull();
      const folder = home();
      run(folder, { first: FIRST });
      const before = versionOf(folder);
      chownSync(keptIn(folder) ?? "", 12_345, 12_345);
      expect(run(folder, { first: FIRST, second: SECOND })).toEqual([1, "two"]);
      expect(versionOf(folder)).toBe(before);
    },
  );

  it("is taken by the next run, which writes nothing", () => {
    const named = home();
    run(named, { first: FIRST, second: SECOND });
    const before = versionOf(named);
    expect(run(named, { first: FIRST, second: SECOND })).toEqual([1, "two"]);
    expect(run(named, { first: FIRST })).toEqual([1]);
    expect(versionOf(named)).toBe(before);
  });

  it("grows by a module that a later run needs, and keeps the others", () => {
    const named = home();
    run(named, { first: FIRST });
    const before = versionOf(named);
    expect(run(named, { first: FIRST, second: SECOND })).toEqual([1, "two"]);
    const grown = versionOf(named);
    expect(grown).not.toBe(before);
    run(named, { first: FIRST });
    run(named, { first: FIRST, second: SECOND });
    expect(versionOf(named)).toBe(grown);
  });

  it("runs the text that is there, also where another one of the same length was kept", () => {
    const named = home();
    run(named, { first: FIRST, second: SECOND });
    const changed = SECOND.replace("two", "six");
    expect(run(named, { first: FIRST, second: changed })).toEqual([1, "six"]);
    expect(run(named, { first: FIRST.replace("1", "2"), second: changed })).toEqual([2, "six"]);
  });

  it("forgets the modules of another build", () => {
    const named = home();
    run(named, { first: FIRST, second: SECOND });
    run(named, { first: FIRST.replace("1", "3") });
    expect(readFileSync(keptIn(named) ?? "", "latin1")).not.toContain("second");
  });

  it.each([
    ["is cut", (all: Buffer) => all.subarray(0, all.length - 5)],
    ["is empty", () => Buffer.alloc(0)],
    ["has another byte", (all: Buffer) => all.fill(all.at(-9) === 7 ? 8 : 7, all.length - 9, all.length - 8)],
    ["is of something else", () => Buffer.from("not what was compiled")],
  ])("is made again where its file %s", (_, broken) => {
    const named = home();
    run(named, { first: FIRST });
    const file = keptIn(named) ?? "";
    const whole = readFileSync(file);
    writeFileSync(file, broken(Buffer.from(whole)));
    expect(run(named, { first: FIRST })).toEqual([1]);
    expect(readFileSync(file).length).toBe(whole.length);
  });

  it("leaves a run alone that cannot write it", () => {
    const named = home();
    run(named, { first: FIRST });
    const file = keptIn(named) ?? "";
    const compiled = openCompiled(named);
    compiled.run("other", SECOND);
    rmSync(file);
    mkdirSync(join(file, "in the way"), { recursive: true });
    expect(() => compiled.keep()).not.toThrow();
    expect(readdirSync(named)).toHaveLength(2);
  });
});
