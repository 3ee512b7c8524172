import type { Clock } from "../model/clock.js";
import { lockLost } from "./fault.js";
import { lockedBy } from "./owner.js";
import type { Snapshot, Version } from "./snapshot.js";
import { checkSuccession, type Lock, type Owner, PROMPT, type Store, type Waiting } from "./store.js";
import { heldLock, type Writer } from "./writes.js";

const PAUSE = 200;

/** What a store in memory contains; several stores may share it, as several runs share one file. */
export interface MemoryContents<Kept extends Version = Snapshot> {
  snapshot: Kept | null;
  journal: string[];
  /** The texts of records by their hashes. */
  readonly records: Map<string, string>;
  lock: { readonly owner: Owner; readonly lost: AbortController } | null;
  /** How many durable writes the journal has made. */
  writes: number;
}

/** Contents with no lock and no journal. */
export function memoryContents(snapshot: Snapshot | null = null): MemoryContents {
  return { snapshot, journal: [], records: new Map(), lock: null, writes: 0 };
}

/** Keeps the state for as long as the program runs: for plans from code, and for tests. */
export function memoryStore<Kept extends Version = Snapshot>(
  contents: MemoryContents<Kept>,
  clock: Clock,
): Store<Kept> {
  const name = "the state in memory";

  function take(owner: Owner, waiting: Waiting): Lock<Kept> {
    const held = { owner, lost: new AbortController() };
    contents.lock = held;
    const check = async () => {
      if (contents.lock !== held) throw lockLost(name);
    };
    const write: Writer<Kept>["write"] = async ({ records, snapshot, isCleared, lines }, isDurable) => {
      await check();
      for (const { hash, text } of records) contents.records.set(hash, text);
      if (snapshot !== null) {
        checkSuccession(name, contents.snapshot, snapshot);
        contents.snapshot = snapshot;
      }
      if (isCleared) contents.journal.length = 0;
      contents.journal.push(...lines);
      if (isDurable && lines.length > 0) contents.writes += 1;
    };
    const writer: Writer<Kept> = {
      linger: 0,
      ready: () => null,
      write,
      async release(last) {
        if (last !== null) await write(last, false);
        if (contents.lock === held) contents.lock = null;
      },
      close: async () => undefined,
    };
    const lease = { lost: held.lost.signal, confirm: check, close: async () => undefined };
    return heldLock({ name, owner, clock, writer, lease, waiting }).lock;
  }

  return {
    name,
    rhythm: PROMPT,
    openTo: null,
    isOwn: true,
    isRemote: false,
    async read() {
      const { snapshot, journal, lock } = contents;
      return {
        snapshot,
        trace: null,
        journal: [...journal],
        held: lock === null ? null : { by: lock.owner },
      };
    },
    async lock(owner, waiting) {
      const { timeout, signal } = waiting;
      const began = clock.elapsed();
      while (contents.lock !== null) {
        if (clock.elapsed() - began >= timeout) throw lockedBy(name, contents.lock.owner, timeout, "");
        await clock.sleep(PAUSE, signal);
      }
      return take(owner, waiting);
    },
    async unlock() {
      const held = contents.lock;
      contents.lock = null;
      held?.lost.abort(lockLost(name));
      return held?.owner ?? null;
    },
    history: (work) => work({ record: async (hash) => contents.records.get(hash) ?? null }),
  };
}
