/** The attributes of a span. Only these exist, so no address, no id and no text of the service can be among them. */
type Attribute =
  | "remit.command"
  | "remit.exit_code"
  | "remit.step.kind"
  | "remit.step.action"
  | "remit.step.outcome"
  | "remit.wait_ms"
  | "remit.calls.left_out"
  | "http.request.method"
  | "remit.operation"
  | "http.response.status_code"
  | "http.request.resend_count";

/** The values of attributes. */
export type Attributes = Readonly<Partial<Record<Attribute, string | number>>>;

/** Something that happened during a span. */
export interface TraceEvent {
  readonly name: "retry" | "waited" | "throttled" | "interrupted";
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly attributes: Attributes;
}

/** A part of a run, and when it took place, in milliseconds since 1970. */
export interface TraceSpan {
  readonly id: string;
  readonly parent: string | null;
  readonly name: string;
  readonly isCall: boolean;
  readonly start: number;
  readonly end: number;
  readonly attributes: Attributes;
  readonly events: readonly TraceEvent[];
  readonly hasFailed: boolean;
}
