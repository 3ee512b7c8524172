import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openCompiled } from "../../../src/cli/world/compiledCode.js";

const root = mkdtempSync(join(tmpdir(), "remit-compiled-"));
let homes = 0;

function home(): string {
  homes += 1;
  const folder = join(root, `home-${homes}`);
  mkdirSync(folder);
  return folder;
}

const FIRST = "(function () { return 1; })";
const SECOND = "(function () { return 'two'; })";

/** Runs modules and calls what each makes; gives what they returned. */
function run(env: NodeJS.ProcessEnv, modules: Readonly<Record<string, string>>): readonly unknown[] {
  const compiled = openCompiled(env);
  const results = Object.entries(modules).map(([name, text]) =>
    (compiled.run(name, text) as () => unknown)(),
  );
  compiled.keep();
  return results;
}

/** The file in the caches of a home; null where there is none. */
function keptIn(folder: string): string | null {
  const place = join(folder, "remit");
  const [name] = existsSync(place) ? readdirSync(place) : [];
  return name === undefined ? null : join(place, name);
}

/** What was kept, and a number that another write of it changes. */
function versionOf(folder: string): number {
  return statSync(keptIn(folder) ?? "").ino;
}

describe("compiled code", () => {
  it("is kept among the caches of the user, where no one else may write", () => {
    const HOME = home();
    expect(run({ HOME }, { first: FIRST })).toEqual([1]);
    const folder = join(HOME, ".cache");
    expect(statSync(join(folder, "remit")).mode & 0o777).toBe(0o700);
    expect(statSync(keptIn(folder) ?? "").mode & 0o777).toBe(0o600);
    run({ HOME, XDG_CACHE_HOME: join(HOME, "caches") }, { first: FIRST });
    expect(keptIn(join(HOME, "caches"))).not.toBeNull();
  });

  it("is not kept in a pipeline, or without a home", () => {
    const HOME = home();
    expect(run({ HOME, CI: "true" }, { first: FIRST })).toEqual([1]);
    expect(run({}, { first: FIRST })).toEqual([1]);
    expect(run({ HOME: "home", XDG_CACHE_HOME: "caches" }, { first: FIRST })).toEqual([1]);
    expect(readdirSync(HOME)).toEqual([]);
  });

  it("is kept in the folder that the user named, in a pipeline, too", () => {
    const named = home();
    run({ CI: "true", NODE_COMPILE_CACHE: named }, { first: FIRST });
    expect(keptIn(named)).not.toBeNull();
  });

  it("is not kept in a folder that others may write to, or that cannot be made", () => {
    const HOME = home();
    mkdirSync(join(HOME, ".cache", "remit"), { recursive: true });
    chmodSync(join(HOME, ".cache", "remit"), 0o777);
    expect(run({ HOME }, { first: FIRST })).toEqual([1]);
    expect(keptIn(join(HOME, ".cache"))).toBeNull();
    const file = join(home(), "file");
    writeFileSync(file, "");
    expect(run({ HOME: file }, { first: FIRST })).toEqual([1]);
    // Linux says of a folder in there that its parent is missing.
    expect(run({ HOME: "/proc" }, { first: FIRST })).toEqual([1]);
    expect(run({ HOME: join(HOME, "missing") }, { first: FIRST })).toEqual([1]);
    expect(existsSync(join(HOME, "missing"))).toBe(false);
  });

  it("is taken by the next run, which writes nothing", () => {
    const named = home();
    const env = { NODE_COMPILE_CACHE: named };
    run(env, { first: FIRST, second: SECOND });
    const before = versionOf(named);
    expect(run(env, { first: FIRST, second: SECOND })).toEqual([1, "two"]);
    expect(run(env, { first: FIRST })).toEqual([1]);
    expect(versionOf(named)).toBe(before);
  });

  it("grows by a module that a later run needs, and keeps the others", () => {
    const named = home();
    const env = { NODE_COMPILE_CACHE: named };
    run(env, { first: FIRST });
    const before = versionOf(named);
    expect(run(env, { first: FIRST, second: SECOND })).toEqual([1, "two"]);
    const grown = versionOf(named);
    expect(grown).not.toBe(before);
    run(env, { first: FIRST });
    run(env, { first: FIRST, second: SECOND });
    expect(versionOf(named)).toBe(grown);
  });

  it("runs the text that is there, also where another one of the same length was kept", () => {
    const named = home();
    const env = { NODE_COMPILE_CACHE: named };
    run(env, { first: FIRST, second: SECOND });
    const changed = SECOND.replace("two", "six");
    expect(run(env, { first: FIRST, second: changed })).toEqual([1, "six"]);
    expect(run(env, { first: FIRST.replace("1", "2"), second: changed })).toEqual([2, "six"]);
  });

  it("forgets the modules of another build", () => {
    const named = home();
    const env = { NODE_COMPILE_CACHE: named };
    run(env, { first: FIRST, second: SECOND });
    run(env, { first: FIRST.replace("1", "3") });
    expect(readFileSync(keptIn(named) ?? "", "latin1")).not.toContain("second");
  });

  it.each([
    ["is cut", (all: Buffer) => all.subarray(0, all.length - 5)],
    ["is empty", () => Buffer.alloc(0)],
    ["has another byte", (all: Buffer) => all.fill(all.at(-9) === 7 ? 8 : 7, all.length - 9, all.length - 8)],
    ["is of something else", () => Buffer.from("not what was compiled")],
  ])("is made again where its file %s", (_, broken) => {
    const named = home();
    const env = { NODE_COMPILE_CACHE: named };
    run(env, { first: FIRST });
    const file = keptIn(named) ?? "";
    const whole = readFileSync(file);
    writeFileSync(file, broken(Buffer.from(whole)));
    expect(run(env, { first: FIRST })).toEqual([1]);
    expect(readFileSync(file).length).toBe(whole.length);
  });

  it("leaves a run alone that cannot write it", () => {
    const named = home();
    run({ NODE_COMPILE_CACHE: named }, { first: FIRST });
    const file = keptIn(named) ?? "";
    const compiled = openCompiled({ NODE_COMPILE_CACHE: named });
    compiled.run("other", SECOND);
    rmSync(file);
    mkdirSync(join(file, "in the way"), { recursive: true });
    expect(() => compiled.keep()).not.toThrow();
    expect(readdirSync(join(named, "remit"))).toHaveLength(1);
  });
});
