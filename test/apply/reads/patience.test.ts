import { describe, expect, it } from "vitest";
import { patienceLeft, readPatiently } from "../../../src/apply/reads/patience.js";
import { PROMPT } from "../../../src/state/store.js";
import { fakeClock } from "../../fakes/clock.js";

/** Looks at a service that is done after so many looks. */
function lookAt(doneAfter: number) {
  let looks = 0;
  return { look: async () => ++looks > doneAfter, looks: () => looks };
}

const isOpen = (isDone: boolean) => !isDone;

describe("looking at what may still come", () => {
  it("ends with the look that shows it", async () => {
    const clock = fakeClock();
    const service = lookAt(2);
    expect(await readPatiently(service.look, isOpen, () => 30_000, { clock, pause: clock.sleep })).toBe(true);
    expect(clock.slept).toEqual([250, 500]);
  });

  it("ends with a look after the time is over", async () => {
    const clock = fakeClock();
    const service = lookAt(100);
    expect(await readPatiently(service.look, isOpen, () => 2_500, { clock, pause: clock.sleep })).toBe(false);
    expect(clock.slept).toEqual([250, 500, 1_000, 750]);
    expect(service.looks()).toBe(5);
  });

  it("waits longer after each look, up to four seconds", async () => {
    const clock = fakeClock();
    await readPatiently(lookAt(100).look, isOpen, () => 30_000, { clock, pause: clock.sleep });
    expect(clock.slept).toEqual([250, 500, 1_000, 2_000, 4_000, 4_000, 4_000, 4_000, 4_000, 4_000, 2_250]);
  });

  it("looks once where no time is left", async () => {
    const clock = fakeClock();
    const service = lookAt(100);
    await readPatiently(service.look, isOpen, () => 0, { clock, pause: clock.sleep });
    expect(service.looks()).toBe(1);
    expect(clock.slept).toEqual([]);
  });
});

describe("what is left of the patience", () => {
  const now = Date.parse("2026-01-01T00:01:00Z");

  it.each([
    ["an intent of just now", "2026-01-01T00:01:00.000Z", 34_000],
    ["one of ten seconds ago", "2026-01-01T00:00:50.000Z", 24_000],
    ["one of yesterday", "2025-12-31T00:00:00.000Z", 0],
    ["one of tomorrow, by a clock that jumped", "2026-01-02T00:00:00.000Z", 34_000],
    ["one of an unknown time", null, 34_000],
    ["one of what is not a time", "soon", 34_000],
  ])("of %s", (_, sentAt, left) => {
    expect(patienceLeft(sentAt, now, { milliseconds: 30_000, horizon: PROMPT.horizon })).toBe(left);
  });
});
