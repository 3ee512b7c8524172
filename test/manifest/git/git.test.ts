import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { commitOf, findCheckout, openGit } from "../../../src/manifest/git/git.js";

let home: string;
let root: string;
let proof: string;
beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), "remit-git-")));
  root = join(home, "checkout");
  proof = join(home, "proof");
  mkdirSync(root);
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const world = () => ({ path: process.env.PATH, home });
const git = (...argv: readonly string[]) =>
  execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@example", ...argv], { cwd: root });
const write = (path: string, text = "") => {
  mkdirSync(join(root, path, ".."), { recursive: true });
  writeFileSync(join(root, path), text);
};
/** A program that leaves a proof that it ran. */
const trap = (path: string) => {
  write(path, `#!/bin/sh\nenv >> ${proof}\ncat\n`);
  chmodSync(join(root, path), 0o755);
  return join(root, path);
};
const commitAll = () => {
  git("init", "-q", "-b", "main");
  git("add", "-A");
  git("commit", "-qm", "first");
};

describe("the commit", () => {
  it("is known where git has one and nothing differs from it", async () => {
    expect(await commitOf(root, world())).toBeNull();
    write("a.yaml");
    commitAll();
    expect(await commitOf(root, world())).toMatch(/^[0-9a-f]{40}$/);
    write("a.yaml", "changed");
    expect(await commitOf(root, world())).toBeNull();
  });

  it("is that of the folder alone, whatever its name and wherever else something changed", async () => {
    write(":(glob)*/a.yaml");
    write("other/b.yaml");
    commitAll();
    write("other/b.yaml", "changed");
    expect(await commitOf(join(root, ":(glob)*"), world())).toMatch(/^[0-9a-f]{40}$/);
    expect(await commitOf(join(root, "other"), world())).toBeNull();
  });

  it("is known in a second work tree, whose .git is a file", async () => {
    write("a.yaml");
    commitAll();
    git("worktree", "add", "-q", join(home, "second"));
    expect(findCheckout(join(home, "second"))?.root).toBe(join(home, "second"));
    expect(await commitOf(join(home, "second"), world())).toMatch(/^[0-9a-f]{40}$/);
  });
});

describe("a repository that wants to run a program", () => {
  it("does not by an embedded bare repository with a monitor", async () => {
    const program = trap("monitor.sh");
    write("infra/HEAD", "ref: refs/heads/main\n");
    write("infra/objects/keep");
    write("infra/refs/keep");
    write(
      "infra/config",
      `[core]\n\trepositoryformatversion = 0\n\tbare = false\n\tworktree = .\n\tfsmonitor = ${program}\n`,
    );
    write("infra/remit.yaml");
    commitAll();
    // The attack works where git searches for a repository.
    execFileSync("git", ["status"], { cwd: join(root, "infra"), stdio: "ignore" });
    expect(existsSync(proof)).toBe(true);
    rmSync(proof);
    expect(findCheckout(join(root, "infra"))?.root).toBe(root);
    expect(await commitOf(join(root, "infra"), world())).toMatch(/^[0-9a-f]{40}$/);
    expect(existsSync(proof)).toBe(false);
  });

  it("does not by a monitor, a hook, a filter or an external diff of any configuration", async () => {
    const program = trap("program.sh");
    write(".gitattributes", "*.yaml filter=evil.dotted diff=evil\n");
    write("a.yaml", "one");
    commitAll();
    mkdirSync(join(root, ".hooks"));
    trap(".hooks/post-index-change");
    git("config", "core.fsmonitor", program);
    git("config", "core.hooksPath", join(root, ".hooks"));
    git("config", "diff.external", program);
    git("config", "diff.evil.command", program);
    git("config", "filter.evil.dotted.clean", program);
    git("config", "filter.evil.dotted.process", program);
    git("config", "filter.evil.dotted.required", "true");
    git("config", "core.pager", program);
    // Same size, other content: git has to read the file.
    write("a.yaml", "two");
    expect(await commitOf(root, world())).toBeNull();
    expect(existsSync(proof)).toBe(false);
    const opened = openGit({ root, gitFolder: join(root, ".git") }, world());
    const blob = (await opened(["ls-tree", "HEAD", "a.yaml"])).split(/\s/)[2] ?? "";
    for (const argv of [
      ["cat-file", "blob", blob],
      ["for-each-ref"],
      ["log", "--name-only"],
      ["ls-files", "-z"],
      ["ls-tree", "-l", "HEAD"],
      ["merge-base", "HEAD", "HEAD"],
      ["rev-list", "HEAD"],
      ["rev-parse", "HEAD:a.yaml"],
      ["status", "--porcelain"],
      ["blame", "--no-textconv", "a.yaml"],
      // A command of which nothing is known here.
      ["diff", "--no-ext-diff", "--no-textconv"],
    ]) {
      expect(await opened(argv), argv.join(" ")).not.toBe("");
      expect(existsSync(proof), argv.join(" ")).toBe(false);
    }
  });

  it("does not by a filter whose name cannot be switched off", async () => {
    const program = trap("program.sh");
    write(".gitattributes", "*.yaml filter=a=b\n");
    write("a.yaml", "one");
    commitAll();
    git("config", "filter.a=b.clean", program);
    write("a.yaml", "two");
    expect(await commitOf(root, world())).toBeNull();
    expect(existsSync(proof)).toBe(false);
  });

  it("does not by a program of the name git in the checkout", async () => {
    write("a.yaml");
    commitAll();
    trap("node_modules/.bin/git");
    trap("git");
    const path = [join(root, "node_modules/.bin"), ".", "", process.env.PATH].join(":");
    expect(await commitOf(root, { path, home })).toBeNull();
    rmSync(join(root, "node_modules"), { recursive: true });
    rmSync(join(root, "git"));
    expect(await commitOf(root, { path, home })).toMatch(/^[0-9a-f]{40}$/);
    expect(existsSync(proof)).toBe(false);
  });

  it("does not by a remote with a command, from which a partial clone would fetch", async () => {
    const program = trap("remote.sh");
    write("a.yaml");
    commitAll();
    git("config", "remote.origin.url", `ext::${program}`);
    git("config", "remote.origin.promisor", "true");
    git("config", "protocol.ext.allow", "always");
    git("config", "extensions.partialClone", "origin");
    const opened = openGit({ root, gitFolder: join(root, ".git") }, world());
    await expect(opened(["cat-file", "-p", "1234567890123456789012345678901234567890"])).rejects.toThrow();
    expect(existsSync(proof)).toBe(false);
  });

  it("sees no secret of the environment", async () => {
    write("a.yaml");
    commitAll();
    process.env.REMIT_TOKEN = "a-secret";
    try {
      const opened = openGit({ root, gitFolder: join(root, ".git") }, world());
      const seen = await opened(["-c", "alias.seen=!env", "seen"]);
      expect(seen).not.toContain("a-secret");
    } finally {
      delete process.env.REMIT_TOKEN;
    }
  });
});
