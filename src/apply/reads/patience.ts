import type { Clock } from "../../model/clock.js";
import { INACCURACY } from "../../tenant/madeBy.js";

/** How long a service may still work on a request after remit has stopped waiting for it. */
export interface Patience {
  readonly clock: Clock;
  /** Milliseconds from when it was sent: as long as a reply is waited for. */
  readonly milliseconds: number;
  /** Milliseconds for which lists may not show a new object: where names repeat, nothing else shows it. */
  readonly createLag: number;
  /** Milliseconds from when its intent was written to when it was sent, at most. */
  readonly horizon: number;
}

/** Between two reads: each pause is twice as long as the one before. */
const PAUSE = { first: 250, longest: 4_000 };

/** How time passes between two reads. */
interface Pausing {
  readonly clock: Clock;
  readonly pause: (milliseconds: number) => Promise<void>;
}

/**
 * Reads until what was seen leaves nothing open, or until the service cannot be at work on the request any more:
 * what is not there by then will not come. `remaining` is asked after the first read. The last read is after the end.
 */
export async function readPatiently<T>(
  read: () => Promise<T>,
  isOpen: (seen: T) => boolean,
  remaining: () => number,
  { clock, pause }: Pausing,
): Promise<T> {
  let end: number | null = null;
  for (let length = PAUSE.first; ; length = Math.min(2 * length, PAUSE.longest)) {
    const began = clock.elapsed();
    const seen = await read();
    end ??= clock.elapsed() + remaining();
    if (began >= end || !isOpen(seen)) return seen;
    await pause(Math.min(Math.max(0, end - clock.elapsed()), length));
  }
}

/**
 * How much of the patience is left for what was intended at that time, both by the service's clock. The whole patience
 * is left where the time was not recorded, is not a time, or lies in the future.
 */
export function patienceLeft(
  intendedAt: string | null,
  now: number,
  { milliseconds, horizon }: Pick<Patience, "milliseconds" | "horizon">,
): number {
  const whole = horizon + milliseconds + INACCURACY;
  const at = intendedAt === null ? Number.NaN : Date.parse(intendedAt);
  return Number.isNaN(at) ? whole : Math.min(Math.max(0, at + whole - now), whole);
}
