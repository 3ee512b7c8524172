import { describe, expect, it } from "vitest";
import { openRecord } from "../../src/state/encryption/record.js";
import { hashOfRecord, type KeptRecord } from "../../src/state/record.js";
import { newSnapshot, type Snapshot } from "../../src/state/snapshot.js";
import { type Lock, type Owner, StateError, type Store } from "../../src/state/store.js";
import { type HandClock, handClock, until } from "../fakes/handClock.js";

/** A new, empty store that is opened as often as several runs would open it. */
export interface Opening {
  readonly open: () => Store;
  /** How many durable writes the journals of this store have made. */
  readonly durableWrites: () => number;
  readonly close: () => Promise<void>;
}

/** So often a state is written while others read it. `npm run stores` asks for more. */
const ROUNDS = Number(process.env.REMIT_TEST_ROUNDS ?? 8);

/**
 * What every store promises, part by part. A new store's author reads this page first, then the driver in `folder.ts`.
 * The tests of the store are then those of `test/state/s3.test.ts`: this contract, many runs at once (`races.ts`) and a
 * move (`moves.ts`). Last come the faults of its server, such as a reply that is lost.
 *
 * - Snapshots: a save is the next of what is kept, or is refused. Two runs never overwrite each other.
 * - Journal: a line is durable when its append resolves; the intent of a request is kept before the request leaves. Lines
 *   that come at once share a write, and a line that no one waits for costs none.
 * - History: a record is kept with the snapshot that names it.
 * - Lock: one holder writes. A run that lost its lock learns it, and changes nothing more, however late its writes arrive.
 * - Reading: one version, without a lock, while others write.
 *
 * `start` is the time of its clock, at first.
 */
