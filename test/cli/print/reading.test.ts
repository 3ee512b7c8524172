import { expect, it } from "vitest";
import { showReading } from "../../../src/cli/print/reading.js";
import { processWorld } from "../../../src/cli/world/process.js";
import type { PaceChange } from "../../../src/tenant/client/pace/pace.js";
import { fakeClock } from "../../fakes/clock.js";

/** A reading shown on a terminal or in a log, of a service that asks to wait. */
function reading(isTerminal: boolean) {
  const written: string[] = [];
  const clock = fakeClock();
  const stderr = { isTerminal, columns: 80, rows: 24, write: (text: string) => void written.push(text) };
  const listeners = new Set<(change: PaceChange) => void>();
  const pace = {
    watch(listener: (change: PaceChange) => void) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
  const world = { ...processWorld(), stderr, clock, env: {} };
  const tenant = { client: { pace } } as unknown as Parameters<typeof showReading>[2];
  const shown = showReading(world, { quiet: false, verbose: false }, tenant);
  const ask = (milliseconds: number) => {
    for (const listener of listeners) listener({ width: 5, milliseconds });
  };
  return { ...shown, written, clock, ask, listeners };
}

it("says on a terminal that the service asks to wait, and stops listening at the end", () => {
  const { progress, ask, end, written, listeners } = reading(true);
  progress(3, 40);
  ask(200);
  ask(4_200);
  expect(written.at(-1)).toBe("\r\u001b[KReading 3 of 40: waiting 5 s, as the service asks");
  expect(written).toHaveLength(3);
  end();
  expect(listeners.size).toBe(0);
});

it("says at once on a terminal what it waits for, and a log has no line for it", () => {
  expect(reading(true).written).toEqual(["\r\u001b[KReading: waiting for the first reply"]);
  expect(reading(false).written).toEqual([]);
});

it("says so in a log from time to time", () => {
  const { ask, written, clock } = reading(false);
  ask(4_200);
  clock.advance(10_000);
  ask(4_200);
  ask(4_200);
  expect(written).toEqual(["Reading: waiting 5 s, as the service asks\n"]);
});
