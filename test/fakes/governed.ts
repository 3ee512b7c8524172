import type { Effect } from "../../src/model/call.js";
import { makePace, type PaceReport } from "../../src/tenant/client/pace/pace.js";
import type { Bad, Good } from "../../src/tenant/client/reply.js";
import { endingOf, inSeconds } from "../../src/tenant/client/retry.js";
import { retrying } from "../../src/tenant/client/retrying.js";
import { virtualClock } from "./clock.js";
import type { Service, Verdict } from "./service.js";

/** One scenario: which calls, how many at once, and for how long. */
export interface Load {
  readonly service: Service;
  readonly width: number;
  readonly seconds: number;
  readonly calls: "reads" | "writes" | "mixed";
  /** The most calls; without it, only the time ends the run. */
  readonly most?: number;
  readonly seed?: number;
  /** Calls per second that the team names. */
  readonly rate?: number;
  /** Milliseconds by which a request may be later on its way than others. */
  readonly jitter?: number;
  /** Milliseconds by which the clock of this machine is ahead of the service's. */
  readonly ahead?: number;
  /** Another governed client of the same width uses the same service between these seconds. */
  readonly rival?: { readonly from: number; readonly to: number };
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

/** Where the service's clock begins. */
const EPOCH = Date.UTC(2026, 0, 1);

/** A time of a scenario as an HTTP header names it. */
export function httpDate(now: number): string {
  return new Date(EPOCH + now).toUTCString();
}

/** Runs a scenario on a simulated clock: always as many calls wait as the width allows. */
export async function govern(load: Load): Promise<Outcome> {
  const {
    service,
    width,
    seconds,
    calls,
    seed = 1,
    rate = null,
    most = Number.POSITIVE_INFINITY,
    jitter = 0,
    ahead = 0,
    rival,
  } = load;
  const clock = virtualClock(EPOCH + ahead);
  const random = makeRandom(seed);
  let atWork = 0;
  let count = 0;

  function makeClient(until: number) {
    const pace = makePace({ width, clock, rate });
    const shared = { pace, clock, random, retries: 5, heard: { any: false, missedAt: null } };
    const attempts: Attempt[] = [];
    let failed = 0;

    async function attempt(effect: Effect): Promise<Good | Bad> {
      const left = clock.elapsed();
      await clock.sleep(jitter === 0 ? WAY : WAY + jitter * random());
      const verdict = service.decide(clock.elapsed(), random, effect);
      if (verdict.status < 429) {
        atWork += 1;
        await clock.sleep(service.work(effect, atWork, random));
        atWork -= 1;
      }
      await clock.sleep(WAY);
      const at = clock.elapsed();
      attempts.push({ at, status: verdict.status, latency: at - left, atWork });
      return reply(verdict, at);
    }

    async function worker(): Promise<void> {
      while (clock.elapsed() < until * 1000 && count < most) {
        count += 1;
        const isRead = calls === "reads" || (calls === "mixed" && count % 2 === 0);
        const effect = isRead ? "read" : "repeatable";
        const call = { operation: "Test", method: isRead ? "GET" : "POST", path: ["x"], effect } as const;
        const work = () => retrying(call, () => attempt(effect), shared);
        await pace.limit(work).catch((error) => {
          if (error?.status !== 404) failed += 1;
        });
      }
    }

    return {
      work: () => Promise.all(Array.from({ length: width }, worker)),
      outcome: () => ({ attempts, failed, ...pace.report() }),
    };
  }

  const one = makeClient(seconds);
  const other = rival && clock.sleep(rival.from * 1000).then(makeClient(rival.to).work);
  await clock.run(Promise.all([one.work(), other]));
  const { attempts, ...outcome } = one.outcome();
  return { attempts: attempts.filter(({ at }) => at <= seconds * 1000), ...outcome };
}

/** Milliseconds of a run that reads and writes so many objects. */
export async function takes(load: Pick<Load, "service" | "width" | "seed"> & { readonly objects: number }) {
  const { objects, ...rest } = load;
  const { attempts } = await govern({
    ...rest,
    seconds: Number.POSITIVE_INFINITY,
    calls: "mixed",
    most: 2 * objects,
  });
  return Math.max(...attempts.map(({ at }) => at));
}

function reply({ status, wait }: Verdict, at: number): Good | Bad {
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
    retryAfter: wait === null ? undefined : inSeconds(String(wait), httpDate(at)),
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