export function storeContract(
  what: string,
  make: (clock: HandClock) => Promise<Opening>,
  start?: () => number,
  keepsHistory = true,
): void {
  async function using(work: (opening: Opening, clock: HandClock) => Promise<void>): Promise<void> {
    const clock = handClock(start?.());
    const opening = await make(clock);
    const locks: Lock[] = [];
    const open = (): Store => {
      const store = opening.open();
      return {
        ...store,
        async lock(by, waiting) {
          const lock = await store.lock(by, waiting);
          locks.push(lock);
          return lock;
        },
      };
    };
    try {
      await work({ ...opening, open }, clock);
    } finally {
      for (const lock of locks) await lock.release();
      await opening.close();
    }
  }
  const locked = ({ open }: Opening, id = "one"): Promise<Lock> => open().lock(owner(id), { timeout: 0 });

  describe(`${what} keeps snapshots`, () => {
    it("has none before one was saved", () =>
      using(async ({ open }) => {
        expect(await open().read()).toEqual({ snapshot: null, trace: null, journal: [], held: null });
      }));

    it("returns what was saved, whatever its names", () =>
      using(async (opening) => {
        const snapshot = following(newSnapshot("lineage", "https://tenant.example"), [
          "plain",
          "__proto__",
          "é",
        ]);
        await (await locked(opening)).save(snapshot);
        const kept = (await opening.open().read()).snapshot;
        expect(kept).toEqual(snapshot);
        expect(Object.keys(kept?.entries ?? {}).sort()).toEqual(Object.keys(snapshot.entries).sort());
      }));

    it("saves the next after the one before", () =>
      using(async (opening) => {
        const second = following(first, ["two"]);
        const lock = await locked(opening);
        await lock.save(first);
        await lock.save(second);
        expect((await opening.open().read()).snapshot).toEqual(second);
      }));

    const first = following(newSnapshot("lineage", "server"), ["one"]);
    const strangers: readonly { readonly whose: string; readonly snapshot: Snapshot }[] = [
      { whose: "that has the same serial as the saved one", snapshot: { ...first, entries: {} } },
      { whose: "that is older than the saved one", snapshot: { ...first, serial: 0 } },
      { whose: "that leaves a serial out", snapshot: { ...first, serial: 3 } },
      { whose: "of another lineage", snapshot: { ...first, lineage: "other", serial: 2 } },
    ];
    it.each(strangers)("refuses a snapshot $whose, and keeps what it had", ({ snapshot }) =>
      using(async (opening) => {
        const before = await locked(opening, "before");
        await before.save(first);
        await before.release();
        expect(await codeOf((await locked(opening)).save(snapshot))).toBe("state/changed");
        expect((await opening.open().read()).snapshot).toEqual(first);
      }),
    );
  });

  describe(`${what} keeps a journal`, () => {
    it("has an appended line for every reader when the append resolves", () =>
      using(async (opening) => {
        const { journal } = await locked(opening);
        await journal.append("one");
        expect((await opening.open().read()).journal).toEqual(["one"]);
      }));

    it("keeps the order of lines, noted and appended, of many writers", () =>
      using(async (opening) => {
        const { journal } = await locked(opening);
        const wanted = Array.from({ length: 300 }, (_, place) => `line ${place}`);
        await Promise.all(
          wanted.map((line, place) => (place % 3 === 0 ? journal.note(line) : journal.append(line))),
        );
        expect((await opening.open().read()).journal).toEqual(wanted);
      }));

    it("shares one durable write among all lines that are appended at once", () =>
      using(async (opening) => {
        const { journal } = await locked(opening);
        await Promise.all(Array.from({ length: 100 }, (_, place) => journal.append(`line ${place}`)));
        expect(opening.durableWrites()).toBe(1);
        expect((await opening.open().read()).journal).toHaveLength(100);
      }));

    it("shares the next durable write among the lines that arrive during one", () =>
      using(async (opening) => {
        const { journal } = await locked(opening);
        const early = journal.append("early");
        // The first batch is taken in the next turn; what comes after it waits for it.
        await Promise.resolve();
        await Promise.all([
          early,
          ...Array.from({ length: 50 }, (_, place) => journal.append(`late ${place}`)),
        ]);
        expect(opening.durableWrites()).toBe(2);
      }));

    it("needs no durable write for lines that are only noted, and has them when the lock is released", () =>
      using(async (opening) => {
        const lock = await locked(opening);
        lock.journal.note("one");
        lock.journal.note("two");
        await lock.release();
        expect(opening.durableWrites()).toBe(0);
        expect((await opening.open().read()).journal).toEqual(["one", "two"]);
      }));

    it("is empty when it was cleared and the lock is released", () =>
      using(async (opening) => {
        const lock = await locked(opening);
        await lock.journal.append("one");
        await lock.journal.clear();
        await lock.release();
        expect((await opening.open().read()).journal).toEqual([]);
      }));

    it("can be written again when it was cleared", () =>
      using(async (opening) => {
        const { journal } = await locked(opening);
        await journal.append("one");
        await journal.clear();
        await journal.append("two");
        expect((await opening.open().read()).journal).toEqual(["two"]);
      }));

    it("begins a state with its first line, also where the holder died", () =>
      using(async (opening) => {
        const dead = await locked(opening, "dead");
        await dead.journal.append("of lineage");
        await opening.open().unlock();
        expect(await opening.open().read()).toMatchObject({ snapshot: null, journal: ["of lineage"] });
        const next = await locked(opening, "next");
        await next.save(following(newSnapshot("lineage", "server"), ["one"]));
        await next.journal.clear();
        await next.release();
        const kept = await opening.open().read();
        expect([kept.snapshot?.lineage, kept.snapshot?.serial, kept.journal]).toEqual(["lineage", 1, []]);
      }));

    it("goes on after the lines of a holder that died", () =>
      using(async (opening) => {
        await (await locked(opening)).journal.append("one");
        await opening.open().unlock();
        await (await locked(opening, "two")).journal.append("two");
        expect((await opening.open().read()).journal).toEqual(["one", "two"]);
      }));
  });

  describe(`${what} keeps a history`, () => {
    const [one, two, three] = ['{"number":1}', '{"number":2,"text":"é\\n"}', '{"number":3}'].map(keptRecord);

    it("or says that it keeps none", () =>
      using(async ({ open }) => {
        expect([open().history === null, keepsHistory]).toEqual([!keepsHistory, keepsHistory]);
      }));

    it.skipIf(!keepsHistory)(
      "gives each record by its hash, after later ones and after cleared journals",
      () =>
        using(async (opening) => {
          if (one === undefined || two === undefined || three === undefined) throw new Error("three records");
          const first = following(newSnapshot("lineage", "server"), ["one"]);
          const lock = await locked(opening);
          await lock.journal.append("an intent");
          const kept = lock.append(one);
          await lock.save(first, true);
          await kept;
          void lock.append(two);
          expect(await lock.release({ snapshot: following(first, ["two"]), isCleared: true })).toBeNull();
          const late = await locked(opening, "late");
          const last = following(following(first, ["two"]), ["three"]);
          await Promise.all([late.append(three), late.append({ ...three }), late.save(last)]);
          await late.release();
          const found = await opening
            .open()
            .history?.(async ({ record }) =>
              Promise.all([one.hash, two.hash, three.hash, hashOfRecord("none")].map(record)),
            );
          const opened = found?.map(
            (text, at) => openRecord(text ?? "", [one, two, three][at]?.hash ?? "", [one.key]) || null,
          );
          expect(opened).toEqual([one.text, two.text, three.text, null]);
          expect((await opening.open().read()).journal).toEqual([]);
        }),
    );

    it.skipIf(!keepsHistory)("has nothing before there is a state", () =>
      using(async ({ open }) => {
        expect(await open().history?.(({ record }) => record(hashOfRecord("none")))).toBeNull();
      }),
    );
  });

  describe(`${what} is written only under its lock`, () => {
    const after = following(newSnapshot("lineage", "server"), ["one"]);
    const writes: readonly { readonly write: string; readonly by: (lock: Lock) => Promise<void> }[] = [
      { write: "a save", by: (lock) => lock.save(after) },
      { write: "an append", by: (lock) => lock.journal.append("late") },
      { write: "a clear", by: (lock) => lock.journal.clear() },
    ];

    it.each(writes)("refuses $write of a holder whose lock another run has", ({ by }) =>
      using(async (opening) => {
        const slept = await locked(opening, "slept");
        await slept.journal.append("before");
        await opening.open().unlock();
        const next = await locked(opening, "next");
        await next.journal.clear();
        await next.journal.append("next");
        expect(await codeOf(by(slept))).toBe("state/lock-lost");
        expect(await opening.open().read()).toMatchObject({ snapshot: null, journal: ["next"] });
      }),
    );

    it.each(writes)("refuses $write after the lock is released", ({ by }) =>
      using(async (opening) => {
        const lock = await locked(opening);
        await lock.release();
        expect(await codeOf(by(lock))).toBe("state/lock-lost");
        expect(await opening.open().read()).toEqual({ snapshot: null, trace: null, journal: [], held: null });
      }),
    );

    it("is confirmed to its holder, and to no other after a pause", () =>
      using(async (opening, clock) => {
        const slept = await locked(opening, "slept");
        await slept.confirm();
        // A server that checks the time of a signature has it corrected first, after a pause.
        clock.jump(3_600_000);
        await settled(clock, slept.confirm());
        await settled(clock, opening.open().unlock());
        const next = await settled(clock, locked(opening, "next"));
        clock.jump(3_600_000);
        expect(await settled(clock, codeOf(slept.confirm()))).toBe("state/lock-lost");
        await settled(clock, next.confirm());
        await next.release();
        expect(await codeOf(next.confirm())).toBe("state/lock-lost");
      }));

    it("does not write what a holder noted before it lost the lock", () =>
      using(async (opening) => {
        const slept = await locked(opening, "slept");
        await opening.open().unlock();
        slept.journal.note("late");
        await slept.release();
        expect((await opening.open().read()).journal).toEqual([]);
      }));
  });

  describe(`${what} is read without a lock`, () => {
    it("while a run holds it, whose name it gives", () =>
      using(async (opening) => {
        const lock = await locked(opening);
        await lock.journal.append("an intent");
        const { held, journal } = await opening.open().read();
        expect(held?.by).toEqual(lock.owner);
        expect(journal).toEqual(["an intent"]);
        await lock.release();
        expect((await opening.open().read()).held).toBeNull();
      }));

    it("as one version: an outcome is in the snapshot or in the journal at every instant", () =>
      using(async (opening) => {
        const lock = await locked(opening);
        let isDone = false;
        const writer = (async () => {
          let snapshot = newSnapshot("lineage", "server");
          for (let round = 1; round <= ROUNDS; round += 1) {
            await lock.journal.append(`serial ${round}`);
            snapshot = following(snapshot, [`object-${round}`]);
            await lock.save(snapshot);
            await lock.journal.clear();
          }
          isDone = true;
        })();
        let seen = 0;
        while (!isDone) {
          const { snapshot, journal } = await opening.open().read();
          const newest = Math.max(snapshot?.serial ?? 0, ...journal.map((line) => Number(line.slice(7))));
          expect(newest).toBeGreaterThanOrEqual(seen);
          expect(newest - (snapshot?.serial ?? 0)).toBeLessThanOrEqual(1);
          seen = newest;
        }
        await writer;
      }));
  });

  describe(`${what} is locked by one at a time`, () => {
    it("gives the lock to the next when it is released", () =>
      using(async ({ open }, clock) => {
        const one = await open().lock(owner("one"), { timeout: 0 });
        const waiting = open().lock(owner("two"), { timeout: 60_000 });
        await until(() => clock.sleepers() > 0);
        await one.release();
        const two = await passing(clock, waiting);
        expect(two.owner.id).toBe("two");
        expect(one.lost.aborted).toBe(false);
        await two.release();
      }));

    it("is never held by two of many that want it", () =>
      using(async ({ open }, clock) => {
        let holders = 0;
        let most = 0;
        const runs = ["a", "b", "c", "d", "e"].map(async (id) => {
          const lock = await open().lock(owner(id), { timeout: 600_000 });
          holders += 1;
          most = Math.max(most, holders);
          await lock.journal.append(id);
          holders -= 1;
          await lock.release();
        });
        await passing(clock, Promise.all(runs));
        expect(most).toBe(1);
      }));

    it("says who holds it when the time is up", () =>
      using(async ({ open }, clock) => {
        const held = await open().lock(owner("one"), { timeout: 0 });
        const error = await passing(clock, failure(open().lock(owner("two"), { timeout: 1000 })));
        expect(error.diagnostic.code).toBe("state/locked");
        expect(error.message).toContain("remit apply one");
        expect(error.diagnostic.hint).toContain("--lock-timeout");
        await held.release();
      }));

    it("stops waiting when the signal aborts", () =>
      using(async ({ open }, clock) => {
        const held = await open().lock(owner("one"), { timeout: 0 });
        const stop = new AbortController();
        const waiting = open().lock(owner("two"), { timeout: 60_000, signal: stop.signal });
        const ended = waiting.then(
          () => "locked",
          (reason: unknown) => reason,
        );
        await until(() => clock.sleepers() > 0);
        stop.abort("interrupted");
        expect(await ended).toBe("interrupted");
        await held.release();
      }));

    it("informs a holder whose lock was removed, which then leaves the next holder's lock alone", () =>
      using(async ({ open }, clock) => {
        const one = await open().lock(owner("one"), { timeout: 0 });
        expect((await open().unlock())?.id).toBe("one");
        const two = await open().lock(owner("two"), { timeout: 0 });
        await passing(
          clock,
          new Promise((lost) => {
            if (one.lost.aborted) lost(null);
            else one.lost.addEventListener("abort", lost, { once: true });
          }),
        );
        expect(one.lost.reason).toBeInstanceOf(StateError);
        await one.release();
        const third = await passing(clock, failure(open().lock(owner("three"), { timeout: 0 })));
        expect(third.diagnostic.code).toBe("state/locked");
        await two.release();
      }));

    it("names no holder when it is free, and can be released more than once", () =>
      using(async ({ open }) => {
        expect(await open().unlock()).toBeNull();
        const lock = await open().lock(owner("one"), { timeout: 0 });
        await lock.release();
        await lock.release();
        expect(await open().unlock()).toBeNull();
      }));
  });
}

