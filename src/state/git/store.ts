import { holdStore } from "../hold.js";
import type { StoreTraits } from "../objects.js";
import type { Kept } from "../snapshot.js";
import type { Owner, Rhythm, Store, Waiting } from "../store.js";
import { CADENCE } from "./cadence.js";
import { commitsOf, type GitStoreOptions } from "./commits.js";
import { foreignLock, notTaken } from "./fault.js";
import { lockIn } from "./held.js";
import { openRepository } from "./repository.js";

/** A push is slow, and forges limit their number. */
const RHYTHM: Rhythm = { saves: 300_000, ahead: 500, trip: 1_000, horizon: 60_000 };

/** Keeps the state in a ref of a repository, and its lock in another. Reading fetches, and pushes nothing. */
export function gitStore(options: GitStoreOptions): Store<Kept> {
  return {
    ...holdStore((told) => commitsOf(options, told), traitsOf(options)),
    unlock: () => removeLock(options),
  };
}

/**
 * Begins the history of a state anew: one commit without a parent has everything that is kept now. The commits before it
 * stay with the remote until it removes what no ref leads to. False where a state does not exist yet.
 */
export async function compact(options: GitStoreOptions, owner: Owner, waiting: Waiting): Promise<boolean> {
  const store = holdStore((told) => commitsOf(options, told, true), traitsOf(options));
  const { snapshot, journal } = await store.read();
  if (snapshot === null && journal.length === 0) return false;
  const lock = await store.lock(owner, waiting);
  const error = await lock.release();
  if (error !== null) throw error;
  return true;
}

function traitsOf({ name, clock, version, requestTimeout, cadence = CADENCE }: GitStoreOptions): StoreTraits {
  const { lease, beat, poll } = cadence;
  return {
    ...{ name, clock, version, requestTimeout, lease, beat, poll },
    rhythm: RHYTHM,
    openTo: "everyone who may push",
    keepsHistory: true,
    pace: 0,
    linger: null,
    place: "",
    conditions: null,
    isLazy: true,
  };
}

/** Removes the ref of the lock, wherever that of the state is: then the state counts as it is. */
async function removeLock(options: GitStoreOptions): Promise<Owner | null> {
  const { name, refs } = options;
  const repository = await openRepository(options);
  try {
    for (;;) {
      const heads = await repository.bring();
      if (heads.lock === null) return null;
      const held = lockIn(await repository.files(heads.lock));
      if (held === null) throw foreignLock(name, refs.lock);
      const pushed = await repository.push(heads, { ...heads, lock: null });
      if (pushed.isDone) return held.lock?.owner ?? null;
      if (pushed.reply.lock === heads.lock) throw notTaken(pushed, name, refs.lock);
    }
  } finally {
    await repository.close();
  }
}
