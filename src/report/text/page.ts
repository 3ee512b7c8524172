import type { Paint } from "./paint.js";

/** The page that text is laid out on: its columns, and its colours. */
export interface Page {
  /** Infinity if lines are not wrapped. */
  readonly columns: number;
  readonly paint: Paint;
}
