import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cases } from "../../../fakes/cases.js";
import { govern, takes } from "../../../fakes/governed.js";
import { LIMITS, longRun } from "../../../fakes/limits.js";
import { bucket, chance } from "../../../fakes/service.js";

describe("whatever limit a service has, a long run uses 0.85 of it, and at most 3 % of the calls are refused", () => {
  it.each(Object.entries(LIMITS))("%s", async (_, limits) => {
    await fc.assert(
      fc.asyncProperty(limits, async (one) => {
        const { used, refused, failed } = await longRun(one);
        expect(used).toBeGreaterThan(0.85);
        expect(refused).toBeLessThan(0.03);
        expect(failed).toBe(0);
      }),
      { numRuns: cases(4, 12) },
    );
  });
});

it("two of a hundred calls that are refused by chance make a run of 200 automations at most 1.5 times as long", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 5, max: 15 }),
      fc.integer({ min: 1, max: 10_000 }),
      async (width, seed) => {
        const run = (share: number) => takes({ service: chance(share), width, seed, objects: 200 });
        expect((await run(0.02)) / (await run(0))).toBeLessThan(1.5);
      },
    ),
    { numRuns: cases(15, 60) },
  );
});

it("calls that are refused by chance, whatever the rate, cost a long run little more than their own retries", async () => {
  const share = fc.double({ min: 0.01, max: 0.1, noNaN: true });
  const width = fc.integer({ min: 5, max: 50 });
  await fc.assert(
    fc.asyncProperty(share, width, fc.integer({ min: 1, max: 10_000 }), async (share, width, seed) => {
      const seconds = 60;
      const { attempts } = await govern({ service: chance(share), width, seconds, calls: "reads", seed });
      const most = ((width * 1000) / 50) * seconds * (1 - share);
      expect(attempts.filter(({ status }) => status < 429).length / most).toBeGreaterThan(0.6);
    }),
    { numRuns: cases(4) },
  );
});

it("a rate that the team names is never exceeded, and is used", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 2, max: 100 }),
      fc.integer({ min: 5, max: 50 }),
      async (rate, width) => {
        const seconds = 30;
        const load = { service: bucket(rate, 2, null), width, seconds, calls: "reads", rate } as const;
        const { attempts } = await govern(load);
        const most = Math.min(rate, (width * 1000) / 50);
        expect(attempts.filter(({ status }) => status >= 429)).toEqual([]);
        expect(attempts.length / seconds).toBeGreaterThan(0.9 * most);
      },
    ),
    { numRuns: cases(6, 20) },
  );
});
