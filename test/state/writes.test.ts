import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { makeJournal } from "../../src/apply/journal/journal.js";
import { watchLock } from "../../src/apply/unsaved.js";
import type { Clock } from "../../src/model/clock.js";
import type { KeptRecord } from "../../src/state/record.js";
import { newSnapshot, type Snapshot } from "../../src/state/snapshot.js";
import type { Lock, StoreWait } from "../../src/state/store.js";
import { StateError } from "../../src/state/store.js";
import { heldLock, type Writer } from "../../src/state/writes.js";
import { following, keptRecord, owner } from "../contracts/store.js";

/** What becomes of one write: it is done, refused for now or for good, or done without an answer. */
type Answer = "done" | "refused" | "never" | "lost";

/** A clock on which a pause passes at once. */
function swiftClock(): Clock {
  let time = 0;
  return {
    now: () => time,
    elapsed: () => time,
    async sleep(milliseconds) {
      time += milliseconds;
      await new Promise((resolve) => setImmediate(resolve));
    },
  };
}

/** A store that answers so, in turn, and then does everything; or refuses everything from then on. */
function scene(answers: readonly Answer[], { linger = null as number | null, isAway = false } = {}) {
  const clock = swiftClock();
  const kept = { lines: [] as string[], records: [] as KeptRecord[], snapshot: null as Snapshot | null };
  const waits: StoreWait[] = [];
  let place = 0;
  let last: object | null = null;
  const write: Writer<Snapshot>["write"] = async (change) => {
    const answer = answers[place] ?? (isAway ? "refused" : "done");
    place += 1;
    await clock.sleep(1);
    const isDone = change === last;
    if (answer === "never")
      throw new StateError({
        code: "state/refused",
        severity: "error",
        message: "the store keeps no record",
        hint: "",
      });
    if (answer !== "refused" && !isDone) {
      kept.records.push(...change.records);
      if (change.snapshot !== null) kept.snapshot = change.snapshot;
      if (change.isCleared) kept.lines = [];
      kept.lines.push(...change.lines);
      last = change;
    }
    if (answer !== "done")
      throw new StateError(
        { code: "state/unreachable", severity: "error", message: "no answer", hint: "" },
        { refusal: "again" },
      );
  };
  const writer: Writer<Snapshot> = {
    linger,
    ready: () => null,
    write,
    release: async (change) => {
      if (change !== null) await write(change, true);
    },
    close: async () => undefined,
  };
  const lease = {
    lost: new AbortController().signal,
    confirm: async () => undefined,
    close: async () => undefined,
  };
  const waiting = { timeout: 0, patience: 300_000, told: (wait: StoreWait) => waits.push(wait) };
  const { lock } = heldLock({ name: "the state", owner: owner("one"), clock, writer, lease, waiting });
  return { lock, kept, waits, clock, writes: () => place };
}

const answers = fc.array(fc.constantFrom<Answer>("done", "refused", "lost"), { maxLength: 12 });
const actions = fc.array(fc.constantFrom("append", "note", "save"), { maxLength: 12 });

async function act(
  lock: Lock,
  todo: readonly string[],
): Promise<{ lines: string[]; records: KeptRecord[]; snapshot: Snapshot | null }> {
  const lines: string[] = [];
  let snapshot: Snapshot | null = null;
  for (const [at, action] of todo.entries()) {
    if (action === "save") {
      snapshot = following(snapshot ?? newSnapshot("lineage", "server"), [`object-${at}`]);
      await lock.save(snapshot);
      continue;
    }
    lines.push(`line ${at}`);
    if (action === "append") await lock.journal.append(`line ${at}`);
    else lock.journal.note(`line ${at}`);
  }
  return { lines, records: [], snapshot };
}

