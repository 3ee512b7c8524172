import { spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { draftIn, sweepDrafts, writeNewFiles } from "../../../src/cli/world/newFiles.js";
import { runMarkOf } from "../../../src/cli/world/runMark.js";

let cwd: string;
beforeEach(() => {
  cwd = realpathSync(mkdtempSync(join(tmpdir(), "remit-new-")));
});
afterEach(() => rmSync(cwd, { recursive: true }));

const OWN = { pid: process.pid, host: "", arch: "", node: "" };

async function write(...paths: readonly string[]) {
  let count = 0;
  const unique = () => String(count++);
  const named: string[] = [];
  const files = paths.map((shown) => ({ path: join(cwd, shown), shown, text: `text of ${shown}\n` }));
  const diagnostics = await writeNewFiles({ cwd, unique, process: OWN }, files, ({ shown }) =>
    named.push(shown),
  );
  const there = readdirSync(cwd, { recursive: true, withFileTypes: true });
  const all = there
    .filter((entry) => entry.isFile())
    .map(({ name }) => name)
    .sort();
  return { codes: diagnostics.map(({ code }) => code), named, all };
}

describe("new files", () => {
  it("are written whole, with their folders, and nothing is left beside them", async () => {
    expect(await write("a/b/one.yaml", "a/two.yaml")).toEqual({
      codes: [],
      named: ["a/b/one.yaml", "a/two.yaml"],
      all: ["one.yaml", "two.yaml"],
    });
    expect(readFileSync(join(cwd, "a/b/one.yaml"), "utf8")).toBe("text of a/b/one.yaml\n");
  });

  it("never take the place of a file, and those after it are not written", async () => {
    writeFileSync(join(cwd, "two.yaml"), "mine");
    expect(await write("one.yaml", "two.yaml", "three.yaml")).toEqual({
      codes: ["command/already-there"],
      named: ["one.yaml"],
      all: ["one.yaml", "two.yaml"],
    });
    expect(readFileSync(join(cwd, "two.yaml"), "utf8")).toBe("mine");
  });

  it.each([
    ["the folder", (outside: string) => symlinkSync(outside, join(cwd, "a")), "a/one.yaml", "file/link"],
    [
      "the file",
      (outside: string) => symlinkSync(join(outside, "target"), join(cwd, "one.yaml")),
      "one.yaml",
      "command/already-there",
    ],
  ])("follow no link inside the project where %s is one", async (_what, link, path, code) => {
    const outside = realpathSync(mkdtempSync(join(tmpdir(), "remit-outside-")));
    link(outside);
    expect((await write(path)).codes).toEqual([code]);
    expect(readdirSync(outside)).toEqual([]);
    rmSync(outside, { recursive: true });
  });

  it("leave a draft after a kill, which the next run removes, and no other file", async () => {
    const dead = spawnSync(process.execPath, ["--version"]).pid;
    const draft = (pid: number, host = OWN.host) => draftIn(cwd, runMarkOf({ pid, host }).mark, "u");
    const others = [
      draft(process.ppid),
      draft(dead, "elsewhere"),
      "one.yaml",
      "notes.draft",
      "one.yaml.0000.draft",
    ];
    for (const name of [draft(dead), draft(process.pid), ...others])
      writeFileSync(resolve(cwd, name), "half");
    await sweepDrafts({ cwd, process: OWN }, [cwd, join(cwd, "none")]);
    expect(readdirSync(cwd).sort()).toEqual(others.map((name) => basename(name)).sort());
  });

  it("say why a file cannot be written", async () => {
    writeFileSync(join(cwd, "a"), "a file");
    expect((await write("a/one.yaml")).codes).toEqual(["file/unwritable"]);
    mkdirSync(join(cwd, "b"));
    expect((await write(`b/${"x".repeat(300)}.yaml`)).codes).toEqual(["file/unwritable"]);
    expect(existsSync(join(cwd, "b", "one.yaml"))).toBe(false);
  });
});
