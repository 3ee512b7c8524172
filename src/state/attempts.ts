import type { Clock } from "../model/clock.js";
import type { Lease } from "./lease.js";
import { StateError, type Waiting } from "./store.js";

/** Repeats what a store refuses for now. */
export interface Attempts {
  /** Does work until the store takes it, or its time is up: then it throws what the store said last. */
  keepTrying<T>(work: () => Promise<T>): Promise<T>;
  /** Something to be written came: the time counts from now. */
  refresh(): void;
}

/** Milliseconds between two attempts: each pause is twice as long as the one before. */
const PAUSE = { first: 500, longest: 10_000 };

/** Makes the attempts for the holder of a lock: they end when the lock is lost. */
export function makeAttempts({
  clock,
  lease,
  waiting: { patience = 0, told = () => undefined },
}: {
  readonly clock: Clock;
  readonly lease: Pick<Lease, "lost">;
  readonly waiting: Waiting;
}): Attempts {
  /** When the store was found to be away, and when something to be written last came, by the clock's `elapsed`. */
  let awaySince: number | null = null;
  let cameAt = Number.NEGATIVE_INFINITY;
  /** Whether the time was up once: until a write succeeds, each one is tried once. */
  let isTired = false;

  return {
    refresh() {
      cameAt = clock.elapsed();
    },
    async keepTrying(work) {
      for (let pause = PAUSE.first; ; pause = Math.min(2 * pause, PAUSE.longest)) {
        try {
          const value = await work();
          [awaySince, isTired] = [null, false];
          return value;
        } catch (error) {
          if (!isPassing(error)) throw error;
          awaySince ??= clock.elapsed();
          const left = Math.max(awaySince, cameAt) + patience - clock.elapsed();
          if (left <= 0 || isTired) {
            isTired = true;
            throw error;
          }
          told({ as: "away", why: error.diagnostic, left });
          await clock.sleep(Math.min(pause, left));
          lease.lost.throwIfAborted();
        }
      }
    },
  };
}

/** Whether the same write may be accepted later. */
function isPassing(error: unknown): error is StateError {
  return error instanceof StateError && error.refusal === "again";
}
