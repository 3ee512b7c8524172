import fc from "fast-check";
import { expect, test } from "vitest";
import { makeWindow } from "../../../src/api/pace/window.js";
import { fixedWindow, type Service, slidingWindow } from "../../fakes/service.js";

/** Asks a service so often each second; after a refusal it waits as long as the service says, if it does. */
function ask(service: Service, perSecond: number, from: number, until: number) {
  const window = makeWindow();
  for (let now = from; now < until; now += 1000 / perSecond) {
    window.start(now);
    const { status, wait } = service.decide(now, Math.random, "read");
    if (status < 429) continue;
    const held = wait === null ? null : now + Number(wait) * 1000;
    window.refused({ started: now, held, perSecond, since: from });
    now = held ?? now;
  }
  return window.shown();
}

test("whatever window a service counts in, four show what it allows, or what two windows in a row do", () => {
  fc.assert(
    fc.property(
      fc.constantFrom(fixedWindow, slidingWindow),
      fc.constantFrom(1, 10, 60),
      fc.integer({ min: 8, max: 300 }),
      fc.double({ min: 1.3, max: 3, noNaN: true }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (makeService, seconds, count, faster, phase) => {
        const perSecond = count / seconds;
        const from = phase * seconds * 1000;
        // A pause of whole seconds would hide what a window of one second allows.
        const service = makeService(count, seconds, seconds > 1);
        const shown = ask(service, faster * perSecond, from, from + (4 * seconds + 4) * 1000);
        expect(shown?.perSecond).toBeGreaterThan(0.95 * perSecond);
        expect(shown?.perSecond).toBeLessThan(2.01 * perSecond + 1 / seconds);
      },
    ),
    { numRuns: 50 },
  );
});

test("refusals of what comes as slowly as the window allows disprove it", () => {
  const window = makeWindow();
  const refuse = (started: number, perSecond: number, since: number) =>
    window.refused({ started, held: null, perSecond, since });
  let now = 0;
  for (const until of [1_000, 3_000]) {
    for (; now < until; now += 50) window.start(now);
    refuse(now - 50, 20, 0);
    now += 1_000;
  }
  expect(window.shown()).toEqual({ perSecond: 19, length: 1_000 });
  const since = now;
  for (; now < since + 5_000; now += 100) window.start(now);
  refuse(now - 100, 10, since);
  expect(window.shown()).toBeNull();
});

test("a service that refuses for longer than a second does not count in seconds", () => {
  const shown = ask(fixedWindow(100, 60, true), 50, 0, 300_000);
  expect(shown).toEqual({ perSecond: 100 / 60, length: 60_000 });
});