/** A run on this machine under that id. */
export function owner(id: string, more: Partial<Owner> = {}): Owner {
  const since = "2026-01-01T00:00:00.000Z";
  return { id, host: "here", pid: 1, command: `remit apply ${id}`, since, job: null, user: null, ...more };
}

/** The next snapshot after one, with entries of those names. */
export function following(snapshot: Snapshot, names: readonly string[]): Snapshot {
  const entries = names.map((name) => {
    const address = { kind: "ResourceType", name };
    const applied = { displayName: name, nested: { [name]: [1, null, true] } };
    const at = "2026-01-01T00:00:00.000Z";
    const entry = {
      address,
      key: ["app", name],
      applied,
      answered: null,
      rewritten: [],
      at,
      protected: false,
    };
    return [`ResourceType:app/${name}`, entry] as const;
  });
  return { ...snapshot, serial: snapshot.serial + 1, entries: Object.fromEntries(entries) };
}

/** So many turns a sleeper that woke has for what it does before it sleeps again. */
const TURNS = 50;

/**
 * Lets time pass, a little at a time, until the work is done; a slow disk makes it wait, so that no beat is missed. Time
 * stands still while `isBusy`: then it is the same on a slow machine.
 */
export async function passing<T>(
  clock: HandClock,
  work: Promise<T>,
  isBusy: () => boolean = () => false,
): Promise<T> {
  let done = false;
  const ended = work.finally(() => {
    done = true;
  });
  ended.catch(() => undefined);
  let asleep = 0;
  while (!done) {
    for (let turn = 0; turn === 0 || (!done && clock.sleepers() < asleep && turn < TURNS); turn += 1) {
      do await new Promise((resolve) => setTimeout(resolve, 0));
      while (!done && isBusy());
    }
    asleep = clock.sleepers();
    clock.advance(100);
  }
  return ended;
}

/** Lets time pass only while work sleeps: a reply that takes long makes no lease older. */
function settled<T>(clock: HandClock, work: Promise<T>): Promise<T> {
  const asleep = clock.sleepers();
  return passing(clock, work, () => clock.sleepers() <= asleep);
}

/** The `StateError` that work ends in. */
export async function failure(work: Promise<unknown>): Promise<StateError> {
  try {
    await work;
  } catch (error) {
    if (error instanceof StateError) return error;
    throw error;
  }
  throw new Error("it did not fail");
}

async function codeOf(work: Promise<unknown>): Promise<string> {
  return (await failure(work)).diagnostic.code;
}

/** A record of that text, as a run gives it to its store. */
export function keptRecord(text: string): KeptRecord {
  return { hash: hashOfRecord(text), key: "5".repeat(64), text };
}
