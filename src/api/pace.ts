/** What the governor did so far. */
export interface PaceReport {
  /** Milliseconds during which all calls were held back at the service's wish. */
  readonly throttled: number;
  /** Replies that asked to slow down. */
  readonly refusals: number;
  /** How many calls may be under way now, and the least it has been. */
  readonly width: number;
  readonly narrowest: number;
}

/** One governor for all calls of a run: it bounds how many units of work are under way, between 1 and the given width. */
export interface Pace {
  /** Runs a unit of work when there is room for it; the outermost unit only, never one inside another. */
  limit<T>(work: () => Promise<T>): Promise<T>;
  report(): PaceReport;
}
