import { describe, expect, test } from "vitest";
import { govern, type Load, type Outcome } from "../../fakes/governed.js";
import { measure, scenarios } from "../../fakes/scenarios.js";
import { bucket, queueing } from "../../fakes/service.js";

const LATENCY = { reads: 50, writes: 70, mixed: 60 };

/** Accepted calls beside what the limit and the width allow, and refused calls after the first five seconds. */
function figures(outcome: Outcome, limit: number, { width, calls, seconds }: Load) {
  const most = Math.min(limit, (width * 1000) / LATENCY[calls]);
  const late = outcome.attempts.filter(({ at }) => at > 5_000);
  const accepted = outcome.attempts.filter(({ status }) => status < 429).length;
  return {
    used: accepted / (most * seconds),
    refused: late.filter(({ status }) => status >= 429).length / Math.max(1, late.length),
  };
}

test.each([1, 10, 50])("replies of 404 count as answers like others, %i wide", async (width) => {
  const load = { service: bucket(100, 20, null, 404), width, seconds: 60, calls: "reads" } as const;
  const { used, refused } = figures(await govern(load), 100, load);
  expect(used).toBeGreaterThan(0.85);
  expect(refused).toBeLessThan(0.03);
});

test.each([10, 50])("a limit that halves in mid-run is found again, %i wide", async (width) => {
  const halving = bucket((now) => (now < 60_000 ? 100 : 50), 20, null);
  const load = { service: halving, width, seconds: 120, calls: "mixed" } as const;
  const { used, refused } = figures(await govern(load), 75, load);
  expect(used).toBeGreaterThan(0.85);
  expect(refused).toBeLessThan(0.03);
});

test.each([1, 10, 50])(
  "five seconds after a second of refusals the pace is as before, %i wide",
  async (width) => {
    const service = bucket(0, 0, null);
    const burst = {
      ...service,
      decide: (now: number) => ({ status: now > 10_000 && now < 11_000 ? 429 : 200, wait: null }),
    };
    const { attempts } = await govern({ service: burst, width, seconds: 30, calls: "mixed" });
    const accepted = (from: number, to: number) =>
      attempts.filter(({ at, status }) => status < 429 && at >= from && at < to).length;
    expect(accepted(16_000, 26_000)).toBeGreaterThan(0.9 * accepted(0, 10_000));
  },
);

describe("where the service works on fewer calls at once than the width, nothing is lost", () => {
  test.each([
    [5, 10],
    [10, 50],
    [20, 50],
    [50, 50],
  ])("%i places, %i wide", async (places, width) => {
    const load = { service: queueing(places, 50), width, seconds: 60, calls: "mixed" } as const;
    const { attempts, narrowest } = await govern(load);
    expect(narrowest).toBe(width);
    expect(attempts.length).toBeGreaterThan(0.95 * Math.min(places / 50, width / 60) * 60_000);
  });
});

/** Of the scenarios of `bench/governor.mjs`, for a minute or two: the least share that is used, and the most that is refused. */
test.each([
  ["100 each 1 s, fixed, no Retry-After, 50 wide", 60, 0.85, 0.03],
  ["100 each 10 s, sliding, no Retry-After, 10 wide", 500, 0.85, 0.04],
  ["only writes have a limit, 20/s, no Retry-After", 60, 0.85, 0.03],
  ["429 for 20 s, no Retry-After, later, 10 wide", 130, 0.95, 1],
  ["503 for 20 s, Retry-After 1, later, 10 wide", 130, 0.95, 1],
])("%s", async (name, seconds, used, refused) => {
  const found = scenarios().filter((one) => one.name === name);
  for (const { load, ...scenario } of found) {
    const measured = await measure({ ...scenario, load: { ...load, seconds } });
    expect(measured.used).toBeGreaterThan(used);
    expect(measured.refused).toBeLessThan(refused);
  }
  expect(found).toHaveLength(1);
});
