import type { Effect } from "../../src/model/call.js";

/** What a simulated service answers: a status, and its `Retry-After`, in seconds or as it is sent. */
export interface Verdict {
  readonly status: number;
  readonly wait: number | string | null;
}

/** A simulated service: decides when a call arrives, and needs some time for what it accepts. */
export interface Service {
  readonly decide: (now: number, random: () => number, effect: Effect) => Verdict;
  /** Milliseconds of work for an accepted call while so many are at work. */
  readonly work: (call: Effect, atWork: number, random: () => number) => number;
}

const STEADY: Service["work"] = (effect) => (effect === "read" ? 40 : 60);
const GOOD: Verdict = { status: 200, wait: null };

/** A service that refuses by chance, whatever the rate. */
export function chance(share: number): Service {
  return {
    decide: (_, random) => ({ status: random() < share ? 429 : 200, wait: null }),
    work: STEADY,
  };
}

/** A service with a token bucket; the rate may change with time. */
export function bucket(
  rate: number | ((now: number) => number),
  burst: number,
  wait: number | null,
  good = 200,
): Service {
  const rateAt = typeof rate === "number" ? () => rate : rate;
  let tokens = burst;
  let at = 0;
  return {
    decide(now) {
      tokens = Math.min(burst, tokens + ((now - at) * rateAt(now)) / 1000);
      at = now;
      // A thousandth for the rounding of times.
      if (tokens < 0.999) return { status: 429, wait };
      tokens -= 1;
      return { status: good, wait: null };
    },
    work: STEADY,
  };
}

/** A service that lets so many calls through in each window of so many seconds; `says` when the window ends, or not. */
export function fixedWindow(count: number, seconds: number, says: boolean): Service {
  let [window, used] = [0, 0];
  return {
    decide(now) {
      const current = Math.floor(now / (seconds * 1000));
      if (current > window) [window, used] = [current, 0];
      if (used >= count) {
        const left = (current + 1) * seconds - now / 1000;
        return { status: 429, wait: says ? Math.ceil(left) : null };
      }
      used += 1;
      return GOOD;
    },
    work: STEADY,
  };
}

/** A service that lets so many calls through in any so many seconds; `says` when there is room again, or not. */
export function slidingWindow(count: number, seconds: number, says: boolean): Service {
  const accepted: number[] = [];
  return {
    decide(now) {
      while ((accepted[0] ?? now) <= now - seconds * 1000) accepted.shift();
      if (accepted.length >= count) {
        const left = ((accepted[0] ?? now) - now) / 1000 + seconds;
        return { status: 429, wait: says ? Math.max(1, Math.ceil(left)) : null };
      }
      accepted.push(now);
      return GOOD;
    },
    work: STEADY,
  };
}

/** A service that answers another way between two times, in seconds. */
export function between(from: number, to: number, then: Verdict, service: Service): Service {
  const isThen = (now: number) => now >= from * 1000 && now < to * 1000;
  return {
    ...service,
    decide: (now, random, effect) => (isThen(now) ? then : service.decide(now, random, effect)),
  };
}

/** A service that another client asks so often each second between two times, whatever it answers. */
export function asked(perSecond: number, from: number, to: number, service: Service): Service {
  let next = from * 1000;
  return {
    ...service,
    decide(now, random, effect) {
      for (; next <= now && next < to * 1000; next += 1000 / perSecond) service.decide(next, random, effect);
      return service.decide(now, random, effect);
    },
  };
}

/** A service that has one limit for reads and one for writes. */
export function each(reads: Service, writes: Service): Service {
  const of = (effect: Effect) => (effect === "read" ? reads : writes);
  return { ...reads, decide: (now, random, effect) => of(effect).decide(now, random, effect) };
}

/** A service that says something else where it refuses. */
export function saying(says: (verdict: Verdict, now: number) => Verdict, service: Service): Service {
  return {
    ...service,
    decide(now, random, effect) {
      const verdict = service.decide(now, random, effect);
      return verdict.status < 429 ? verdict : says(verdict, now);
    },
  };
}

/** A service with so many places: what does not fit waits, so that latency grows with the load. */
export function queueing(places: number, milliseconds: number): Service {
  return {
    decide: () => GOOD,
    work: (_, atWork) => milliseconds * Math.max(1, atWork / places),
  };
}

/** A service that works on so many calls at once, and refuses what does not fit. */
export function places(most: number, milliseconds: number): Service {
  const ends: number[] = [];
  return {
    decide(now) {
      while ((ends[0] ?? now + 1) <= now) ends.shift();
      if (ends.length >= most) return { status: 429, wait: null };
      ends.push(now + milliseconds);
      return GOOD;
    },
    work: () => milliseconds,
  };
}
