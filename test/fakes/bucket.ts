import type { Clock } from "../../src/model/clock.js";

/** A service's limit: so many calls a second, and so many at once after a rest. */
export interface Bucket {
  /** Takes a token; gives whether there was one. */
  take(): boolean;
  /** The share of asking that found it empty. */
  refused(): number;
}

/** Makes a token bucket, full at first. */
export function makeBucket(clock: Clock, rate: number, capacity: number): Bucket {
  let tokens = capacity;
  let at = clock.elapsed();
  let asked = 0;
  let empty = 0;
  return {
    take() {
      const now = clock.elapsed();
      tokens = Math.min(capacity, tokens + ((now - at) * rate) / 1000);
      at = now;
      asked += 1;
      if (tokens < 1) {
        empty += 1;
        return false;
      }
      tokens -= 1;
      return true;
    },
    refused: () => empty / Math.max(1, asked),
  };
}
