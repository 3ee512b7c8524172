import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type BareGit, openBareGit } from "../../../src/manifest/git/git.js";
import type { Clock } from "../../../src/model/clock.js";
import { CADENCE, type Cadence } from "../../../src/state/git/cadence.js";
import type { GitStoreOptions } from "../../../src/state/git/commits.js";
import { compact, gitStore } from "../../../src/state/git/store.js";
import { hashOfRecord } from "../../../src/state/record.js";
import { newSnapshot } from "../../../src/state/snapshot.js";
import { AT_ONCE } from "../../contracts/races.js";
import { expectManyRows, MANY_ROWS } from "../../contracts/rows.js";
import {
  failure,
  following,
  keptRecord,
  owner,
  passing as passingBy,
  storeContract,
} from "../../contracts/store.js";
import { type GitRemote, makeGitRemote, missingGitServer, startGitServer } from "../../fakes/gitRemote.js";
import { type HandClock, handClock } from "../../fakes/handClock.js";
import { inTheClear } from "../../fakes/inTheClear.js";

const REFS = { state: "refs/remit/here", lock: "refs/remit/here-lock" };
/** How many commands of git run now: the time of the tests stands still meanwhile. */
let commands = 0;
const passing = <T>(clock: HandClock, work: Promise<T>) => passingBy(clock, work, () => commands > 0);
const UNPACED: Cadence = { ...CADENCE, push: 0 };

function optionsAt(url: string, clock: Clock, more: Partial<GitStoreOptions> = {}): GitStoreOptions {
  const access = { environment: { GIT_ALLOW_PROTOCOL: "file:http" }, settings: [] };
  const user = { path: process.env.PATH, home: undefined };
  const open = (folder: string): BareGit => {
    const git = openBareGit(folder, "/nowhere", user, access);
    return async (argv, input) => {
      commands += 1;
      return git(argv, input).finally(() => {
        commands -= 1;
      });
    };
  };
  const scratch = { folder: tmpdir(), user: null, mark: "test", isOver: () => false };
  const fixed = { scratch, version: "0.1.0", requestTimeout: 30_000, cadence: UNPACED };
  return { name: "git:here", url, refs: REFS, open, clock, ...fixed, ...more };
}
const storeAt = (url: string, clock: Clock, more: Partial<GitStoreOptions> = {}) =>
  inTheClear(gitStore(optionsAt(url, clock, more)));

storeContract("a ref of a repository", async (clock) => {
  const remote = makeGitRemote();
  return {
    open: () => storeAt(remote.folder, clock),
    durableWrites() {
      const log = remote.git("log", "--format=%s", REFS.state);
      return log.split("\n").filter((subject) => subject.startsWith("Record")).length;
    },
    close: async () => remote.close(),
  };
});

const first = following(newSnapshot("lineage", "server"), ["one"]);
const WAITING = { timeout: 0 };
let remote: GitRemote;
beforeEach(() => {
  remote = makeGitRemote();
});
afterEach(() => remote.close());

