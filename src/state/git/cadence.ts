import type { Clock } from "../../model/clock.js";

/** How often a store in a repository pushes and asks, in milliseconds. */
export interface Cadence {
  /** The least time between two pushes. Forges recommend at most six in a minute for one repository. */
  readonly push: number;
  /** A quiet holder renews its lock this often. */
  readonly beat: number;
  /** The lock of a holder that was silent for so long, and for one request, may be taken over. */
  readonly lease: number;
  /** A run that waits for the lock asks this often. */
  readonly poll: number;
}

/** What a store in a repository keeps to, unless a test says otherwise. */
export const CADENCE: Cadence = { push: 10_000, beat: 30_000, lease: 120_000, poll: 10_000 };

/** Lets pushes follow each other at a distance. */
export interface Pacer {
  /** Milliseconds until the next push may start. */
  left(): number;
  /** Resolves when the next push may start, and counts it. */
  start(): Promise<void>;
}

/** Makes a pacer that has seen no push. */
export function makePacer(clock: Clock, distance: number): Pacer {
  let last = Number.NEGATIVE_INFINITY;
  const left = () => Math.max(0, last + distance - clock.elapsed());
  return {
    left,
    async start() {
      while (left() > 0) await clock.sleep(left());
      last = clock.elapsed();
    },
  };
}
