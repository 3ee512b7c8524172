import type { Plan } from "./plan.js";
import type { Step } from "./step.js";

// What one call takes when nothing is known of the service's pace.
const SECONDS_PER_CALL = 0.25;

/** The calls an apply will make, per kind; kinds in the order of their names. */
export function callsAhead(steps: readonly Step[]): Readonly<Record<string, number>> {
  const counts = new Map<string, number>();
  for (const { address, calls } of steps) {
    if (calls.length > 0) counts.set(address.kind, (counts.get(address.kind) ?? 0) + calls.length);
  }
  return inOrder(Object.fromEntries(counts));
}

/** How long an apply takes at that width, in whole seconds. */
export function estimate(ahead: Readonly<Record<string, number>>, width: number): Plan["estimate"] {
  const calls = Object.values(ahead).reduce((sum, count) => sum + count, 0);
  return { seconds: Math.ceil((calls * SECONDS_PER_CALL) / width), width };
}

/** The same record with its names in order, whichever came first. */
export function inOrder<T>(record: Readonly<Record<string, T>>): Readonly<Record<string, T>> {
  return Object.fromEntries(Object.entries(record).sort(([one], [other]) => (one < other ? -1 : 1)));
}
