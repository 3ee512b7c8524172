import fc from "fast-check";
import { govern } from "./governed.js";
import { bucket, fixedWindow, places, type Service, slidingWindow } from "./service.js";

/** A limit that was generated, and a client that meets it. */
export interface LimitCase {
  readonly name: string;
  readonly service: () => Service;
  /** Calls per second that the service allows. */
  readonly perSecond: number;
  /** Milliseconds of a window; 0 without one. */
  readonly length: number;
  readonly width: number;
  readonly latency: number;
  readonly seed: number;
}

/** Half of a round trip without work, both ways. */
const WAY = 10;
/** A long run takes so many seconds, windows, and calls at least. */
const LONG = { seconds: 300, windows: 10, calls: 5_000 };

/** Some number between two, each order of magnitude as often as the others. */
function between(least: number, most: number): fc.Arbitrary<number> {
  return fc
    .double({ min: Math.log(least), max: Math.log(most), noNaN: true })
    .map((power) => Math.round(Math.exp(power)));
}

/** Of fewer calls at a time, the waits before they are sent again are the limit. */
const client = { width: between(5, 50), latency: between(20, 200), seed: fc.integer({ min: 1, max: 1000 }) };

const buckets = fc
  .record({ ...client, perSecond: between(2, 100), stored: between(1, 200), wait: fc.constantFrom(null, 1) })
  .map(
    ({ stored, wait, ...one }): LimitCase => ({
      ...one,
      name: `${one.perSecond}/s, ${stored} stored, Retry-After ${wait}`,
      service: () => ({ ...bucket(one.perSecond, stored, wait), work: () => one.latency }),
      length: 0,
    }),
  );

const windows = fc
  .record({
    ...client,
    count: between(10, 200),
    seconds: fc.constantFrom(1, 10, 60),
    says: fc.boolean(),
    make: fc.constantFrom(fixedWindow, slidingWindow),
  })
  .map(
    ({ count, seconds, says, make, ...one }): LimitCase => ({
      ...one,
      name: `${count} each ${seconds} s, ${make.name}, ${says ? "" : "no "}Retry-After`,
      service: () => ({ ...make(count, seconds, says), work: () => one.latency }),
      perSecond: count / seconds,
      length: seconds * 1000,
    }),
  );

const widths = fc.record({ ...client, latency: between(80, 200), most: between(2, 15) }).map(
  ({ most, ...one }): LimitCase => ({
    ...one,
    name: `${most} at once`,
    service: () => places(most, one.latency),
    perSecond: (most * 1000) / one.latency,
    length: 0,
  }),
);

/** Limits of three forms: token buckets, windows, and so many calls at once. */
export const LIMITS = { buckets, windows, widths };

/** What a long run comes to: the share of what is best, and the share of refusals after the first window. */
export async function longRun(one: LimitCase) {
  const { width, latency, seed, perSecond, length } = one;
  const most = Math.min(perSecond, (width * 1000) / (latency + WAY));
  const seconds = Math.max(LONG.seconds, (LONG.windows * length) / 1000, LONG.calls / most);
  const { attempts, failed } = await govern({ service: one.service(), width, seconds, calls: "reads", seed });
  const accepted = attempts.filter(({ status }) => status < 429).length;
  const late = attempts.filter(({ at }) => at > Math.max(5_000, length));
  const refused = late.filter(({ status }) => status >= 429).length / Math.max(1, late.length);
  return { used: accepted / (most * seconds), refused, failed };
}
