import type { Address } from "../../model/address.js";
import type { Call } from "../../model/call.js";
import type { Retry } from "./retrying.js";

/** Sees every call of a client. Nothing that it does changes how a call ends. */
export interface CallWatch {
  /** A call begins; with the step of an apply that it is made for, where it is for that one alone. */
  readonly begin: (call: Call, step: Address | null) => WatchedCall;
}

/** One call that is watched. */
export interface WatchedCall {
  /** What each of its requests carries in addition. */
  readonly headers: Readonly<Record<string, string>>;
  /** A request is about to leave, after what it waited for: the pace, a token, the state. */
  readonly leaving: () => void;
  /** A request ended: with the status of its reply, or null without one. */
  readonly attempted: (status: number | null) => void;
  readonly retried: (retry: Retry) => void;
  readonly ended: (status: number | null) => void;
}
