import type { Clock } from "../model/clock.js";
import type { Backend, Lock, Owner } from "./backend.js";
import { fault } from "./fault.js";
import type { Snapshot } from "./snapshot.js";
import { checkSuccession } from "./succession.js";

const GLANCE = 200;

/** A store in memory that several backends may open, as several runs open one file. */
export interface MemoryStore {
  snapshot: Snapshot | null;
  lock: { readonly owner: Owner; readonly lost: AbortController } | null;
}

/** Makes a store with nothing in it. */
export function memoryStore(snapshot: Snapshot | null = null): MemoryStore {
  return { snapshot, lock: null };
}

/** Keeps the state for as long as the program runs: for `server: sandbox` without a folder, and for tests. */
export function memoryBackend(store: MemoryStore, clock: Clock): Backend {
  const name = "the state in memory";

  function take(owner: Owner): Lock {
    const held = { owner, lost: new AbortController() };
    store.lock = held;
    return {
      owner,
      lost: held.lost.signal,
      async release() {
        if (store.lock === held) store.lock = null;
      },
    };
  }

  return {
    name,
    load: async () => store.snapshot,
    async save(snapshot) {
      checkSuccession(name, store.snapshot, snapshot);
      store.snapshot = snapshot;
    },
    async lock(owner, { timeout, signal }) {
      const began = clock.elapsed();
      while (store.lock !== null) {
        const { command, pid } = store.lock.owner;
        if (clock.elapsed() - began >= timeout) {
          const message = `the state is locked by ${command} (process ${pid}), and was not free within ${timeout / 1000} s`;
          throw fault("state/locked", message, "Wait for that run, or longer with --lock-timeout.");
        }
        await clock.sleep(GLANCE, signal);
      }
      return take(owner);
    },
    async unlock() {
      const held = store.lock;
      store.lock = null;
      held?.lost.abort(fault("state/lock-lost", "the lock was removed", "Run the same command again."));
      return held?.owner ?? null;
    },
  };
}
