import type { Clock } from "../../model/clock.js";

/** Requests that wait for their turn, in the order in which they came. */
export interface Admission {
  /** Resolves with the time of the turn; rejects when the signal aborts. */
  wait(signal?: AbortSignal): Promise<number>;
}

/** When the next request may start; asked again whenever a turn comes, because it may have changed since. */
export interface Turns {
  earliest(): number;
  start(now: number, hasWaited: boolean): void;
}

interface Waiting {
  readonly begin: (now: number) => void;
  readonly since: number;
}

/** Makes an empty queue. Only the first of those that wait looks at the clock. */
export function makeAdmission(clock: Clock, turns: Turns): Admission {
  const waiting = new Set<Waiting>();
  let sleep: AbortController | null = null;
  let isServing = false;

  async function serve(): Promise<void> {
    for (;;) {
      const [first] = waiting;
      if (first === undefined) {
        // In the same turn: a request that comes a moment later must find that it has to begin.
        isServing = false;
        return;
      }
      const now = clock.elapsed();
      const left = turns.earliest() - now;
      if (left <= 0) {
        waiting.delete(first);
        turns.start(now, now > first.since);
        first.begin(now);
        continue;
      }
      sleep = new AbortController();
      await clock.sleep(left, sleep.signal).catch(() => undefined);
      sleep = null;
    }
  }

  return {
    wait(signal) {
      return new Promise((resolve, reject) => {
        signal?.throwIfAborted();
        const leave = () => {
          waiting.delete(one);
          // Nothing may keep the program from ending when no request waits any more.
          if (waiting.size === 0) sleep?.abort();
          reject(signal?.reason);
        };
        const one: Waiting = {
          since: clock.elapsed(),
          begin(now) {
            signal?.removeEventListener("abort", leave);
            resolve(now);
          },
        };
        signal?.addEventListener("abort", leave, { once: true });
        waiting.add(one);
        if (isServing) return;
        isServing = true;
        void serve();
      });
    },
  };
}
