import type { Rhythm } from "../rhythm.js";
import type { Kept } from "../snapshot.js";
import type { Store } from "../store.js";
import { HISTORY, journalIn, readStateFiles, recordPath, snapshotIn } from "./document.js";
import { isRolledBack, notTaken } from "./fault.js";
import { lockOf } from "./lock.js";
import { type Heads, openRepository, type Repository } from "./repository.js";
import { checkWitness, type GitStoreOptions, heldAt, isLeft, takeLock, traceAt } from "./take.js";

/** So often is read anew what does not fit together, after a pause in milliseconds. */
const READS = 2;
const PAUSE = 500;

/** A push is slow, and forges limit their number. */
const RHYTHM: Rhythm = { saves: 300_000, ahead: 500, trip: 1_000, horizon: 60_000 };

/** Keeps the state in a ref of a repository, and its lock in another. Reading fetches, and pushes nothing. */
export function gitStore(options: GitStoreOptions): Store<Kept> {
  const { name, refs } = options;

  async function using<T>(work: (repository: Repository) => Promise<T>): Promise<T> {
    const repository = await openRepository(options);
    try {
      return await work(repository);
    } finally {
      await repository.close();
    }
  }

  /** A run that writes in this moment may have moved one of two refs. */
  async function settledHeads(repository: Repository): Promise<Heads> {
    for (let left = READS; ; left -= 1) {
      const heads = await repository.bring();
      try {
        await checkWitness(repository, heads, name, refs);
        return heads;
      } catch (error) {
        if (left === 0 || !isRolledBack(error)) throw error;
        await options.clock.sleep(PAUSE);
      }
    }
  }

  return {
    name,
    rhythm: RHYTHM,
    openTo: "everyone who may push",
    isOwn: false,
    isRemote: true,
    read: () =>
      using(async (repository) => {
        const heads = await settledHeads(repository);
        const { state, lock } = heads;
        const files = state === null ? null : readStateFiles(await repository.files(state), name, refs.state);
        return {
          snapshot: files === null ? null : snapshotIn(files, name),
          trace: await traceAt(repository, heads, refs.state),
          journal: files === null ? [] : journalIn(files),
          // The remote does not say when it got a commit, so a single look cannot show that a holder is dead.
          held: await heldAt(repository, lock),
        };
      }),
    history: (work) =>
      using(async (repository) => {
        const { state } = await repository.heads();
        const files = state === null ? new Map() : await repository.past("state", HISTORY);
        return work({ record: async (hash) => files.get(recordPath(hash)) ?? null });
      }),
    lock: async (owner, waiting) => lockOf(await takeLock(options, owner, waiting), waiting),
    unlock: () =>
      using(async (repository) => {
        for (;;) {
          const heads = await repository.bring();
          if (heads.lock === null) return null;
          await isLeft(repository, name, refs.lock, heads.lock);
          const pushed = await repository.push(heads, { ...heads, lock: null });
          if (pushed.isDone) return (await heldAt(repository, heads.lock))?.by ?? null;
          if (pushed.reply.lock === heads.lock) throw notTaken(pushed, name, refs.lock);
        }
      }),
  };
}
