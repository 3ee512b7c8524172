import type { Recipient } from "./recipient.js";
import type { Sampler } from "./sampler.js";

/** Where the traces and the figures of a run are sent. */
export interface Collector {
  /** Null where only figures are sent. */
  readonly traces: Recipient | null;
  /** Null where only traces are sent. */
  readonly metrics: Recipient | null;
  readonly sampler: Sampler;
  readonly resource: Readonly<Record<string, string>>;
}
