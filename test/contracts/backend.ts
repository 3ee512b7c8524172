import { describe, expect, it } from "vitest";
import { type Backend, type Owner, StateError } from "../../src/state/backend.js";
import { newSnapshot, type Snapshot } from "../../src/state/snapshot.js";
import { type HandClock, handClock, until } from "../fakes/handClock.js";

/** Opens the same store as often as it is asked, as several runs would. */
export interface Opening {
  readonly open: () => Backend;
  readonly close: () => Promise<void>;
}

/** What every backend must do: `make` gives a new, empty store. */
export function backendContract(what: string, make: (clock: HandClock) => Promise<Opening>): void {
  async function using(work: (store: Opening, clock: HandClock) => Promise<void>): Promise<void> {
    const clock = handClock();
    const store = await make(clock);
    try {
      await work(store, clock);
    } finally {
      await store.close();
    }
  }

  describe(`${what} keeps snapshots`, () => {
    it("has none before one was kept", () =>
      using(async ({ open }) => {
        expect(await open().load()).toBeNull();
      }));

    it("gives back what was kept, whatever its names", () =>
      using(async ({ open }) => {
        const snapshot = following(newSnapshot("lineage", "https://tenant.example"), [
          "plain",
          "__proto__",
          "é\u2028",
        ]);
        await open().save(snapshot);
        const kept = await open().load();
        expect(kept).toEqual(snapshot);
        expect(Object.keys(kept?.entries ?? {}).sort()).toEqual(Object.keys(snapshot.entries).sort());
      }));

    it("keeps the next after the one before", () =>
      using(async ({ open }) => {
        const first = following(newSnapshot("lineage", "server"), ["one"]);
        const second = following(first, ["two"]);
        await open().save(first);
        await open().save(second);
        expect(await open().load()).toEqual(second);
      }));

    const first = following(newSnapshot("lineage", "server"), ["one"]);
    const strangers: readonly { readonly whose: string; readonly snapshot: Snapshot }[] = [
      { whose: "that has the same serial as the kept one", snapshot: { ...first, entries: {} } },
      { whose: "that is older than the kept one", snapshot: { ...first, serial: 0 } },
      { whose: "that leaves a serial out", snapshot: { ...first, serial: 3 } },
      { whose: "of another lineage", snapshot: { ...first, lineage: "other", serial: 2 } },
    ];
    it.each(strangers)("refuses a snapshot $whose, and keeps what it had", ({ snapshot }) =>
      using(async ({ open }) => {
        await open().save(first);
        expect(await codeOf(open().save(snapshot))).toBe("state/changed");
        expect(await open().load()).toEqual(first);
      }),
    );
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
          await new Promise((resolve) => setImmediate(resolve));
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

    it("stops waiting when it is told to", () =>
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

    it("tells a holder whose lock was removed, who then leaves the next one's alone", () =>
      using(async ({ open }, clock) => {
        const one = await open().lock(owner("one"), { timeout: 0 });
        expect((await open().unlock())?.id).toBe("one");
        const two = await open().lock(owner("two"), { timeout: 0 });
        await passing(
          clock,
          until(() => one.lost.aborted),
        );
        expect(one.lost.reason).toBeInstanceOf(StateError);
        await one.release();
        const third = await passing(clock, failure(open().lock(owner("three"), { timeout: 0 })));
        expect(third.diagnostic.code).toBe("state/locked");
        await two.release();
      }));

    it("has nobody to name when nobody holds it, and is released as often as one likes", () =>
      using(async ({ open }) => {
        expect(await open().unlock()).toBeNull();
        const lock = await open().lock(owner("one"), { timeout: 0 });
        await lock.release();
        await lock.release();
        expect(await open().unlock()).toBeNull();
      }));
  });
}

/** Whoever would run on this machine under that id; its process is the one that runs the tests. */
export function owner(id: string, more: Partial<Owner> = {}): Owner {
  const since = "2026-01-01T00:00:00.000Z";
  return { id, host: "here", pid: 1, command: `remit apply ${id}`, since, ...more };
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

/** Lets time pass, a little at a time, until the work is done. */
export async function passing<T>(clock: HandClock, work: Promise<T>): Promise<T> {
  let done = false;
  const ended = work.finally(() => {
    done = true;
  });
  ended.catch(() => undefined);
  while (!done) {
    await new Promise((resolve) => setTimeout(resolve, 0));
    clock.advance(100);
  }
  return ended;
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
