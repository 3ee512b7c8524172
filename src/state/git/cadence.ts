import type { Clock } from "../../model/clock.js";
import type { Waiting } from "../store.js";

/** How often a store in a repository pushes and asks, in milliseconds. */
export interface Cadence {
  /** Forges recommend at most six pushes in a minute for one repository: after so many at once... */
  readonly burst: number;
  /** ...the next one follows after this time, and each one after it. */
  readonly push: number;
  /** A quiet holder renews its lock this often. */
  readonly beat: number;
  /** The lock of a holder that was silent for so long, and for one request, may be taken over. */
  readonly lease: number;
  /** A run that waits for the lock asks this often. */
  readonly poll: number;
}

/** What a store in a repository keeps to, unless a test says otherwise. */
export const CADENCE: Cadence = { burst: 6, push: 10_000, beat: 30_000, lease: 120_000, poll: 10_000 };

/** Spends a budget of pushes. */
interface Pacer {
  /** Counts the next push. Resolves when it may start; null where that is now. */
  ready(): Promise<void> | null;
}

/** Makes a pacer that has seen no push. */
export function makePacer(
  clock: Clock,
  { burst, push }: Pick<Cadence, "burst" | "push">,
  told: Waiting["told"],
): Pacer {
  /** When all of the budget is there again. */
  let full = Number.NEGATIVE_INFINITY;
  return {
    ready() {
      const now = clock.elapsed();
      const left = full - (burst - 1) * push - now;
      full = Math.max(full, now) + push;
      if (left <= 0) return null;
      told?.({ as: "pace", left });
      return clock.sleep(left);
    },
  };
}
