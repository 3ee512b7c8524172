import type { Clock } from "../../src/model/clock.js";

/** A clock that stands still until somebody sleeps, and then is there at once. */
export interface FakeClock extends Clock {
  readonly slept: readonly number[];
  advance(milliseconds: number): void;
}

/** Makes a clock whose sleeps take no time and are remembered. */
export function fakeClock(start = Date.UTC(2026, 0, 1)): FakeClock {
  const slept: number[] = [];
  let elapsed = 0;
  return {
    slept,
    now: () => start + elapsed,
    elapsed: () => elapsed,
    advance(milliseconds) {
      elapsed += milliseconds;
    },
    async sleep(milliseconds, signal) {
      signal?.throwIfAborted();
      slept.push(milliseconds);
      elapsed += milliseconds;
    },
  };
}
