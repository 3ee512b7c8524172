import type { Call, ListEffort, ListPage, Send } from "../model/call.js";
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
