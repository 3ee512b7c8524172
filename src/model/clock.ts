/** Time as an argument: what reads the clock or waits is given one. */
export interface Clock {
  /** Milliseconds since 1970, as the wall shows it; it may jump. */
  now(): number;
  /** Milliseconds since some start; it never goes back. */
  elapsed(): number;
  /** Resolves after that long, for 0 after everything that is ready now; rejects with the signal's reason when aborted. */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
}

/** A number from 0 up to, not including, 1. */
export type Random = () => number;
