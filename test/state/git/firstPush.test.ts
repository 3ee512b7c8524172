import { rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openBareGit } from "../../../src/manifest/git/git.js";
import { CADENCE } from "../../../src/state/git/cadence.js";
import { gitStore } from "../../../src/state/git/store.js";
import { newSnapshot } from "../../../src/state/snapshot.js";
import { failure, following, owner, passing } from "../../contracts/store.js";
import { type GitRemote, makeGitRemote } from "../../fakes/gitRemote.js";
import { type HandClock, handClock } from "../../fakes/handClock.js";
import { inTheClear } from "../../fakes/inTheClear.js";

const REFS = { state: "refs/remit/team/here", lock: "refs/remit/team/here-lock" };
const LAZY = { timeout: 0, isLazy: true };
const EAGER = { timeout: 0 };
const first = following(newSnapshot("lineage", "server"), ["one"]);

let remote: GitRemote;
let pushes = 0;
let commands = 0;
beforeEach(() => {
  remote = makeGitRemote();
  pushes = 0;
});
afterEach(() => remote.close());

function store(clock: HandClock = handClock()) {
  const access = { environment: { GIT_ALLOW_PROTOCOL: "file" }, settings: [] };
  return inTheClear(
    gitStore({
      name: "git:here",
      url: remote.folder,
      refs: REFS,
      clock,
      scratch: { folder: tmpdir(), user: null, mark: "test", isOver: () => false },
      version: "0.1.0",
      requestTimeout: 30_000,
      cadence: { ...CADENCE, push: 0 },
      open(folder) {
        const git = openBareGit(folder, "/nowhere", { path: process.env.PATH, home: undefined }, access);
        return async (argv, input) => {
          if (argv[0] === "push") pushes += 1;
          commands += 1;
          return git(argv, input).finally(() => {
            commands -= 1;
          });
        };
      },
    }),
  );
}
async function saved(): Promise<void> {
  const lock = await store().lock(owner("before"), EAGER);
  await lock.release({ snapshot: first });
  pushes = 0;
}
const refs = () => remote.git("for-each-ref", "--format=%(refname)").trim().split("\n");

describe("a push that a remote does not take", () => {
  const hook = (text: string) =>
    writeFileSync(join(remote.folder, "hooks", "pre-receive"), text, { mode: 0o755 });
  const place = (ref: string) => {
    const tree = remote.git("mktree", "/dev/null").trim();
    remote.git("update-ref", ref, tree);
  };

  it.each([
    [
      "a ref that is in the place of a folder",
      () => place("refs/remit/team"),
      "never",
      "state/refused",
      /cannot be made: refs\/remit\/team exists/,
    ],
    [
      "refs below it",
      () => place(`${REFS.state}/prod`),
      "never",
      "state/refused",
      /cannot be made: refs\/remit\/team\/here\/prod exists/,
    ],
    [
      "no room",
      () => remote.git("config", "receive.maxInputSize", "1"),
      "again",
      "state/unwritable",
      /could not store what was pushed/,
    ],
    ["a hook", () => hook("#!/bin/sh\nexit 1\n"), "again", "state/refused", /did not take refs/],
    [
      "a hook that speaks as git does",
      () =>
        hook(
          "#!/bin/sh\necho 'error: RPC failed; HTTP 403 curl 22' >&2\necho 'error: remote unpack failed: x' >&2\nexit 1\n",
        ),
      "again",
      "state/refused",
      /did not take refs/,
    ],
  ] as const)("is named by its cause: %s", async (_, make, refusal, code, message) => {
    make();
    const written = store()
      .lock(owner("one"), EAGER)
      .then((lock) => lock.journal.append("an intent").finally(() => lock.release()));
    const error = await failure(written);
    expect([error.refusal, error.diagnostic.code]).toEqual([refusal, code]);
    expect(error.message).toMatch(message);
    // Where the ref of the lock can be written, the first run has left it: a late run acquires it at once.
    const isLeft = refs().includes(REFS.lock);
    const late = await store().lock(owner("late"), LAZY);
    const again = isLeft ? "state/refused" : "state/not-acquired";
    expect((await failure(late.journal.append("late"))).diagnostic.code).toBe(again);
    await late.release();
  });
});

