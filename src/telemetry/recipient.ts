import type { Secret } from "../model/secret.js";

/** Where the traces or the figures of a run are sent, and how. */
export interface Recipient {
  readonly url: string;
  readonly headers: Readonly<Record<string, Secret>>;
  /** Milliseconds that sending may take. */
  readonly timeout: number;
  readonly encoding: "json" | "protobuf";
  readonly isCompressed: boolean;
}
