import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Clock } from "../../src/model/clock.js";
import { holdStore } from "../../src/state/hold.js";
import type { Objects } from "../../src/state/objects.js";
import { type Kept, newSnapshot, type Snapshot } from "../../src/state/snapshot.js";
import type { Lock, Store } from "../../src/state/store.js";
import { StateError } from "../../src/state/store.js";
import { FOLDER } from "../contracts/folder.js";
import { failure, following, owner } from "../contracts/store.js";

/** What becomes of one request: it is done, not done, or done without an answer. */
type Answer = "done" | "refused" | "lost";
const answers = fc.array(fc.constantFrom<Answer>("done", "done", "refused", "lost"), { maxLength: 40 });
const ACTIONS = ["append", "long", "note", "save", "save and clear", "clear"] as const;
type Action = (typeof ACTIONS)[number];
const actions = fc.array(fc.constantFrom(...ACTIONS), { maxLength: 14 });

/** More letters than a head has room for. */
const LONG = "x".repeat(70_000);

/** A clock on which a pause passes at once, and a beat never comes by itself. */
function swiftClock(): Clock {
  let time = 0;
  return {
    now: () => time,
    elapsed: () => time,
    async sleep(milliseconds) {
      if (milliseconds < FOLDER.beat) time += milliseconds;
      await new Promise((resolve) => setImmediate(resolve));
    },
  };
}

/** Objects in memory whose server answers so, in turn, and then does everything. */
function scene(isAtomic: boolean) {
  const texts = new Map<string, { readonly text: string; readonly tag: string }>();
  let said: readonly Answer[] = [];
  /** After so many requests the process is gone: it hears nothing more. */
  let left = Number.POSITIVE_INFINITY;
  let isLastDone = false;
  let died = (): void => undefined;
  let writes = 0;
  async function asked<T>(work: () => T): Promise<T> {
    const [answer = "done", ...rest] = said;
    said = rest;
    await new Promise((resolve) => setImmediate(resolve));
    if (left < 1) return new Promise(() => undefined);
    left -= 1;
    if (left === 0) {
      if (isLastDone) work();
      died();
      return new Promise(() => undefined);
    }
    const value = answer === "refused" ? null : work();
    if (answer !== "done")
      throw new StateError(
        { code: "state/unreachable", severity: "error", message: "no answer", hint: "" },
        { refusal: "again" },
      );
    return value as T;
  }
  function swap(name: string, tag: string | null, text: string): string | null {
    if ((texts.get(name)?.tag ?? null) !== tag) return null;
    writes += 1;
    texts.set(name, { text, tag: String(writes) });
    return String(writes);
  }
  const drop = (names: readonly string[]) => {
    for (const name of names) texts.delete(name);
  };
  const objects: Objects = {
    get: (name) => asked(() => texts.get(name) ?? null),
    swap: (name, tag, text) => asked(() => swap(name, tag, text)),
    put: (name, text) => asked(() => void swap(name, null, text)),
    drop: (names) => asked(() => drop(names)),
    ...(isAtomic && {
      all: (tag, head, parts) =>
        asked(() => {
          const swapped = swap("", tag, head);
          if (swapped === null) return null;
          for (const [name, text] of parts.put) swap(name, null, text);
          drop(parts.drop);
          return swapped;
        }),
    }),
  };
  return {
    answer(next: readonly Answer[]) {
      said = next;
    },
    /** Lets the process die at that request, which is done or not; resolves then. */
    dieAt(requests: number, isDone: boolean): Promise<void> {
      [left, isLastDone] = [requests, isDone];
      return new Promise((dead) => {
        died = dead;
      });
    },
    /** Another process. */
    revive() {
      left = Number.POSITIVE_INFINITY;
    },
    names: () => [...texts.keys()],
    open: (): Store<Kept> => holdStore(() => objects, { ...FOLDER, isLazy: true, clock: swiftClock() }),
  };
}

/** What a state must have: as a run without a fault leaves it. */
interface Wanted {
  readonly lines: readonly string[];
  readonly snapshot: Snapshot | null;
}
const NOTHING: Wanted = { lines: [], snapshot: null };

/** What a state must have after an action. */
function wantedAfter(action: Action, at: number, { lines, snapshot }: Wanted): Wanted {
  const line = `${action} ${at}${action === "long" ? LONG : ""}`;
  const next = following(snapshot ?? newSnapshot("lineage", "server"), [`object-${at}`]);
  if (action === "clear") return { lines: [], snapshot };
  if (action === "save") return { lines, snapshot: next };
  if (action === "save and clear") return { lines: [], snapshot: next };
  return { lines: [...lines, line], snapshot };
}

