import type { Secret } from "../model/secret.js";

/** Where the traces and the figures of a run are sent, and as what. */
export interface Collector {
  /** Each signal is sent below it. */
  readonly url: string;
  readonly headers: Readonly<Record<string, Secret>>;
  /** Milliseconds that sending may take. */
  readonly timeout: number;
  readonly resource: Readonly<Record<string, string>>;
}
