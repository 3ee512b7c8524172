import type { Call, Effort, ListEffort, ListPage, Send } from "../model/call.js";
import type { Pace } from "./client/pace/pace.js";

/** What reading needs of a client. */
export interface Remote {
  readonly send: Send;
  /** Every page of a list, in turn. */
  readonly pages: (call: Call, effort?: ListEffort) => AsyncIterable<ListPage>;
  readonly pace: Pace;
  /** Lets the replies that have come be handled. */
  readonly turn?: () => Promise<void>;
}

/** How much a run depends on a read. */
export type Need =
  /** It finds the interface. Its failure ends the run. */
  | "probe"
  /** A plan decides from it. The failure of a list ends the run, that of one object blocks its step. */
  | "required"
  /** It only explains a plan. Its failure is named once and changes nothing. */
  | "optional"
  /** It only makes other reads needless. Nothing is said of its failure. */
  | "sparing";

/** How often a read is tried again, by how much depends on it. */
export const EFFORT = {
  probe: { once: true },
  required: {},
  optional: { retries: 1 },
  sparing: { retries: 1 },
} as const satisfies Readonly<Record<Need, Effort>>;
