import type { Clock } from "../../src/model/clock.js";

/** A clock that a test moves by hand. */
export interface HandClock extends Clock {
  /** Lets time pass, and wakes who slept that long. */
  advance(milliseconds: number): void;
  /** Puts the wall's time forward or back, as an operator does; no sleeper wakes. */
  jump(milliseconds: number): void;
  /** How many are asleep. */
  sleepers(): number;
}

/** Makes a clock that stands still until it is moved. */
export function handClock(start = Date.UTC(2026, 0, 1)): HandClock {
  const sleepers = new Set<{ readonly at: number; readonly wake: () => void }>();
  let wall = start;
  let elapsed = 0;
  return {
    now: () => wall,
    elapsed: () => elapsed,
    sleepers: () => sleepers.size,
    jump(milliseconds) {
      wall += milliseconds;
    },
    advance(milliseconds) {
      wall += milliseconds;
      elapsed += milliseconds;
      for (const sleeper of [...sleepers]) {
        if (sleeper.at > elapsed) continue;
        sleepers.delete(sleeper);
        sleeper.wake();
      }
    },
    sleep(milliseconds, signal) {
      return new Promise((resolve, reject) => {
        if (signal?.aborted === true) return reject(signal.reason);
        const stop = () => {
          sleepers.delete(sleeper);
          reject(signal?.reason);
        };
        const wake = () => {
          signal?.removeEventListener("abort", stop);
          resolve();
        };
        const sleeper = { at: elapsed + milliseconds, wake };
        sleepers.add(sleeper);
        signal?.addEventListener("abort", stop, { once: true });
      });
    },
  };
}

/** Lets work that is under way go on until something is so. */
export async function until(isSo: () => boolean): Promise<void> {
  for (let turns = 0; !isSo(); turns += 1) {
    if (turns > 100_000) throw new Error("it never came to be so");
    await new Promise((resolve) => setImmediate(resolve));
  }
}
