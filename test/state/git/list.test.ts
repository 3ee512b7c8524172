import { tmpdir } from "node:os";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openBareGit } from "../../../src/manifest/git/git.js";
import { CADENCE } from "../../../src/state/git/cadence.js";
import type { GitStoreOptions } from "../../../src/state/git/commits.js";
import { listGitStates } from "../../../src/state/git/list.js";
import { gitStore } from "../../../src/state/git/store.js";
import { newSnapshot } from "../../../src/state/snapshot.js";
import { following, owner } from "../../contracts/store.js";
import { type GitRemote, makeGitRemote } from "../../fakes/gitRemote.js";
import { handClock } from "../../fakes/handClock.js";
import { inTheClear } from "../../fakes/inTheClear.js";

let remote: GitRemote;
beforeEach(() => {
  remote = makeGitRemote();
});
afterEach(() => remote.close());

function optionsAt(name: string): GitStoreOptions {
  const state = `refs/remit/${name}`;
  const access = { environment: { GIT_ALLOW_PROTOCOL: "file" }, settings: [] };
  const user = { path: process.env.PATH, home: undefined };
  const fixed = {
    version: "0.1.0",
    requestTimeout: 30_000,
    cadence: { ...CADENCE, push: 0 },
    clock: handClock(),
  };
  return {
    name: `git:${name}`,
    url: remote.folder,
    refs: { state, lock: `${state}-lock` },
    open: (folder) => openBareGit(folder, "/nowhere", user, access),
    scratch: { folder: tmpdir(), user: null, mark: "test", isOver: () => false },
    ...fixed,
  };
}

describe("the states of a repository", () => {
  it("are listed by what their refs contain: whose each is, and who holds its lock", async () => {
    expect(await listGitStates(optionsAt("prod"))).toEqual([]);
    const first = following(newSnapshot("lineage", "server"), ["one"]);
    const held = await inTheClear(gitStore(optionsAt("prod"))).lock(owner("one"), { timeout: 0 });
    await held.save({ ...first, project: "acme/one" });
    const lock = await inTheClear(gitStore(optionsAt("team/test"))).lock(owner("two"), { timeout: 0 });
    await lock.save(first);
    await lock.release();
    const tree = remote.git("write-tree").trim();
    const made = remote
      .git("-c", "user.name=a", "-c", "user.email=a@b", "commit-tree", tree, "-m", "mine")
      .trim();
    remote.git("update-ref", "refs/remit/notes", made);
    expect(await listGitStates(optionsAt("test"))).toEqual([
      { address: `git:${remote.folder}#prod`, project: "acme/one", serial: 1, held: { by: owner("one") } },
      { address: `git:${remote.folder}#team/test`, project: null, serial: 1, held: null },
    ]);
    await held.release();
  });

  it.each([1, 12])("are read with as many programs of git, however many there are: %i", async (count) => {
    const lock = await inTheClear(gitStore(optionsAt("state-0"))).lock(owner("one"), { timeout: 0 });
    await lock.save(following(newSnapshot("lineage", "server"), ["one"]));
    await lock.release();
    const state = remote.git("rev-parse", "refs/remit/state-0").trim();
    for (let at = 1; at < count; at += 1) remote.git("update-ref", `refs/remit/state-${at}`, state);
    const programs: string[] = [];
    const options = optionsAt("state-0");
    const counted: typeof options = {
      ...options,
      open(folder) {
        const git = options.open(folder);
        return (argv, input) => {
          programs.push(argv[0] ?? "");
          return git(argv, input);
        };
      },
    };
    expect(await listGitStates(counted)).toHaveLength(count);
    expect(programs).toEqual(["ls-remote", "fetch", "cat-file"]);
  });
});
