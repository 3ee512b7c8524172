import type { Clock } from "../../../model/clock.js";

/** Requests that wait for their turn, in the order in which they came. */
interface Admission {
  /** Resolves with the time of the turn; rejects when the signal aborts. */
  wait(signal?: AbortSignal): Promise<number>;
}

/** When the next request may start; asked again whenever a turn comes, because it may have changed since. */
interface Turns {
  earliest(): number;
  start(now: number, hasWaited: boolean): void;
}

/** An answer may bring the next turn forward, so the one that waits looks again after so many milliseconds. */
const LOOK = 100;

/** Makes an empty queue. Only the first of those that wait looks at the clock. */
export function makeAdmission(clock: Clock, turns: Turns): Admission {
  let last: Promise<unknown> = Promise.resolve();

  async function turn(since: number, signal: AbortSignal | undefined): Promise<number> {
    for (;;) {
      signal?.throwIfAborted();
      const now = clock.elapsed();
      const left = turns.earliest() - now;
      if (left <= 0) {
        turns.start(now, now > since);
        return now;
      }
      await clock.sleep(Math.min(left, LOOK), signal);
    }
  }

  return {
    wait(signal) {
      const since = clock.elapsed();
      const mine = last.then(() => turn(since, signal));
      last = mine.catch(() => undefined);
      if (signal === undefined) return mine;
      return new Promise((resolve, reject) => {
        const leave = () => reject(signal.reason);
        signal.addEventListener("abort", leave, { once: true });
        mine.then(resolve, reject).finally(() => signal.removeEventListener("abort", leave));
      });
    },
  };
}
