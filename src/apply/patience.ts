import type { Clock } from "../model/clock.js";

/** How long a service may still work on a request after remit has stopped waiting for it. */
export interface Patience {
  readonly clock: Clock;
  /** Milliseconds from when it was sent: as long as a reply is waited for. */
  readonly milliseconds: number;
}

/** A request leaves at most this long after its intent was recorded, or was recorded anew. */
export const LEAVES_WITHIN = 2_000;

/** Between two looks. */
const PAUSE = 1_000;

/**
 * Looks until what was seen leaves nothing open, or until the service cannot be at work on the request any more:
 * what is not there by then will not come. The last look is after the end.
 */
export async function lookPatiently<T>(
  look: () => Promise<T>,
  isOpen: (seen: T) => boolean,
  remaining: number,
  { clock }: Pick<Patience, "clock">,
): Promise<T> {
  const end = clock.elapsed() + remaining;
  for (;;) {
    const left = end - clock.elapsed();
    const seen = await look();
    if (left <= 0 || !isOpen(seen)) return seen;
    await clock.sleep(Math.min(left, PAUSE));
  }
}

/**
 * How much of the patience is left for what was intended at that time of the wall clock; a clock that jumped costs at
 * most all of it.
 */
export function patienceLeft(intendedAt: string, { clock, milliseconds }: Patience): number {
  const whole = LEAVES_WITHIN + milliseconds;
  const left = Date.parse(intendedAt) + whole - clock.now();
  return Math.min(Math.max(0, left), whole);
}