describe("a lock that the first write acquires", () => {
  it("costs no push of its own: a first write, and an end with all that is left", async () => {
    await saved();
    const lock = await store().lock(owner("one"), LAZY);
    expect([pushes, refs()]).toEqual([0, [REFS.state]]);
    await Promise.all(["one", "two"].map((line) => lock.journal.append(line)));
    expect([pushes, refs()]).toEqual([1, [REFS.state, REFS.lock]]);
    expect((await store().read()).held?.by?.id).toBe("one");
    await lock.confirm();
    lock.journal.note("three");
    expect(await lock.release({ snapshot: following(first, ["two"]), isCleared: true })).toBeNull();
    expect([pushes, refs()]).toEqual([2, [REFS.state]]);
    expect(await store().read()).toMatchObject({ snapshot: following(first, ["two"]), journal: [] });
  });

  it("probes a remote without a state by the same push", async () => {
    const lock = await store().lock(owner("one"), LAZY);
    await lock.journal.append("an intent");
    await lock.release({ snapshot: first, isCleared: true });
    expect(pushes).toBe(3);
    expect(await store().read()).toEqual({ snapshot: first, trace: null, journal: [], held: null });
  });

  it("makes no push where nothing is written", async () => {
    const lock = await store().lock(owner("one"), LAZY);
    expect(await lock.release()).toBeNull();
    expect([pushes, refs()]).toEqual([0, [""]]);
  });

  it("is acquired for what a run only ends with", async () => {
    await saved();
    const lock = await store().lock(owner("one"), LAZY);
    expect(await lock.release({ snapshot: following(first, ["two"]) })).toBeNull();
    expect([pushes, refs()]).toEqual([2, [REFS.state]]);
    expect((await store().read()).snapshot).toEqual(following(first, ["two"]));
  });

  it("is acquired before a request may leave, with what was noted until then", async () => {
    await saved();
    const lock = await store().lock(owner("one"), LAZY);
    lock.journal.note("an intent");
    await lock.confirm();
    expect(await store().read()).toMatchObject({ journal: ["an intent"], held: { by: { id: "one" } } });
    await lock.release();
  });

  it("is acquired by a sign of life where the first write is late", async () => {
    await saved();
    const clock = handClock();
    const lock = await store(clock).lock(owner("one"), LAZY);
    await passing(clock, clock.sleep(CADENCE.beat + 5_000), () => commands > 0);
    expect((await store().read()).held?.by?.id).toBe("one");
    await lock.release();
  });

  it.each(["append", "confirm", "save", "clear", "release"] as const)(
    "is not acquired by a late run, which writes nothing: %s",
    async (by) => {
      await saved();
      for (const isHeld of [true, false]) {
        const late = await store().lock(owner("late"), LAZY);
        const lock = await store().lock(owner("one"), LAZY);
        await lock.journal.append("an intent");
        if (!isHeld) await lock.release();
        const before = await store().read();
        const next = following(first, ["late"]);
        const error = await {
          append: () => failure(late.journal.append("late")),
          confirm: () => failure(late.confirm()),
          save: () => failure(late.save(next)),
          clear: () => failure(late.journal.clear()),
          release: () => late.release({ snapshot: next }),
        }[by]();
        expect(error?.refusal).toBe("held");
        expect(late.lost.reason).toMatchObject({ diagnostic: { code: "state/not-acquired" } });
        await late.release();
        expect(await store().read()).toEqual(before);
        await lock.release();
        const cleared = await store().lock(owner("last"), EAGER);
        await cleared.journal.clear();
        await cleared.release();
      }
    },
  );

  it("is acquired at once where a journal has to be settled, and where the lock is another's", async () => {
    await saved();
    const dead = await store().lock(owner("dead"), EAGER);
    await dead.journal.append("an intent");
    expect((await failure(store().lock(owner("one"), LAZY))).diagnostic.code).toBe("state/locked");
    await dead.release();
    const lock = await store().lock(owner("one"), LAZY);
    expect((await store().read()).held?.by?.id).toBe("one");
    await lock.release();
  });

  it("is acquired by one of ten that write at once", async () => {
    await saved();
    const locks = await Promise.all(
      Array.from({ length: 10 }, (_, place) => store().lock(owner(`run-${place}`), LAZY)),
    );
    const ends = await Promise.allSettled(locks.map((lock) => lock.journal.append(lock.owner.id)));
    const won = locks.filter((_, place) => ends[place]?.status === "fulfilled");
    expect(won).toHaveLength(1);
    expect((await store().read()).journal).toEqual([won[0]?.owner.id]);
    for (const lock of locks) await lock.release();
  });

  it("is not acquired where a run came between that could not write what it had", async () => {
    await saved();
    const late = await store().lock(owner("late"), LAZY);
    const lock = await store().lock(owner("one"), EAGER);
    const hook = join(remote.folder, "hooks", "update");
    writeFileSync(hook, `#!/bin/sh\n[ "$1" != ${REFS.state} ]\n`, { mode: 0o755 });
    lock.journal.note("what was sent");
    expect((await lock.release())?.diagnostic.code).toBe("state/refused");
    rmSync(hook);
    expect((await failure(late.journal.append("late"))).diagnostic.code).toBe("state/not-acquired");
    await late.release();
    expect(await store().read()).toMatchObject({ held: null, journal: [] });
    // The next run waits for no one.
    const next = await store().lock(owner("next"), LAZY);
    expect((await store().read()).held?.by?.id).toBe("next");
    expect(await next.release()).toBeNull();
    expect(refs()).toEqual([REFS.state]);
  });
});
