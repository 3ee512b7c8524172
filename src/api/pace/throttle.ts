import { makeLimit, type TokenBucket } from "./limit.js";
import { makeWindow, type RefusedRequest } from "./window.js";

/** What a service limits its calls by: the better of a token bucket and a window, where one explains the refusals. */
export interface Throttle {
  /** A request leaves now. */
  start(now: number): void;
  refused(refusal: RefusedRequest): void;
  /** What the refusals up to that of the request that left then show; the service asked for a pause or not. */
  explain(started: number, isPaused: boolean): Explanation;
  /** The window, whatever a bucket would explain. */
  window(): KnownThrottle | null;
}

/** What is known of it, and a bucket that explains the refusals, however vaguely. */
export interface Explanation {
  readonly known: KnownThrottle | null;
  readonly bucket: TokenBucket | null;
}

/** What shows nothing. */
export const UNEXPLAINED: Explanation = { known: null, bucket: null };

/** A known limit. A window is a bucket that stores nothing. */
export interface KnownThrottle extends TokenBucket {
  /** Milliseconds of the window; 0 for a bucket. */
  readonly length: number;
}

/** A bucket is known when the bounds of its rate are this close; a pause costs more than a vague bucket. */
const CLOSE = { times: 1.15, paused: 4 };
/** Without pauses, a window that allows so many times what a known bucket does is worth a try. */
const ABOVE = 1.05;
/** The share of a window that is used. */
const USED = 0.995;

/** Makes a throttle that nothing is known of. */
export function makeThrottle(): Throttle {
  const limit = makeLimit();
  const counting = makeWindow();

  function window(): KnownThrottle | null {
    const shown = counting.shown();
    if (shown === null) return null;
    const rate = shown.perSecond * USED;
    return { least: rate, most: rate, stored: { least: 1, most: 1 }, length: shown.length };
  }

  return {
    window,
    start(now) {
      limit.start(now);
      counting.start(now);
    },
    refused(refusal) {
      limit.refused(refusal.started);
      counting.refused(refusal);
    },
    explain(started, isPaused) {
      const bucket = limit.explain(started);
      const counted = window();
      const isClose = bucket !== null && bucket.most < bucket.least * CLOSE.times;
      const isAbove = counted !== null && (!isClose || (!isPaused && counted.least > bucket.least * ABOVE));
      if (isAbove) return { known: counted, bucket };
      const isKnown = isClose || (isPaused && bucket !== null && bucket.most < bucket.least * CLOSE.paused);
      return { known: isKnown ? { ...bucket, length: 0 } : null, bucket };
    },
  };
}
