import { setTimeout as pause } from "node:timers/promises";
import type { Clock } from "../../src/model/clock.js";

/** A clock that stands still until a caller sleeps, and then jumps to the end of that sleep. */
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

/** A clock whose sleepers wake in order of time, those of one moment together, as soon as all other work is done. */
export interface VirtualClock extends Clock {
  /** Lets time pass until the work is done. */
  run<T>(work: Promise<T>): Promise<T>;
}

/** So many steps of simulated time are made in one turn of the event loop, which costs more than most steps. */
const STEPS = 64;

/** Makes a function that resolves once all promises are settled that can be: Node settles them between two immediates. */
function makeQuiet(): () => Promise<void> {
  let resume = () => {};
  let left = 0;
  const next = () => {
    left -= 1;
    resume();
  };
  return () =>
    new Promise((resolve) => {
      resume = resolve;
      if (left > 0) return;
      left = STEPS;
      for (let step = 0; step < STEPS; step += 1) setImmediate(next);
    });
}

/** Makes a clock for simulating many sleepers at once. */
export function virtualClock(start = Date.UTC(2026, 0, 1)): VirtualClock {
  const sleepers: { readonly at: number; readonly wake: () => void }[] = [];
  let elapsed = 0;
  return {
    now: () => start + elapsed,
    elapsed: () => elapsed,
    sleep(milliseconds, signal) {
      return new Promise((resolve, reject) => {
        if (signal?.aborted === true) return reject(signal.reason);
        signal?.addEventListener("abort", () => reject(signal.reason), { once: true });
        const at = elapsed + milliseconds;
        const later = sleepers.findIndex((other) => other.at > at);
        sleepers.splice(later === -1 ? sleepers.length : later, 0, { at, wake: resolve });
      });
    },
    async run(work) {
      let done = false;
      const settled = work.finally(() => {
        done = true;
      });
      settled.catch(() => undefined);
      const quiet = makeQuiet();
      for (;;) {
        await quiet();
        if (done) return settled;
        const [first] = sleepers;
        if (first === undefined) throw new Error("everybody waits, and nobody sleeps");
        elapsed = Math.max(elapsed, first.at);
        const later = sleepers.findIndex(({ at }) => at > first.at);
        for (const { wake } of sleepers.splice(0, later === -1 ? sleepers.length : later)) wake();
      }
    },
  };
}

/** Makes a clock on which only sleeping takes time, so a slow machine changes nothing; a sleep is so many times shorter. */
export function sleepersClock(haste: number): Clock {
  let elapsed = 0;
  return {
    now: () => Date.now(),
    elapsed: () => elapsed,
    async sleep(milliseconds, signal) {
      const end = elapsed + milliseconds;
      await pause(milliseconds / haste, undefined, signal === undefined ? {} : { signal }).catch((error) => {
        throw signal?.reason ?? error;
      });
      elapsed = Math.max(elapsed, end);
    },
  };
}
