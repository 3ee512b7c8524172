import pLimit from "p-limit";
import type { Clock } from "../model/clock.js";

/** What the governor did so far. */
export interface PaceReport {
  /** Milliseconds of wall time during which at least one call was held back at the service's wish. */
  readonly throttled: number;
  /** Replies that asked to slow down. */
  readonly refusals: number;
  /** How many units of work may be under way now, and the least it has been. */
  readonly width: number;
  readonly narrowest: number;
}

/** One governor for all calls of a run: it bounds how many units of work are under way, between 1 and the given width. */
export interface Pace {
  /** Runs a unit of work when there is room for it; the outermost unit only, never one inside another. */
  limit<T>(work: () => Promise<T>): Promise<T>;
  report(): PaceReport;
}

/** The governor as the client sees it: it asks before each request and tells how each was answered. */
export interface Governor extends Pace {
  /** Resolves when a request may leave. */
  admit(signal?: AbortSignal): Promise<void>;
  answered(): void;
  /** The service asked to slow down, for so many milliseconds where it said so. */
  refused(wait: number | null): void;
}

/** Makes the one governor of a run. */
export function makePace({ width, clock }: { readonly width: number; readonly clock: Clock }): Governor {
  const run = pLimit(width);
  let until = 0;
  let refusals = 0;
  let narrowest = width;
  let good = 0;
  let throttled = 0;
  return {
    limit: (work) => run(work),
    report: () => ({ throttled, refusals, width: run.concurrency, narrowest }),
    async admit(signal) {
      while (clock.elapsed() < until) {
        const wait = until - clock.elapsed();
        throttled += wait;
        await clock.sleep(wait, signal);
      }
    },
    answered() {
      good += 1;
      if (good < run.concurrency || run.concurrency >= width) return;
      good = 0;
      run.concurrency += 1;
    },
    refused(wait) {
      refusals += 1;
      good = 0;
      until = Math.max(until, clock.elapsed() + (wait ?? 0));
      run.concurrency = Math.max(1, Math.floor(run.concurrency / 2));
      narrowest = Math.min(narrowest, run.concurrency);
    },
  };
}
