/** The bounds of what remit reads, so that no service can fill its memory or hold it forever. */
export interface Bounds {
  /** Bytes of one reply, inflated. */
  readonly reply: number;
  /** Rows of one list. */
  readonly rows: number;
  /** Pages of one list. */
  readonly pages: number;
  /** Milliseconds for a whole list. */
  readonly time: number;
}

/** The bounds where the settings name no others. */
export const DEFAULT_BOUNDS: Bounds = {
  reply: 32 * 1024 * 1024,
  rows: 2_000_000,
  pages: 50_000,
  time: 30 * 60_000,
};

/** So many empty pages in a row show that a list does not end. */
export const EMPTY_PAGES = 20;
