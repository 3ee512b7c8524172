import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { makeChance } from "../../src/api/pace/chance.js";
import { cases } from "../fakes/cases.js";
import { govern } from "../fakes/governed.js";
import { chance, type Service, type Verdict } from "../fakes/service.js";

/** The mean of a first wait before a call is sent again, and the way of a refusal. */
const RETRY = 125 + 10;

describe("refusals by chance cost only their own retries", () => {
  test.each([0.005, 0.02, 0.05, 0.1].flatMap((share) => [1, 10, 50].map((width) => [share, width] as const)))(
    "a share of %f, %i wide",
    async (share, width) => {
      const seconds = 30;
      const { attempts, failed } = await govern({ service: chance(share), width, seconds, calls: "mixed" });
      const accepted = attempts.filter(({ status }) => status < 429).length;
      // A call is refused again with the same share, and waits twice as long then.
      const again = share / (1 - 2 * share);
      const ideal = (seconds * 1000 * width) / (60 + again * RETRY);
      // One call at a time gives few answers, so that it takes long to see that they do not depend on the rate.
      expect(accepted / ideal).toBeGreaterThan(width === 1 ? 0.7 : 0.9);
      expect(failed).toBe(0);
    },
  );
});

test.each([
  ["a share that falls by half", 2, "by chance"],
  ["none of many", Number.POSITIVE_INFINITY, "calm"],
])("a series with more refusals than usual, then at a lower rate %s: %s", (_, rarer, verdict) => {
  const chance = makeChance();
  let now = 0;
  const hear = (milliseconds: number, isRefusal: boolean) => {
    now += milliseconds;
    return chance.heard({ now, started: now - 60, isRefusal, isProven: false });
  };
  const before = Array.from({ length: 100 }, (_, at) => hear(7, at % 10 === 0));
  expect(before).toContain("hot");
  chance.lowered(150, 110);
  const after = Array.from({ length: 160 }, (_, at) => hear(9, at % (10 * rarer) === 1));
  expect(after.find((heard) => heard !== "calm") ?? "calm").toBe(verdict);
});

/** Some seconds in which a service answers in one way. */
const phase = fc.record({
  seconds: fc.integer({ min: 1, max: 20 }),
  share: fc.constantFrom(0, 0.02, 0.1, 0.5, 1),
  status: fc.constantFrom(429, 503),
  good: fc.constantFrom(200, 404, 409),
  wait: fc.constantFrom(null, null, null, 1, 5),
});

test("two windows that agree by chance are disproved once a whole window lets more through", async () => {
  const decide = (now: number, random: () => number): Verdict => {
    const [share, wait] = now < 5_000 ? [0.1, 5] : now < 17_000 ? [0.02, 1] : now < 19_000 ? [1, 1] : [0, 0];
    return random() < share ? { status: 429, wait } : { status: 200, wait: null };
  };
  const service: Service = { decide, work: () => 40 };
  const { attempts } = await govern({ service, width: 15, seconds: 87, calls: "reads", seed: 983 });
  expect(attempts.filter(({ at }) => at >= 79_000 && at < 87_000).length).toBeGreaterThan(1_920);
});

test("whatever was answered before, after 30 s of answers (60 s after a Retry-After) the pace is what they allow", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(phase, { minLength: 1, maxLength: 4 }),
      fc.constantFrom(1, 5, 15),
      fc.integer({ min: 1, max: 1000 }),
      async (phases, width, seed) => {
        const end = phases.reduce((sum, { seconds }) => sum + seconds, 0) * 1000;
        const decide = (now: number, random: () => number): Verdict => {
          let at = 0;
          for (const { seconds, share, status, good, wait } of phases) {
            at += seconds * 1000;
            if (now < at) return random() < share ? { status, wait } : { status: good, wait: null };
          }
          return { status: 200, wait: null };
        };
        const service: Service = { decide, work: () => 40 };
        const horizon = phases.some(({ share, wait }) => share > 0 && wait !== null) ? 60_000 : 30_000;
        const seconds = (end + horizon) / 1000 + 8;
        const { attempts } = await govern({ service, width, seconds, calls: "reads", seed });
        const from = end + horizon;
        const accepted = attempts.filter(
          ({ at, status }) => status === 200 && at >= from && at < from + 8_000,
        );
        expect(accepted.length).toBeGreaterThan(0.8 * ((8_000 * width) / 50));
      },
    ),
    { numRuns: cases(10) },
  );
});
