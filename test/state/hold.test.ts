import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Clock } from "../../src/model/clock.js";
import { fault } from "../../src/state/fault.js";
import { holdStore } from "../../src/state/hold.js";
import type { Objects } from "../../src/state/objects.js";
import { type Kept, newSnapshot, type Snapshot } from "../../src/state/snapshot.js";
import type { Lock, Store } from "../../src/state/store.js";
import { FOLDER } from "../contracts/folder.js";
import { failure, following, owner } from "../contracts/store.js";

/** What becomes of one request: it is done, not done, or done without an answer. */
type Answer = "done" | "refused" | "lost";
const answers = fc.array(fc.constantFrom<Answer>("done", "done", "refused", "lost"), { maxLength: 40 });
const ACTIONS = ["append", "long", "note", "save", "save and clear", "clear"] as const;
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
  let writes = 0;
  async function asked<T>(work: () => T): Promise<T> {
    const [answer = "done", ...rest] = said;
    said = rest;
    await new Promise((resolve) => setImmediate(resolve));
    const value = answer === "refused" ? null : work();
    if (answer !== "done") throw fault("state/unreachable", "no answer", "", undefined, "again");
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
    names: () => [...texts.keys()],
    open: (): Store<Kept> => holdStore(() => objects, { ...FOLDER, clock: swiftClock() }),
  };
}

/** What a state must have: as a run without a fault leaves it. */
interface Wanted {
  readonly lines: readonly string[];
  readonly snapshot: Snapshot | null;
}
const NOTHING: Wanted = { lines: [], snapshot: null };

async function act(
  lock: Lock<Kept>,
  action: (typeof ACTIONS)[number],
  at: number,
  wanted: Wanted,
): Promise<Wanted> {
  const { lines, snapshot } = wanted;
  const line = `${action} ${at}${action === "long" ? LONG : ""}`;
  switch (action) {
    case "note":
      lock.journal.note(line);
      return { ...wanted, lines: [...lines, line] };
    case "append":
    case "long":
      await lock.journal.append(line);
      return { ...wanted, lines: [...lines, line] };
    case "clear":
      await lock.journal.clear();
      return { ...wanted, lines: [] };
    case "save":
    case "save and clear": {
      const next = following(snapshot ?? newSnapshot("lineage", "server"), [`object-${at}`]);
      await lock.save(next, action === "save and clear");
      return { lines: action === "save" ? lines : [], snapshot: next };
    }
    default:
      return action satisfies never;
  }
}

describe.each([true, false])("a state as objects (all at one instant: %s)", (isAtomic) => {
  it("has every write once and in order, whatever is refused or gets no answer", () =>
    fc.assert(
      fc.asyncProperty(answers, actions, async (said, todo) => {
        const { answer, open, names } = scene(isAtomic);
        const lock = await open().lock(owner("one"), { timeout: 0, patience: 3_600_000 });
        answer(said);
        let wanted = NOTHING;
        for (const [at, action] of todo.entries()) wanted = await act(lock, action, at, wanted);
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
      fc.asyncProperty(answers, actions, actions, async (said, before, after) => {
        const { answer, open } = scene(isAtomic);
        const slept = await open().lock(owner("slept"), { timeout: 0, patience: 3_600_000 });
        let wanted = NOTHING;
        for (const [at, action] of before.entries()) wanted = await act(slept, action, at, wanted);
        // What no one waits for goes with the next write.
        await slept.journal.append("last");
        wanted = { ...wanted, lines: [...wanted.lines, "last"] };
        await open().unlock();
        const next = await open().lock(owner("next"), { timeout: 0 });
        answer(said);
        for (const [at, action] of after.entries())
          if (action !== "note")
            expect((await failure(act(slept, action, at, wanted))).diagnostic.code).toBe("state/lock-lost");
        answer([]);
        await slept.release();
        expect(await open().read()).toMatchObject({ snapshot: wanted.snapshot, journal: wanted.lines });
        await next.journal.append("of the next");
        await next.release();
        expect((await open().read()).journal).toEqual([...wanted.lines, "of the next"]);
      }),
    ));
});
