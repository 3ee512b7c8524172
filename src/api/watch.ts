import type { Call } from "../model/call.js";
import type { Retry } from "./retrying.js";

/** Sees every call of a client. Nothing that it does changes how a call ends. */
export interface CallWatch {
  readonly begin: (call: Call) => WatchedCall;
}

/** One call that is watched. */
export interface WatchedCall {
  /** What each of its requests carries in addition. */
  readonly headers: Readonly<Record<string, string>>;
  /** A request ended: with the status of its reply, or null without one. */
  readonly attempted: (status: number | null) => void;
  readonly retried: (retry: Retry) => void;
  readonly ended: (status: number | null) => void;
}
