import { describe, expect, test } from "vitest";
import type { Clock } from "../../../../src/model/clock.js";
import { makePace } from "../../../../src/tenant/client/pace/pace.js";
import { backoff } from "../../../../src/tenant/client/retry.js";
import { makeBucket } from "../../../fakes/bucket.js";
import { fakeClock, virtualClock } from "../../../fakes/clock.js";

const refusal = (started: number, wait: number | null = null, status = 503) => ({ status, started, wait });

test("without refusals it never waits, and reports no lost time", async () => {
  const clock = fakeClock();
  const pace = makePace({ width: 4, clock });
  for (let call = 0; call < 1000; call += 1) {
    await pace.limit(() => pace.admit());
    pace.answered(clock.elapsed());
  }
  expect(clock.slept).toEqual([]);
  expect(pace.report()).toEqual({
    throttled: 0,
    refusals: 0,
    width: 4,
    widest: 4,
    narrowest: 4,
    perSecond: null,
  });
});

test("no more units of work are under way than the width", async () => {
  const pace = makePace({ width: 3, clock: fakeClock() });
  let under = 0;
  let most = 0;
  const work = async () => {
    under += 1;
    most = Math.max(most, under);
    await Promise.resolve();
    under -= 1;
  };
  await Promise.all(Array.from({ length: 20 }, () => pace.limit(work)));
  expect(most).toBe(3);
});

test("a series of 503 halves the width, and answers widen it again one by one", async () => {
  const clock = fakeClock();
  const pace = makePace({ width: 8, clock });
  const widths = new Set<number>();
  pace.watch(({ width }) => widths.add(width));
  for (let refused = 0; refused < 8; refused += 1) {
    clock.advance(100);
    pace.refused(refusal(clock.elapsed()));
  }
  const { narrowest } = pace.report();
  expect(narrowest).toBeLessThanOrEqual(4);
  for (let answer = 0; answer < 1 + 2 + 3 + 4 + 5 + 6 + 7; answer += 1) pace.answered(clock.elapsed());
  expect([...widths]).toEqual([8, 4, 5, 6, 7]);
  expect(pace.report()).toMatchObject({ refusals: 8, width: 8 });
});

test("one refusal changes neither the width nor the rate", async () => {
  const clock = fakeClock();
  const pace = makePace({ width: 8, clock });
  pace.refused(refusal(clock.elapsed(), null, 429));
  expect(pace.report()).toMatchObject({ width: 8, refusals: 1 });
  await Promise.all([pace.admit(), pace.admit()]);
  expect(clock.slept).toEqual([]);
});

test("Retry-After stops all calls until then, and a shorter one does not shorten it", async () => {
  const clock = virtualClock();
  const pace = makePace({ width: 4, clock });
  pace.refused(refusal(clock.elapsed(), 5_000));
  pace.refused(refusal(clock.elapsed(), 1_000));
  const asks = async () => {
    const started = await pace.admit();
    pace.answered(started);
    return started;
  };
  const left = await clock.run(Promise.all([asks(), asks(), asks()]));
  expect(left[0]).toBe(5_000);
  expect(Math.max(...left)).toBeLessThan(5_200);
  expect(pace.report().throttled).toBe(Math.max(...left));
});

test("a call that waits already waits for a later Retry-After, too", async () => {
  const clock = virtualClock();
  const pace = makePace({ width: 4, clock });
  pace.refused(refusal(clock.elapsed(), 1_000));
  const waiting = pace.admit();
  pace.refused(refusal(clock.elapsed(), 3_000));
  expect(await clock.run(waiting)).toBe(3_000);
});

test("a wait ends when its signal aborts", async () => {
  const clock = virtualClock();
  const pace = makePace({ width: 4, clock });
  const stop = new AbortController();
  pace.refused(refusal(clock.elapsed(), 5_000));
  const waiting = pace.admit(stop.signal);
  stop.abort(new Error("stop"));
  await expect(waiting).rejects.toThrow("stop");
});

test("listeners hear of a stop with its length, until they leave", () => {
  const clock = fakeClock();
  const pace = makePace({ width: 2, clock });
  const heard: unknown[] = [];
  const leave = pace.watch((change) => heard.push(change));
  pace.refused(refusal(clock.elapsed(), 2_000));
  leave();
  clock.advance(1);
  pace.refused(refusal(clock.elapsed(), 2_000));
  expect(heard).toEqual([{ width: 1, milliseconds: 2_000 }]);
});

