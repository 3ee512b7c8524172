import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { fileAt } from "../../../src/manifest/git/fileAt.js";

let home: string;
let root: string;
beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), "remit-file-at-")));
  root = join(home, "checkout");
  mkdirSync(root);
  git("init", "-q", "-b", "main");
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const NAMES = ["remit.yaml", "remit.yml"];
const world = () => ({ path: process.env.PATH, home });
const run = (cwd: string, ...argv: readonly string[]) =>
  execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@example", ...argv], { cwd, stdio: "pipe" });
const git = (...argv: readonly string[]) => run(root, ...argv).toString();
const write = (path: string, text: string) => {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
};
const commitAll = () => {
  git("add", "-A");
  git("commit", "-qm", "one");
  return git("rev-parse", "HEAD").trim();
};
const read = (name: string, folder = root) => fileAt(folder, NAMES, name, world());

describe("the project file of a commit", () => {
  it("is read as the commit has it, whatever the work tree contains", async () => {
    write("remit.yaml", "server: sandbox\n");
    const commit = commitAll();
    write("remit.yaml", "server: https://evil.example\n");
    const source = { file: "main:remit.yaml", text: "server: sandbox\n", named: true };
    expect(await read("main")).toEqual({ as: "found", commit, reached: root, folder: root, source });
    for (const name of ["HEAD", commit, commit.slice(0, 8), "main~0", "refs/heads/main", "main@{0}"])
      expect(await read(name)).toMatchObject({ as: "found", commit });
  });

  it("is that of a tag of a tag, and of a branch beside a tag whose object is missing", async () => {
    write("remit.yaml", "server: sandbox\n");
    const commit = commitAll();
    git("tag", "-a", "-m", "one", "one");
    git("tag", "-a", "-m", "two", "two", "one");
    for (const name of ["one", "two", "refs/tags/two"])
      expect(await read(name)).toMatchObject({ as: "found", commit });
    writeFileSync(join(root, ".git", "refs", "tags", "main"), `${"1".repeat(40)}\n`);
    expect(await read("main")).toMatchObject({ as: "found", commit });
    expect(await read("refs/tags/main")).toMatchObject({ as: "unknown" });
  });

  it("is the nearest one of the folder and those above it", async () => {
    write("remit.yml", "retries: 1\n");
    write("infra/remit.yaml", "retries: 2\n");
    write("infra/deep/x.txt", "");
    write("other/x.txt", "");
    commitAll();
    const found = async (folder: string) => {
      const { source } = (await read("main", join(root, folder))) as { source?: { file: string } };
      return source?.file;
    };
    expect(await found("infra")).toBe("main:infra/remit.yaml");
    expect(await found("infra/deep")).toBe("main:infra/remit.yaml");
    expect(await found("other")).toBe("main:remit.yml");
  });

  it("is read without a filter, a text conversion, a replaced object or a hook of the repository", async () => {
    write("remit.yaml", "server: sandbox\n");
    write(".gitattributes", "*.yaml filter=trap diff=trap\n");
    commitAll();
    const proof = join(home, "proof");
    const trap = join(home, "trap");
    writeFileSync(trap, `#!/bin/sh\ntouch ${proof}\necho server: https://evil.example\n`);
    chmodSync(trap, 0o755);
    for (const name of ["filter.trap.smudge", "diff.trap.textconv", "core.fsmonitor"])
      git("config", name, trap);
    writeFileSync(join(home, "evil.yaml"), "server: https://evil.example\n");
    const evil = run(root, "hash-object", "-w", join(home, "evil.yaml")).toString().trim();
    run(root, "replace", git("rev-parse", "HEAD:remit.yaml").trim(), evil);
    expect(await read("main")).toMatchObject({ source: { text: "server: sandbox\n" } });
    expect(existsSync(proof)).toBe(false);
  });

  it("may be missing, and is nothing but a plain file", async () => {
    write("a.txt", "");
    const commit = commitAll();
    expect(await read("main")).toEqual({ as: "absent", commit });
    symlinkSync("/etc/passwd", join(root, "remit.yaml"));
    commitAll();
    const why = "it is not a plain file";
    expect(await read("main")).toMatchObject({ as: "unusable", path: "remit.yaml", why });
  });

  it("is of a folder whose name looks like a pattern", async () => {
    write(":(glob)*/remit.yaml", "retries: 1\n");
    write("x/remit.yaml", "retries: 2\n");
    commitAll();
    expect(await read("main", join(root, ":(glob)*"))).toMatchObject({ source: { text: "retries: 1\n" } });
  });
});

describe("a name of a commit", () => {
  it("may be a tag, and never a file or a folder", async () => {
    write("remit.yaml", "retries: 1\n");
    const commit = commitAll();
    git("tag", "-am", "x", "v1");
    expect(await read("v1")).toMatchObject({ as: "found", commit });
    expect(await read("main:remit.yaml")).toEqual({ as: "other", what: "blob" });
    expect(await read("main^{tree}")).toEqual({ as: "other", what: "tree" });
  });

  it("that means several things is never guessed", async () => {
    write("remit.yaml", "retries: 1\n");
    const commit = commitAll();
    git("update-ref", "refs/remotes/main", commit);
    const meanings = ["refs/heads/main", "refs/remotes/main"];
    expect(await read("main")).toEqual({ as: "ambiguous", meanings });
    expect(await read("main~0")).toEqual({ as: "ambiguous", meanings });
    expect(await read("refs/heads/main")).toMatchObject({ as: "found", commit });
    git("update-ref", `refs/heads/${commit.slice(0, 7)}`, commit);
    const short = await read(commit.slice(0, 7));
    expect(short).toEqual({ as: "ambiguous", meanings: [`refs/heads/${commit.slice(0, 7)}`, commit] });
  });

  it("that a shallow clone lacks comes with the command that fetches it", async () => {
    write("remit.yaml", "retries: 1\n");
    const first = commitAll();
    write("remit.yaml", "retries: 2\n");
    git("checkout", "-q", "-b", "pr");
    commitAll();
    const clone = join(home, "clone");
    run(home, "clone", "-q", "--depth=1", "--branch=pr", `file://${root}`, clone);
    const lacking = async (name: string) => await read(name, clone);
    const fetch = "git fetch --depth=1 origin +refs/heads/main:refs/remotes/origin/main";
    expect(await lacking("origin/main")).toEqual({ as: "unknown", isShallow: true, fetch });
    expect(await lacking(first)).toMatchObject({
      as: "unknown",
      fetch: `git fetch --depth=1 origin ${first}`,
    });
    expect(await lacking("HEAD~1")).toMatchObject({ as: "unknown", fetch: "git fetch --unshallow origin" });
    run(clone, ...fetch.split(" ").slice(1));
    expect(await lacking("origin/main")).toMatchObject({ as: "found", commit: first });
  });

  it("leads nowhere outside a checkout", async () => {
    expect(await read("main", home)).toEqual({ as: "no checkout" });
  });
});