/** A clock whose sleepers wake at once, and whose time goes on by as much. */
function quickClock(): Clock & { readonly slept: number[] } {
  const clock = handClock();
  const slept: number[] = [];
  const sleep = async (milliseconds: number) => {
    slept.push(milliseconds);
    clock.advance(milliseconds);
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { ...clock, sleep, slept };
}

describe("a state in a ref", () => {
  it("is lost, and not new, where its ref was removed and the lock of a killed run was not", async () => {
    const killed = await storeAt(remote.folder, handClock()).lock(owner("killed"), WAITING);
    await killed.save(first);
    await killed.journal.append("an intent");
    const commit = remote.git("rev-parse", REFS.state).trim();
    remote.git("update-ref", "-d", REFS.state);
    // The end of the run that lost it leaves its lock.
    await killed.release();
    const store = storeAt(remote.folder, quickClock());
    for (const ask of [store.read, () => store.lock(owner("next"), { timeout: 600_000 })]) {
      const { diagnostic } = await failure(ask());
      expect(diagnostic.code).toBe("state/lost-ref");
      expect(diagnostic.message).toContain(`names commit ${commit}`);
    }
    remote.git("update-ref", REFS.state, commit);
    expect(await store.read()).toMatchObject({ snapshot: first, trace: null });
    remote.git("update-ref", "-d", REFS.state);
    await store.unlock();
    expect(await store.read()).toMatchObject({ snapshot: null, trace: null });
    await (await store.lock(owner("next"), WAITING)).release();
  });

  it("is missed by the run that holds its lock, though that run has nothing to write", async () => {
    const store = storeAt(remote.folder, quickClock());
    const lock = await store.lock(owner("one"), WAITING);
    await lock.save(first);
    await lock.release();
    const clock = handClock();
    const next = await storeAt(remote.folder, clock).lock(owner("two"), WAITING);
    remote.git("update-ref", "-d", REFS.state);
    await next.release();
    expect((await failure(store.read())).diagnostic.code).toBe("state/lost-ref");
  });

  it("has a commit for each save that names the run, the plan and the user", async () => {
    const job = "https://forge.example/run/7";
    const lock = await storeAt(remote.folder, handClock()).lock(owner("one", { user: "ann", job }), WAITING);
    await lock.save({ ...first, applying: { effect: "sha256:abc", done: [], isComplete: true } });
    await lock.release();
    const message = remote.git("log", "-1", "--format=%an%n%B", REFS.state);
    expect(message.trim()).toBe(
      `ann\nSave serial 1\n\nPlan: sha256:abc\nRun: one (remit apply one, process 1 on here)\nJob: ${job}\nUser: ann`,
    );
    expect(remote.git("for-each-ref", "--format=%(refname)").trim()).toBe(REFS.state);
  });

  it("is pushed six times at once, and then once in 10 s", async () => {
    const pushes: number[] = [];
    const clock = handClock();
    const options = optionsAt(remote.folder, clock, { cadence: CADENCE });
    const open: GitStoreOptions["open"] = (folder) => {
      const git = options.open(folder);
      return (argv, input) => {
        if (argv[0] === "push") pushes.push(clock.elapsed());
        return git(argv, input);
      };
    };
    const store = inTheClear(gitStore({ ...options, open }));
    // The first two pushes are the probe: one of them wins.
    const lock = await store.lock(owner("one"), WAITING);
    const work = (async () => {
      for (let line = 1; line <= 8; line += 1) await lock.journal.append(`line ${line}`);
      await lock.save(first);
      await lock.journal.clear();
      await lock.release();
    })();
    await passing(clock, work);
    // Two pushes of the probe count as one; eight lines, the snapshot, the clear and the end.
    expect(pushes).toHaveLength(13);
    const counted = pushes.slice(1);
    expect(counted.slice(0, CADENCE.burst).every((at) => at - (counted[0] ?? 0) < CADENCE.push)).toBe(true);
    const later = counted.slice(CADENCE.burst - 1);
    const gaps = later.slice(1).map((at, place) => at - (later[place] ?? 0));
    expect(gaps.every((gap) => gap > CADENCE.push - 1_000 && gap < CADENCE.push + 1_000)).toBe(true);
  });

  it("is renewed by a quiet holder every 30 s, and not by one whose writes renew it", async () => {
    const clock = handClock();
    const lock = await storeAt(remote.folder, clock, { cadence: CADENCE }).lock(owner("one"), WAITING);
    const head = () => remote.git("rev-parse", REFS.lock).trim();
    const before = head();
    const pass = (milliseconds: number) => passing(clock, clock.sleep(milliseconds));
    await pass(25_000);
    await passing(clock, lock.journal.append("a line"));
    const written = head();
    expect(written).not.toBe(before);
    await pass(25_000);
    expect(head()).toBe(written);
    await pass(15_000);
    expect(head()).not.toBe(written);
    await passing(clock, lock.release());
  });

  it("is taken over from a holder that was silent for a lease and a request, by the clock of the taker", async () => {
    const dead = await storeAt(remote.folder, handClock()).lock(owner("dead"), WAITING);
    await dead.journal.append("an intent");
    const clock = quickClock();
    const next = storeAt(remote.folder, clock);
    expect((await next.read()).held?.by?.id).toBe("dead");
    const lock = await next.lock(owner("next"), { timeout: 600_000 });
    expect(clock.elapsed()).toBeGreaterThanOrEqual(CADENCE.lease + 30_000);
    expect(clock.elapsed()).toBeLessThanOrEqual(CADENCE.lease + 60_000);
    expect((await failure(dead.journal.append("late"))).diagnostic.code).toBe("state/lock-lost");
    expect((await next.read()).journal).toEqual(["an intent"]);
    await dead.release();
    await lock.confirm();
    await lock.release();
  });

  it(`is held by one of ${AT_ONCE} that start at once on a new remote`, async () => {
    const clock: Clock = { ...handClock(), sleep: () => new Promise((resolve) => setTimeout(resolve, 300)) };
    let holders = 0;
    let most = 0;
    const ids = Array.from({ length: AT_ONCE }, (_, place) => `run-${place}`);
    const ends = await Promise.all(
      ids.map(async (id) => {
        try {
          const lock = await storeAt(remote.folder, clock).lock(owner(id), WAITING);
          holders += 1;
          most = Math.max(most, holders);
          await lock.journal.append(id);
          holders -= 1;
          await lock.release();
          return "held";
        } catch (error) {
          return (error as { message: string }).message;
        }
      }),
    );
    expect(most).toBe(1);
    const held = ends.filter((end) => end === "held");
    expect(held.length).toBeGreaterThan(0);
    for (const end of ends)
      expect(end).toMatch(/^held$|is locked by remit apply run-\d+ \(process 1 on here, since /);
    expect((await storeAt(remote.folder, clock).read()).journal).toHaveLength(held.length);
  }, 120_000);

  it("is refused where the ref contains something else, and that stays as it is", async () => {
    const work = join(remote.folder, "work");
    mkdirSync(work);
    writeFileSync(join(work, "README"), "hello");
    remote.git(`--work-tree=${work}`, "add", "README");
    remote.git("-c", "user.name=a", "-c", "user.email=a@b", `--work-tree=${work}`, "commit", "-qm", "x");
    const head = remote.git("rev-parse", "HEAD").trim();
    remote.git("update-ref", REFS.state, head);
    const store = storeAt(remote.folder, handClock());
    expect((await failure(store.read())).message).toContain("is not a state of remit");
    expect((await failure(store.lock(owner("one"), WAITING))).message).toContain("is not a state of remit");
    expect(remote.git("rev-parse", REFS.state).trim()).toBe(head);
  });

  it("names a branch where the host takes no other ref", async () => {
    remote.git("config", "receive.hideRefs", "refs/remit");
    const { diagnostic } = await failure(storeAt(remote.folder, handClock()).lock(owner("one"), WAITING));
    expect(diagnostic.code).toBe("state/refused");
    expect(diagnostic.hint).toContain("git:#refs/heads/remit-state");
    const branch = { state: "refs/heads/remit-state", lock: "refs/heads/remit-state-lock" };
    const lock = await storeAt(remote.folder, handClock(), { refs: branch }).lock(owner("one"), WAITING);
    await lock.save(first);
    await lock.release();
    expect(remote.git("branch", "--format=%(refname)").trim()).toBe(branch.state);
  });

  it("is refused where another moved the ref while the lock was held", async () => {
    const lock = await storeAt(remote.folder, quickClock()).lock(owner("one"), WAITING);
    await lock.save(first);
    await lock.save(following(first, ["two"]));
    remote.git("update-ref", REFS.state, `${REFS.state}~1`);
    const { diagnostic } = await failure(lock.save(following(following(first, ["two"]), ["three"])));
    expect(diagnostic.code).toBe("state/changed");
    expect(diagnostic.message).toContain("was changed while this run held its lock");
    await lock.release();
  });

  it("that was rolled back under a lock is refused by the next run, until it is back or the lock is removed", async () => {
    const clock = quickClock();
    const store = storeAt(remote.folder, clock);
    const lock = await store.lock(owner("one"), WAITING);
    await lock.save(first);
    await lock.journal.append("an intent");
    const newest = remote.git("rev-parse", REFS.state).trim();
    remote.git("update-ref", REFS.state, `${newest}~1`);
    expect((await failure(lock.journal.append("another"))).diagnostic.code).toBe("state/changed");
    expect((await lock.release())?.diagnostic.code).toBe("state/changed");
    for (const work of [store.read, () => store.lock(owner("two"), WAITING)]) {
      const { diagnostic } = await failure(work());
      expect(diagnostic.code).toBe("state/rolled-back");
      expect(diagnostic.message).toContain(newest);
    }
    remote.git("update-ref", REFS.state, newest);
    const next = await store.lock(owner("three"), WAITING);
    expect((await store.read()).journal).toEqual(["an intent"]);
    await next.release();
  });

  it("leaves a ref with the name of its lock alone that is not a lock", async () => {
    const work = join(remote.folder, "work");
    mkdirSync(work);
    writeFileSync(join(work, "lock.json"), "{}");
    remote.git(`--work-tree=${work}`, "add", "lock.json");
    remote.git("-c", "user.name=a", "-c", "user.email=a@b", `--work-tree=${work}`, "commit", "-qm", "x");
    const head = remote.git("rev-parse", "HEAD").trim();
    const branch = { state: "refs/heads/plans", lock: "refs/heads/plans-lock" };
    remote.git("update-ref", branch.lock, head);
    const store = storeAt(remote.folder, quickClock(), { refs: branch });
    for (const ask of [store.read, () => store.lock(owner("one"), WAITING), store.unlock])
      expect((await failure(ask())).diagnostic.code).toBe("state/foreign-lock");
    expect(remote.git("rev-parse", branch.lock).trim()).toBe(head);
  });

  it("leaves another state alone that has the name of its lock", async () => {
    const other = { state: REFS.lock, lock: `${REFS.lock}-lock` };
    const kept = await storeAt(remote.folder, handClock(), { refs: other }).lock(owner("other"), WAITING);
    await kept.save(first);
    await kept.release();
    const head = remote.git("rev-parse", REFS.lock).trim();
    const store = storeAt(remote.folder, handClock());
    expect((await failure(store.lock(owner("one"), WAITING))).diagnostic.code).toBe("state/foreign-lock");
    expect(remote.git("rev-parse", REFS.lock).trim()).toBe(head);
  });

  it.each([1, 2, 3])(
    "keeps all where the remote refuses %i pushes in a row, and says that it waits",
    async (times) => {
      const clock = quickClock();
      const waits: string[] = [];
      const told = ({ as }: { readonly as: string }) => waits.push(as);
      const store = storeAt(remote.folder, clock);
      const lock = await store.lock(owner("one"), { timeout: 0, patience: 300_000, told });
      await lock.journal.append("one");
      const count = join(remote.folder, "refused");
      const hook = `#!/bin/sh\necho x >> ${count}\n[ $(wc -l < ${count}) -gt ${times} ] || exit 1\n`;
      writeFileSync(join(remote.folder, "hooks", "pre-receive"), hook, { mode: 0o755 });
      lock.journal.note("two");
      await lock.journal.append("three");
      expect(waits).toEqual(Array.from({ length: times }, () => "away"));
      expect(await lock.release({ snapshot: first, isCleared: false })).toBeNull();
      expect(await store.read()).toMatchObject({
        snapshot: first,
        journal: ["one", "two", "three"],
        held: null,
      });
    },
  );

  it("has one commit after it was compacted, with everything that it had", async () => {
    const store = storeAt(remote.folder, handClock());
    const lock = await store.lock(owner("one"), WAITING);
    await lock.save(first);
    const records = ["one", "two", "three"].map(keptRecord);
    for (const record of records.slice(0, 2)) void lock.append(record);
    await lock.save(following(first, ["two"]));
    for (const record of records.slice(2)) void lock.append(record);
    await lock.journal.append("an intent");
    await lock.release({ snapshot: following(following(first, ["two"]), ["three"]) });
    const before = await store.read();
    expect(await compact(optionsAt(remote.folder, handClock()), owner("two"), WAITING)).toBe(true);
    expect(remote.git("rev-list", "--count", REFS.state).trim()).toBe("1");
    expect(await store.read()).toEqual(before);
    const next = await store.lock(owner("three"), WAITING);
    void next.append(keptRecord("four"));
    await next.save(following(following(following(first, ["two"]), ["three"]), ["four"]));
    await next.release();
    const texts = ["one", "two", "three", "four"];
    const found = await store.history?.(({ record }) =>
      Promise.all(texts.map((text) => record(hashOfRecord(text)))),
    );
    expect(found).toEqual(texts);
  });

  it("says that git is missing, and asks once, where it is not installed", async () => {
    const clock = quickClock();
    const user = { path: "/nowhere", home: undefined };
    const open = (folder: string) =>
      openBareGit(folder, "/elsewhere", user, { environment: {}, settings: [] });
    const store = storeAt(remote.folder, clock, { open });
    for (const ask of [store.read, () => store.lock(owner("one"), WAITING)]) {
      const { diagnostic } = await failure(ask());
      expect(diagnostic.code).toBe("state/unwritable");
      expect(diagnostic.hint).toContain("The store needs git");
    }
    expect(clock.slept).toEqual([]);
  });

  it("leaves no folder behind", async () => {
    const folders: string[] = [];
    const options = optionsAt(remote.folder, handClock());
    const open: GitStoreOptions["open"] = (folder) => {
      folders.push(folder);
      return options.open(folder);
    };
    const store = inTheClear(gitStore({ ...options, open }));
    const lock = await store.lock(owner("one"), WAITING);
    await store.read();
    await lock.release();
    expect(folders).toHaveLength(2);
    expect(folders.filter(existsSync)).toEqual([]);
  });
});

describe.skipIf(missingGitServer() !== null)("a state behind git http-backend", () => {
  type Fault = NonNullable<Parameters<typeof startGitServer>[1]["fault"]>;
  async function served(
    work: (url: string, requests: readonly { readonly line: string }[]) => Promise<void>,
    more: { readonly takesPushes?: boolean; readonly fault?: Fault } = {},
  ): Promise<void> {
    remote.git("config", "http.receivepack", "true");
    const server = await startGitServer(dirname(remote.folder), { login: null, takesPushes: true, ...more });
    try {
      await work(`${server.url}/${basename(remote.folder)}`, server.requests);
    } finally {
      await server.close();
    }
  }
  const isPush = (request: Parameters<Fault>[0]) =>
    request.method === "POST" && (request.url ?? "").endsWith("git-receive-pack");

  it("is locked, written and read like any other", () =>
    served(async (url) => {
      const store = storeAt(url, handClock());
      const lock = await store.lock(owner("one"), WAITING);
      await lock.journal.append("an intent");
      await lock.save(first);
      expect(await storeAt(url, handClock()).read()).toMatchObject({
        snapshot: first,
        journal: ["an intent"],
        held: { by: { id: "one" } },
      });
      await lock.journal.clear();
      await lock.release();
      expect(await store.read()).toEqual({ snapshot: first, trace: null, journal: [], held: null });
    }));

  it("is read by one who may only read, with no push, and cannot be locked", async () => {
    const lock = await storeAt(remote.folder, handClock()).lock(owner("one"), WAITING);
    await lock.save(first);
    await lock.release();
    await served(
      async (url, requests) => {
        const store = storeAt(url, quickClock());
        expect((await store.read()).snapshot).toEqual(first);
        expect(requests.filter(({ line }) => line.includes("receive-pack"))).toEqual([]);
        const { diagnostic } = await failure(store.lock(owner("two"), WAITING));
        expect(diagnostic.code).toBe("state/forbidden");
        expect(diagnostic.message).toMatch(/may not push to .*403/);
      },
      { takesPushes: false },
    );
  });

  it("has each write once where the replies to pushes are lost", async () => {
    let pushes = 0;
    const fault: Fault = (request, response, when) => {
      if (!isPush(request) || when === "before") return false;
      pushes += 1;
      // The probe has to see both replies; of the others, each second one is lost.
      if (pushes <= 2 || pushes % 2 === 0) return false;
      response.writeHead(503).end();
      return true;
    };
    await served(
      async (url) => {
        const store = storeAt(url, quickClock());
        const lock = await store.lock(owner("one"), WAITING);
        for (const line of ["one", "two", "three"]) await lock.journal.append(line);
        await lock.save(first);
        expect(await store.read()).toMatchObject({ snapshot: first, journal: ["one", "two", "three"] });
        await lock.release();
      },
      { fault },
    );
  });

  it("goes on after 503s that came before the work was done", async () => {
    let asked = 0;
    const fault: Fault = (_, response, when) => {
      if (when === "after") return false;
      asked += 1;
      if (asked % 7 !== 0) return false;
      response.writeHead(503).end();
      return true;
    };
    await served(
      async (url) => {
        const store = storeAt(url, quickClock());
        const lock = await store.lock(owner("one"), { timeout: 60_000 });
        for (const line of ["one", "two"]) await lock.journal.append(line);
        await lock.save(first);
        await lock.release();
        expect(await store.read()).toMatchObject({ snapshot: first, journal: ["one", "two"] });
      },
      { fault },
    );
  });
});

/** The last of this file: what these leave in the memory of the worker makes each start of git slower. */
describe("a large state in a ref", () => {
  it(`takes ${MANY_ROWS.words}`, () => expectManyRows(storeAt(remote.folder, handClock())));

  it("is kept in pieces of at most 1 MB, also with letters that need more bytes", async () => {
    const names = Array.from({ length: 6_000 }, (_, place) => `row-${place}-${"é𝒳".repeat(20)}`);
    const large = following(newSnapshot("lineage", "server"), names);
    const store = storeAt(remote.folder, handClock());
    const lock = await store.lock(owner("one"), WAITING);
    await lock.save(large);
    await lock.release();
    expect((await store.read()).snapshot).toEqual(large);
    const sizes = remote.git("ls-tree", "-r", "--format=%(objectsize)", REFS.state).trim().split("\n");
    expect(sizes.length).toBeGreaterThan(5);
    expect(Math.max(...sizes.map(Number))).toBeLessThanOrEqual(1_000_000);
  });
});