/** Runs calls against a service; latency is split around the moment the service decides. */
async function load(
  clock: Clock,
  options: {
    readonly calls: number;
    readonly width: number;
    readonly latency: number;
    readonly wait: number | null;
  },
  decide: () => boolean,
  pace = makePace({ width: options.width, clock }),
) {
  let seed = 7;
  const random = () => {
    seed = (seed * 1103515245 + 12345) % 2 ** 31;
    return seed / 2 ** 31;
  };
  const call = async () => {
    for (let attempt = 1; ; attempt += 1) {
      const started = await pace.admit();
      await clock.sleep(options.latency / 2);
      const good = decide();
      await clock.sleep(options.latency / 2);
      if (good) return pace.answered(clock.elapsed());
      pace.refused({ status: 429, started, wait: options.wait });
      await clock.sleep(backoff(attempt, random));
    }
  };
  await Promise.all(Array.from({ length: options.calls }, () => pace.limit(call)));
  return { seconds: clock.elapsed() / 1000, ...pace.report() };
}

describe("time in which nothing was asked is not held against the service", () => {
  const asked = { calls: 100, width: 10, latency: 2, wait: 1_000 };

  test.each([0, 1_000, 30_000, 3_600_000])("%i ms before the first call", async (idle) => {
    const clock = virtualClock();
    const bucket = makeBucket(clock, 10, 5);
    const { seconds } = await clock.run(clock.sleep(idle).then(() => load(clock, asked, bucket.take)));
    expect(seconds - idle / 1000).toBeLessThan(17);
  });

  test("a minute at a prompt, between reading and writing", async () => {
    const clock = virtualClock();
    const bucket = makeBucket(clock, 10, 5);
    const pace = makePace({ width: 10, clock });
    const begin = async () => {
      for (let call = 0; call < 5; call += 1) {
        await pace.admit();
        if (bucket.take()) pace.answered(clock.elapsed());
      }
      await clock.sleep(60_000);
      return load(clock, asked, bucket.take, pace);
    };
    const { seconds } = await clock.run(begin());
    expect(seconds - 60).toBeLessThan(17);
  });
});

describe("of a token bucket it uses 0.85, and less than 6 % of the calls are refused, in a run of seconds", () => {
  // A latency of 0.1 ms is that of a service on this machine; with less than that, no time passes at all.
  test.each<
    [calls: number, rate: number, capacity: number, latency: number, width: number, wait: number | null]
  >([
    [2_000, 100, 100, 0.1, 10, null],
    [2_000, 100, 100, 0.1, 10, 1_000],
    [2_000, 100, 100, 0.1, 50, null],
    [2_000, 100, 100, 0.1, 1, null],
    [2_000, 100, 100, 20, 10, null],
    [2_000, 100, 100, 20, 10, 1_000],
    [4_000, 100, 100, 200, 50, null],
    [4_000, 100, 100, 200, 50, 1_000],
    [4_000, 100, 10, 0.1, 10, null],
    [8_000, 100, 10, 0.1, 10, 1_000],
    [4_000, 100, 1_000, 0.1, 10, null],
    [4_000, 20, 20, 0.1, 10, null],
    [8_000, 1_000, 100, 0.1, 10, null],
  ])(
    "%i calls, %i/s of at most %i, %f ms, width %i, Retry-After %s",
    async (calls, rate, capacity, latency, width, wait) => {
      const clock = virtualClock();
      const bucket = makeBucket(clock, rate, capacity);
      const { seconds } = await clock.run(load(clock, { calls, width, latency, wait }, bucket.take));
      expect((calls - capacity) / rate / seconds).toBeGreaterThanOrEqual(0.85);
      expect(bucket.refused()).toBeLessThan(0.06);
    },
  );
});

test("refusals by chance, one call in fifty, do not make it space its calls", async () => {
  const clock = virtualClock();
  let asked = 0;
  const decide = () => {
    asked += 1;
    return asked % 50 !== 0;
  };
  const { seconds } = await clock.run(
    load(clock, { calls: 5_000, width: 10, latency: 10, wait: null }, decide),
  );
  expect(5_000 / seconds).toBeGreaterThan(400);
});

test("a limit that is raised is found", async () => {
  const clock = virtualClock();
  const tight = makeBucket(clock, 50, 50);
  const wide = makeBucket(clock, 500, 500);
  const { seconds } = await clock.run(
    load(clock, { calls: 20_000, width: 10, latency: 1, wait: null }, () =>
      (clock.elapsed() < 20_000 ? tight : wide).take(),
    ),
  );
  expect(seconds).toBeLessThan(20 + (19_000 / 500) * 1.5);
});