async function act(lock: Lock<Kept>, action: Action, { lines, snapshot }: Wanted): Promise<void> {
  const line = lines.at(-1) ?? "";
  if (action === "note") lock.journal.note(line);
  else if (action === "append" || action === "long") await lock.journal.append(line);
  else if (action === "clear") await lock.journal.clear();
  else if (snapshot !== null) await lock.save(snapshot, action === "save and clear");
}

const WORLDS = [
  { how: "one by one", isAtomic: false, isLazy: false },
  { how: "all at one instant", isAtomic: true, isLazy: false },
  { how: "with a lock that the first write acquires", isAtomic: true, isLazy: true },
];

describe.each(WORLDS)("a state as objects, $how", ({ isAtomic, isLazy }) => {
  it("has every write once and in order, whatever is refused or gets no answer", () =>
    fc.assert(
      fc.asyncProperty(answers, actions, async (said, todo) => {
        const { answer, open, names } = scene(isAtomic);
        const lock = await open().lock(owner("one"), { timeout: 0, patience: 3_600_000, isLazy });
        answer(said);
        let wanted = NOTHING;
        for (const [at, action] of todo.entries()) {
          wanted = wantedAfter(action, at, wanted);
          await act(lock, action, wanted);
        }
        expect(await lock.release()).toBeNull();
        answer([]);
        const { snapshot, journal, held } = await open().read();
        expect({ lines: journal, snapshot }).toEqual(wanted);
        // A lock that could not be given up is that of a silent holder. A drop without an answer may leave parts behind.
        if (said.some((one) => one !== "done")) return;
        expect(held).toBeNull();
        expect(names().filter((name) => name.startsWith(".state/")).length).toBeLessThan(3);
        expect(names().filter((name) => /^\.journal\/(?!readable)/.test(name)).length).toBeLessThanOrEqual(
          journal.length,
        );
      }),
    ));

  it("has nothing more of a run that lost its lock, and all that it had, whatever that run did last", () =>
    fc.assert(
      fc.asyncProperty(answers, actions, actions, async (said, before, late) => {
        const { answer, open } = scene(isAtomic);
        const slept = await open().lock(owner("slept"), { timeout: 0, patience: 3_600_000, isLazy });
        let wanted = NOTHING;
        for (const [at, action] of before.entries()) {
          wanted = wantedAfter(action, at, wanted);
          await act(slept, action, wanted);
        }
        // What no one waits for goes with the next write.
        await slept.journal.append("last");
        wanted = { ...wanted, lines: [...wanted.lines, "last"] };
        await open().unlock();
        const next = await open().lock(owner("next"), { timeout: 0 });
        answer(said);
        for (const [at, action] of late.entries())
          if (action !== "note") {
            const { diagnostic } = await failure(act(slept, action, wantedAfter(action, at, wanted)));
            expect(diagnostic.code).toBe("state/lock-lost");
          }
        answer([]);
        await slept.release();
        expect(await open().read()).toMatchObject({ snapshot: wanted.snapshot, journal: wanted.lines });
        await next.journal.append("of the next");
        await next.release();
        expect((await open().read()).journal).toEqual([...wanted.lines, "of the next"]);
      }),
    ));

  it("has all that a run knew to be kept, and no half of what it did last, at whatever request it dies", () =>
    fc.assert(
      fc.asyncProperty(
        actions,
        fc.integer({ min: 1, max: 40 }),
        fc.boolean(),
        async (todo, requests, isDone) => {
          // A run that writes nothing is not asked for: it does not die, and acquires its lock later.
          if (isLazy && todo.every((one) => one === "note")) return;
          const { dieAt, revive, open } = scene(isAtomic);
          const lock = await open().lock(owner("dead"), { timeout: 0, isLazy });
          let wanted = NOTHING;
          let doing = NOTHING;
          const dead = dieAt(requests, isDone);
          const run = (async () => {
            // What no one waits for is kept with a later write, or not at all.
            for (const [at, action] of todo.filter((one) => one !== "note").entries()) {
              doing = wantedAfter(action, at, wanted);
              await act(lock, action, doing);
              wanted = doing;
            }
          })();
          await Promise.race([run, dead]);
          revive();
          await open().unlock();
          const { snapshot, journal } = await open().read();
          expect([wanted, doing]).toContainEqual({ lines: journal, snapshot });
          const next = await open().lock(owner("next"), { timeout: 0 });
          const kept = snapshot as Snapshot | null;
          const last = following(kept ?? newSnapshot("lineage", "server"), ["next"]);
          expect(await next.release({ snapshot: last, isCleared: true })).toBeNull();
          expect(await open().read()).toMatchObject({ snapshot: last, journal: [], held: null });
        },
      ),
    ));
});
