import { insist } from "../../src/api/insist.js";
import { makePace, type PaceReport } from "../../src/api/pace.js";
import type { Bad, Good } from "../../src/api/reply.js";
import { endingOf } from "../../src/api/retry.js";
import type { Effect } from "../../src/model/call.js";
import { virtualClock } from "./clock.js";

/** What a simulated service answers: a status, and the seconds of its `Retry-After`. */
export interface Verdict {
  readonly status: number;
  readonly wait: number | null;
}

/** A simulated service: decides when a call arrives, and needs some time for what it accepts. */
export interface Service {
  readonly decide: (now: number, random: () => number) => Verdict;
  /** Milliseconds of work for an accepted call while so many are at work. */
  readonly work: (call: Effect, atWork: number, random: () => number) => number;
}

/** One scenario: which calls, how many at once, and for how long. */
export interface Load {
  readonly service: Service;
  readonly width: number;
  readonly seconds: number;
  readonly calls: "reads" | "writes" | "mixed";
  readonly seed?: number;
  /** Milliseconds by which the program handles each reply late. */
  readonly late?: number;
}

/** One attempt as the service saw it. */
export interface Attempt {
  /** Milliseconds since the start, when the answer came. */
  readonly at: number;
  readonly status: number;
  readonly latency: number;
  readonly atWork: number;
}

/** What happened in a scenario. */
export interface Outcome extends PaceReport {
  readonly attempts: readonly Attempt[];
  /** Calls given up. */
  readonly failed: number;
}

/** Half of a round trip without work. */
const WAY = 5;

/** Runs a scenario on a simulated clock: always as many calls wait as the width allows. */
export async function govern({ service, width, seconds, calls, seed = 1, late = 0 }: Load): Promise<Outcome> {
  const clock = virtualClock();
  const random = makeRandom(seed);
  const pace = makePace({ width, clock, lateness: { read: () => late } });
  const attempts: Attempt[] = [];
  const shared = { pace, clock, random, retries: 5, heard: { any: false } };
  let atWork = 0;
  let failed = 0;
  let count = 0;

  async function attempt(effect: Effect): Promise<Good | Bad> {
    const left = clock.elapsed();
    await clock.sleep(WAY);
    const { status, wait } = service.decide(clock.elapsed(), random);
    if (status < 429) {
      atWork += 1;
      await clock.sleep(service.work(effect, atWork, random));
      atWork -= 1;
    }
    await clock.sleep(WAY);
    attempts.push({ at: clock.elapsed(), status, latency: clock.elapsed() - left, atWork });
    return reply(status, wait);
  }

  async function worker(): Promise<void> {
    while (clock.elapsed() < seconds * 1000) {
      count += 1;
      const isRead = calls === "reads" || (calls === "mixed" && count % 2 === 0);
      const effect = isRead ? "read" : "repeatable";
      const call = { method: isRead ? "GET" : "POST", path: ["x"], effect } as const;
      const work = () => insist(call, () => attempt(effect), shared);
      await pace.limit(work).catch((error) => {
        if (error?.status !== 404) failed += 1;
      });
    }
  }

  await clock.run(Promise.all(Array.from({ length: width }, worker)));
  return { attempts: attempts.filter(({ at }) => at <= seconds * 1000), failed, ...pace.report() };
}

function reply(status: number, wait: number | null): Good | Bad {
  if (status < 300) return { as: "good", status, body: {}, requestId: null };
  return {
    as: "bad",
    ending: endingOf(status),
    problem: `answered ${status}`,
    progress: "replied",
    status,
    code: null,
    words: null,
    requestId: null,
    own: true,
    fault: "own",
    retryAfter: wait === null ? undefined : String(wait),
  };
}

/** Numbers by chance, the same for the same seed. */
export function makeRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

const STEADY: Service["work"] = (effect) => (effect === "read" ? 40 : 60);

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

/** A service with so many places: what does not fit waits, so that latency grows with the load. */
export function queueing(places: number, milliseconds: number): Service {
  return {
    decide: () => ({ status: 200, wait: null }),
    work: (_, atWork) => milliseconds * Math.max(1, atWork / places),
  };
}

/** The same service with work of another length each time, between half and one and a half of what it is on average. */
export function varying({ decide, work }: Service): Service {
  return { decide, work: (call, atWork, random) => work(call, atWork, random) * (0.5 + random()) };
}
