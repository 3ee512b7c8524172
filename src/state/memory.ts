import type { Clock } from "../model/clock.js";
import { inBatches } from "./batches.js";
import { lockLost } from "./fault.js";
import { lockedBy } from "./owner.js";
import { PROMPT } from "./rhythm.js";
import type { Snapshot, Version } from "./snapshot.js";
import type { Lock, Owner, Store } from "./store.js";
import { checkSuccession } from "./succession.js";

const PAUSE = 200;

/** What a store in memory contains; several stores may share it, as several runs share one file. */
export interface MemoryContents<Kept extends Version = Snapshot> {
  snapshot: Kept | null;
  journal: string[];
  lock: { readonly owner: Owner; readonly lost: AbortController } | null;
  /** How many durable writes the journal has made. */
  writes: number;
}

/** Contents with no lock and no journal. */
export function memoryContents(snapshot: Snapshot | null = null): MemoryContents {
  return { snapshot, journal: [], lock: null, writes: 0 };
}

/** Keeps the state for as long as the program runs: for plans from code, and for tests. */
export function memoryStore<Kept extends Version = Snapshot>(
  contents: MemoryContents<Kept>,
  clock: Clock,
): Store<Kept> {
  const name = "the state in memory";

  function take(owner: Owner): Lock<Kept> {
    const held = { owner, lost: new AbortController() };
    contents.lock = held;
    const check = () => {
      if (contents.lock !== held) throw lockLost(name);
    };
    const batches = inBatches(async (lines, durable) => {
      check();
      contents.journal.push(...lines);
      if (durable) contents.writes += 1;
    });
    return {
      owner,
      lost: held.lost.signal,
      async confirm() {
        check();
      },
      async save(snapshot) {
        check();
        checkSuccession(name, contents.snapshot, snapshot);
        contents.snapshot = snapshot;
      },
      journal: {
        append: batches.append,
        note: batches.note,
        async clear() {
          await batches.settled();
          check();
          contents.journal.length = 0;
        },
      },
      async release() {
        await batches.settled();
        if (contents.lock === held) contents.lock = null;
      },
    };
  }

  return {
    name,
    rhythm: PROMPT,
    openTo: null,
    async read() {
      const { snapshot, journal, lock } = contents;
      return {
        snapshot,
        trace: null,
        journal: [...journal],
        held: lock === null ? null : { by: lock.owner },
      };
    },
    async lock(owner, { timeout, signal }) {
      const began = clock.elapsed();
      while (contents.lock !== null) {
        if (clock.elapsed() - began >= timeout) throw lockedBy(name, contents.lock.owner, timeout, "");
        await clock.sleep(PAUSE, signal);
      }
      return take(owner);
    },
    async unlock() {
      const held = contents.lock;
      contents.lock = null;
      held?.lost.abort(lockLost(name));
      return held?.owner ?? null;
    },
  };
}
