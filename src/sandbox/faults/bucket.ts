import type { Clock } from "../../model/clock.js";

/** Lets a burst through, then so many a second. */
export interface Bucket {
  /** 0 where there was room, else the whole seconds until there is some. */
  take(): number;
}

/** A full bucket. */
export function makeBucket(rate: number, burst: number, clock: Clock): Bucket {
  let tokens = burst;
  let last = clock.elapsed();
  return {
    take() {
      const now = clock.elapsed();
      tokens = Math.min(burst, tokens + ((now - last) / 1000) * rate);
      last = now;
      if (tokens < 1) return Math.max(1, Math.ceil((1 - tokens) / rate));
      tokens -= 1;
      return 0;
    },
  };
}
