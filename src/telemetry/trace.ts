import type { Random } from "../model/clock.js";

/** The trace that a run belongs to, and the span of the pipeline that it is below; null where the run begins a trace. */
export interface TraceContext {
  readonly id: string;
  readonly parent: string | null;
  /** Whether this trace is kept: where the pipeline names one, that decides. */
  readonly isSampled: boolean;
}

const TRACEPARENT = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;

/** The trace of the pipeline, by W3C's `traceparent`; a new one where that is missing or is not one. */
export function traceOf(traceparent: string | undefined, random: Random): TraceContext {
  const [, version, id = "", parent = "", flags = "", more] =
    TRACEPARENT.exec(traceparent?.trim() ?? "") ?? [];
  const isKnown = version !== undefined && version !== "ff" && (version !== "00" || more === undefined);
  if (!isKnown || /^0+$/.test(id) || /^0+$/.test(parent))
    return { id: newId(16, random), parent: null, isSampled: true };
  return { id, parent, isSampled: (Number.parseInt(flags, 16) & 1) === 1 };
}

/** What a call carries, so that the service's own trace is below the call's span. */
export function traceparentOf({ id, isSampled }: TraceContext, span: string): string {
  return `00-${id}-${span}-${isSampled ? "01" : "00"}`;
}

/** A new id of so many bytes, in hex; never all zero, which means none. */
export function newId(bytes: number, random: Random): string {
  const hex = Array.from({ length: bytes }, () =>
    Math.floor(random() * 256)
      .toString(16)
      .padStart(2, "0"),
  );
  const id = hex.join("");
  return /^0+$/.test(id) ? `${id.slice(1)}1` : id;
}

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
