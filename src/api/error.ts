import type { Call } from "../model/call.js";

/** How far a failed call got: the first question of whether it may be sent again. */
export type Progress = "never sent" | "no reply" | "replied";

/** A call that did not get a good reply; carries no secret, and no body of the request. */
export class ApiError extends Error {
  readonly call: Pick<Call, "method" | "path" | "effect">;
  readonly progress: Progress;
  /** The HTTP status; null when no reply came. */
  readonly status: number | null;
  /** The service's own code in the body of its error, as gRPC counts them; null where it gave none. */
  readonly code: number | null;
  /** The service's own words; null where it gave none. */
  readonly words: string | null;
  readonly requestId: string | null;
  readonly attempts: number;
  /** Whether the reply had the service's own error form: a 404 that has not comes from a server without that path. */
  readonly own: boolean;

  constructor(
    message: string,
    facts: Pick<
      ApiError,
      "call" | "progress" | "status" | "code" | "words" | "requestId" | "attempts" | "own"
    >,
    options?: { readonly cause?: unknown },
  ) {
    super(message, options);
    this.name = "ApiError";
    this.call = facts.call;
    this.progress = facts.progress;
    this.status = facts.status;
    this.code = facts.code;
    this.words = facts.words;
    this.requestId = facts.requestId;
    this.attempts = facts.attempts;
    this.own = facts.own;
  }
}