describe("the writes of a lock", () => {
  it.each([null, 0])(
    "arrive once and in order, whatever is refused or gets no answer (lines wait for: %s)",
    (linger) =>
      fc.assert(
        fc.asyncProperty(answers, actions, async (said, todo) => {
          const { lock, kept } = scene(said, { linger });
          const wanted = await act(lock, todo);
          expect(await lock.release()).toBeNull();
          expect(kept).toEqual(wanted);
        }),
      ),
  );

  it.each([null, 0])(
    "keep a record in the same write as its snapshot (lines wait for: %s)",
    async (linger) => {
      const { lock, kept, writes } = scene([], { linger });
      const record = keptRecord("one");
      const without = following(newSnapshot("lineage", "server"), ["one"]);
      lock.journal.note("a line");
      const keeping = lock.append(record, without);
      await lock.journal.append("an intent");
      expect(kept.records).toEqual([]);
      const named = { ...without, serial: without.serial };
      expect(await lock.release({ snapshot: named, isCleared: true })).toBeNull();
      await keeping;
      expect(kept).toEqual({ lines: [], records: [record], snapshot: named });
      // The intent, and the end of the run.
      expect(writes()).toBe(2);
    },
  );

  it.each(["a save", "the release"])(
    "keep the snapshot without a record that the store refuses, with %s",
    async (by) => {
      for (const linger of [null, 0]) {
        const { lock, kept } = scene(["never"], { linger });
        const without = following(newSnapshot("lineage", "server"), ["one"]);
        const named = following(newSnapshot("lineage", "server"), ["two"]);
        const keeping = lock.append(keptRecord("one"), without);
        if (by === "a save") await lock.save(named, true);
        expect(await lock.release(by === "a save" ? {} : { snapshot: named, isCleared: true })).toBeNull();
        await expect(keeping).rejects.toThrow("the store keeps no record");
        expect(kept).toEqual({ lines: [], records: [], snapshot: without });
      }
    },
  );

  it("keep nothing of a command whose record the store refuses", async () => {
    const { lock, kept } = scene(["never"]);
    const keeping = lock.append(keptRecord("one"));
    await expect(lock.save(following(newSnapshot("lineage", "server"), ["two"]))).rejects.toThrow(
      "no record",
    );
    await expect(keeping).rejects.toThrow("no record");
    await lock.release();
    expect(kept.snapshot).toBeNull();
  });

  it("are tried for five minutes where the store is away, which they say, and then no more", async () => {
    const { lock, waits, clock } = scene(["done"], { isAway: true });
    await lock.journal.append("one");
    await expect(lock.journal.append("two")).rejects.toThrow("no answer");
    expect(clock.elapsed()).toBeGreaterThan(300_000);
    expect(clock.elapsed()).toBeLessThan(330_000);
    expect(waits[0]).toMatchObject({ as: "away", left: 300_000 });
    const before = clock.elapsed();
    expect((await lock.release())?.message).toBe("no answer");
    expect(clock.elapsed() - before).toBeLessThan(1_000);
  });

  it("that were given up are in the store once it is back when the lock is released", async () => {
    const refusals = Array.from({ length: 40 }, () => "refused" as const);
    const { lock, kept } = scene(refusals);
    await expect(lock.journal.append("one")).rejects.toThrow("no answer");
    for (let round = 0; round < 10; round += 1) lock.journal.note(`late ${round}`);
    await lock.journal.append("two").catch(() => undefined);
    while ((await lock.journal.append("three").catch(() => "no")) === "no");
    expect(await lock.release()).toBeNull();
    expect(kept.lines.slice(0, 3)).toEqual(["one", "late 0", "late 1"]);
    expect(kept.lines.filter((line) => line === "two")).toHaveLength(1);
  });

  it("leave no answer that is neither kept nor known to be missing", () =>
    fc.assert(
      fc.asyncProperty(answers, fc.integer({ min: 1, max: 8 }), async (said, steps) => {
        const { lock, kept, clock } = scene(said, { isAway: true });
        const watched = watchLock(lock, () => undefined);
        const head = { run: "run", server: "server", lineage: "lineage", serial: 0, effect: "effect" };
        const record = makeJournal(watched.lock.journal, head, clock);
        const answered: string[] = [];
        for (let step = 0; step < steps; step += 1) {
          const address = { kind: "K", name: `n${step}` };
          const both = { address, action: "create", key: null, step: "hash" } as const;
          const intended = {
            ...both,
            identity: {},
            applied: {},
            protected: false,
            background: {},
            call: 0,
            of: 1,
            once: true,
          };
          const isDurable = await record({ type: "intended", ...intended }).then(
            () => true,
            () => false,
          );
          if (!isDurable) break;
          answered.push(address.name);
          const ended = { ...both, outcome: "done", record: null, diagnostics: [] } as const;
          await record({ type: "step finished", ...ended, key: ["id"] });
        }
        await watched.lock.release();
        const known = [...kept.lines, ...watched.unsaved()].join("\n");
        const ends = known.split("\n").filter((line) => line.includes('"step finished"'));
        for (const name of answered) expect(ends.some((line) => line.includes(`"${name}"`))).toBe(true);
      }),
    ));
});
