import { type Call, formatCallPath } from "../../model/call.js";
import type { Json } from "../../model/json.js";
import { endingOf } from "./retry.js";

/** How far a failed call got; this decides first whether remit may send it again. */
export type SendProgress = "never sent" | "no reply" | "replied";

/** What is left to do about a failed call: find out by reading whether it took effect, or nothing. */
type NextMove = "find out" | "stop";

/** What went wrong, as far as a caller decides by it; a message is never read for that. */
export type FaultKind =
  /** The service refused in its own error form. */
  | "own"
  /** The server has no such path: 405, 501, or a 404 that is not in the service's own error form. */
  | "unknown route"
  /** Something else answered with a web page. */
  | "web page"
  /** Another status without the service's own error form. */
  | "foreign"
  | "redirect"
  /** JSON that is not the expected reply. */
  | "other envelope"
  | "malformed"
  /** A bound of a read was exceeded. */
  | "too much"
  | "timeout"
  | "reset"
  | "never sent"
  /** No server listens at the address, or no machine has the name. */
  | "not there"
  | "untrusted";

/** What is known of a failure; the error carries each by its name. */
export interface Failure {
  readonly call: Pick<Call, "operation" | "method" | "path" | "effect">;
  readonly progress: SendProgress;
  readonly next: NextMove;
  /** The HTTP status; null when no reply came. */
  readonly status: number | null;
  /** The service's own code in the body of its error, as gRPC counts them; null where it gave none. */
  readonly code: number | null;
  /** The service's own message; null where it gave none. */
  readonly words: string | null;
  readonly requestId: string | null;
  readonly attempts: number;
  /** Whether the reply had the service's own error form: a 404 that has not comes from a server without that path. */
  readonly own: boolean;
  readonly fault: FaultKind;
  /** The JSON of a good status that is not the expected reply. */
  readonly body?: Json;
}

/** A call that did not get a good reply; carries no secret, no header and no body of the request. */
export class ApiError extends Error implements Failure {
  readonly call: Failure["call"];
  readonly progress: SendProgress;
  readonly next: NextMove;
  readonly status: number | null;
  readonly code: number | null;
  readonly words: string | null;
  readonly requestId: string | null;
  readonly attempts: number;
  readonly own: boolean;
  readonly fault: FaultKind;
  readonly body?: Json;
  /** Whether the service itself has not refused: no reply came, something on the way replied, or the service gave up. */
  readonly isUnanswered: boolean;
  /** Whether the service refused a create because its object exists. */
  readonly isConflict: boolean;

  /** `problem` says what went wrong in one clause; the call is named before it. */
  constructor(problem: string, failure: Failure) {
    super(`${failure.call.method} ${formatCallPath(failure.call)}: ${problem}`);
    this.name = "ApiError";
    const { operation, method, path, effect } = failure.call;
    this.call = { operation, method, path, effect };
    this.progress = failure.progress;
    this.next = failure.next;
    this.status = failure.status;
    this.code = failure.code;
    this.words = failure.words;
    this.requestId = failure.requestId;
    this.attempts = failure.attempts;
    this.own = failure.own;
    this.fault = failure.fault;
    const ending = failure.status === null ? null : endingOf(failure.status, failure.code);
    this.isUnanswered =
      failure.progress === "no reply" ||
      failure.fault === "malformed" ||
      ending === "unavailable" ||
      ending === "aborted";
    // A 409 without a code of the service is a conflict as well.
    this.isConflict = failure.status === 409 && ending !== "aborted";
    if (failure.body !== undefined) this.body = failure.body;
  }
}

/** What a failure without a reply has of a reply. */
export const NO_REPLY = {
  status: null,
  code: null,
  words: null,
  requestId: null,
  own: false,
  fault: "never sent",
} as const;

/** The error of a call that this program would not send. */
export function unsendable(call: Failure["call"], problem: string): ApiError {
  const facts = { call, progress: "never sent", next: "stop", attempts: 0 } as const;
  return new ApiError(`not sent, ${problem}`, { ...NO_REPLY, ...facts });
}

/** The error of a good reply whose content cannot be used; it carries nothing of the reply. */
export function unusable(call: Failure["call"], problem: string): ApiError {
  const facts = { call, progress: "replied", next: "stop", attempts: 1, fault: "other envelope" } as const;
  return new ApiError(problem, { ...NO_REPLY, ...facts, status: 200 });
}
