import { expect, test } from "vitest";
import { makeLimit, type TokenBucket } from "../../../src/api/pace/limit.js";

/** Sends requests to a token bucket at a rate that grows until one is refused, and again after a pause. */
function refusals(rate: number, stored: number, pause: number, times: number) {
  const limit = makeLimit();
  const shown: (TokenBucket | null)[] = [];
  let [now, last, tokens, pace] = [0, 0, stored, 1.6 * rate];
  while (shown.length < times) {
    tokens = Math.min(stored, tokens + ((now - last) * rate) / 1000);
    last = now;
    limit.start(now);
    if (tokens < 0.999) {
      limit.refused(now);
      shown.push(limit.explain(now));
      now += pause;
      pace = 0.9 * rate;
    } else tokens -= 1;
    pace *= 1.001;
    now += 1000 / pace;
  }
  return shown;
}

test.each(
  [5, 100, 1000].flatMap((rate) =>
    [1, 20, 200].flatMap((stored) => [0, 1_000].map((pause) => [rate, stored, pause])),
  ),
)(
  "%i/s, %i stored: three refusals show the bucket, with pauses of %i ms",
  (rate = 0, stored = 0, pause = 0) => {
    const bucket = refusals(rate, stored, pause, 3).at(-1);
    expect(bucket?.least).toBeGreaterThan(0.9 * rate);
    expect(bucket?.least).toBeLessThanOrEqual(1.001 * rate);
    expect(bucket?.most).toBeGreaterThanOrEqual(0.999 * rate);
    expect(bucket?.most).toBeLessThan(1.1 * rate);
  },
);

test("a first refusal does not show how much of what was let through had been stored", () => {
  const [bucket] = refusals(100, 20, 0, 1);
  expect(bucket?.least).toBeLessThan(1);
  expect(bucket?.most).toBeLessThan(200);
});

test("a service that refuses after a rest and not in a hurry is explained by no bucket", () => {
  const limit = makeLimit();
  for (let second = 0; second < 20; second += 1) {
    limit.start(second * 1_000);
    limit.refused(second * 1_000);
    for (let call = 1; call < 20; call += 1) limit.start(second * 1_000 + call);
  }
  limit.start(20_000);
  limit.refused(20_000);
  expect(limit.explain(20_000)).toBeNull();
});

test("a bucket that changed is known again from what came after", () => {
  const limit = makeLimit();
  let [tokens, last, shown] = [10, 0, null as TokenBucket | null];
  for (let now = 0; now < 40_000; now += now < 20_000 ? 9.8 : 19.2) {
    const rate = now < 20_000 ? 100 : 50;
    tokens = Math.min(10, tokens + ((now - last) * rate) / 1000);
    last = now;
    limit.start(now);
    if (tokens >= 1) tokens -= 1;
    else {
      limit.refused(now);
      shown = limit.explain(now) ?? shown;
    }
  }
  expect(shown?.least).toBeGreaterThan(45);
  expect(shown?.most).toBeLessThan(55);
});
