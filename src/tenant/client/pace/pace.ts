import pLimit from "p-limit";
import type { Clock } from "../../../model/clock.js";
import { makeRate } from "./rate.js";

/** What the governor did so far. */
export interface PaceReport {
  /** Milliseconds of wall time during which at least one call was held back at the service's wish. */
  readonly throttled: number;
  /** Replies that asked to slow down. */
  readonly refusals: number;
  /** How many units of work may be under way now, the most that it may come to again, and the least it has been. */
  readonly width: number;
  readonly widest: number;
  readonly narrowest: number;
  /** Calls per second that the service was found to allow; null where no limit was found. */
  readonly perSecond: number | null;
}

/**
 * One governor for all calls of a run: it bounds how many units of work are under way, between 1 and the given width.
 */
export interface Pace {
  /** Runs a unit of work when there is room for it; the outermost unit only, never one inside another. */
  limit<T>(work: () => Promise<T>): Promise<T>;
  /** Inside a unit of work: another unit takes its place while it waits; it goes on when there is room for it again. */
  lend<T>(wait: () => Promise<T>): Promise<T>;
  report(): PaceReport;
  /** Tells of each change of the width, and of each stop for all; gives back how to stop listening. */
  watch(listener: (change: PaceChange) => void): () => void;
}

/** The governor changed its mind: the width now, and for how long nothing starts. */
export interface PaceChange {
  readonly width: number;
  readonly milliseconds: number;
}

/** The governor as the client sees it: it admits each request and learns how it was answered. */
export interface Governor extends Pace {
  /** Resolves when a request may leave, with the time it leaves at; rejects when the signal aborts. */
  admit(signal?: AbortSignal): Promise<number>;
  /** A request that `admit` let go then was answered, by anything that does not ask to slow down. */
  answered(started: number): void;
  refused(refusal: Refusal): void;
}

/** A reply that asked to slow down. */
interface Refusal {
  readonly status: number;
  /** What `admit` gave for the request. */
  readonly started: number;
  /** Milliseconds the service asked for; null where it named none. */
  readonly wait: number | null;
}

/** What a governor is made from. */
interface PaceOptions {
  readonly width: number;
  readonly clock: Clock;
  /** Calls per second that the service is known to allow. */
  readonly rate?: number | null;
}

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

/** Makes the one governor of a run; without a known rate it only counts while nothing is refused. */
export function makePace({ width, clock, rate: known = null }: PaceOptions): Governor {
  const run = pLimit(width);
  const rate = makeRate(known);
  const listeners = new Set<(change: PaceChange) => void>();
  const held = makeStopwatch(clock);
  const earliest = () => Math.max(until, rate.earliest());
  const admission = makeAdmission(clock, { earliest, start: rate.start });
  let refusals = 0;
  let narrowest = width;
  /** How many units may be under way now, and how many wait and have lent their place. */
  let open = width;
  let lent = 0;
  /** Good answers since the width last changed. */
  let good = 0;
  /** Nothing starts before. */
  let until = 0;
  /** What started before the last narrowing says nothing of the width since. */
  let cutAt = Number.NEGATIVE_INFINITY;

  function widen(to: number, lending = lent): void {
    open = to;
    lent = lending;
    run.concurrency = open + lent;
  }

  function tell(now: number): void {
    const change = { width: open, milliseconds: Math.max(0, until - now) };
    for (const listener of listeners) listener(change);
  }

  return {
    limit: (work) => run(work),
    async lend(wait) {
      widen(open, lent + 1);
      try {
        return await wait();
      } finally {
        // The place that this takes becomes the unit's own again.
        await run(async () => widen(open, lent - 1));
      }
    },
    report: () => ({
      throttled: held.total(),
      refusals,
      width: open,
      widest: width,
      narrowest,
      perSecond: rate.perSecond(),
    }),
    watch(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async admit(signal) {
      const now = clock.elapsed();
      if (now >= until && !rate.limited()) {
        rate.start(now, false);
        return now;
      }
      held.start();
      try {
        return await admission.wait(signal);
      } finally {
        held.stop();
      }
    },
    answered(started) {
      const now = clock.elapsed();
      rate.answered(now, started);
      if (open === width) return;
      good += 1;
      if (good < open) return;
      good = 0;
      widen(open + 1);
      tell(now);
    },
    refused({ status, started, wait }) {
      const now = clock.elapsed();
      refusals += 1;
      if (wait !== null) until = Math.max(until, now + wait);
      const held = wait === null ? null : until;
      const isLowered = rate.refused({ now, started, held, isTooMany: status === 429 });
      if (isLowered && status === 503 && started >= cutAt) {
        cutAt = now;
        good = 0;
        widen(Math.max(1, Math.floor(open / 2)));
        narrowest = Math.min(narrowest, open);
      }
      tell(now);
    },
  };
}

/** Measures the time during which at least one is being held. */
function makeStopwatch(clock: Clock) {
  let count = 0;
  let since = 0;
  let total = 0;
  return {
    start() {
      if (count === 0) since = clock.elapsed();
      count += 1;
    },
    stop() {
      count -= 1;
      if (count === 0) total += clock.elapsed() - since;
    },
    total: () => (count === 0 ? total : total + clock.elapsed() - since),
  };
}

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
