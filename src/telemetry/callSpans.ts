import type { Call } from "../model/call.js";
import type { Clock, Random } from "../model/clock.js";
import type { Retry } from "../tenant/client/retrying.js";
import type { WatchedCall } from "../tenant/client/watch.js";
import type { Figures } from "./figures.js";
import type { Attributes, TraceEvent, TraceSpan } from "./span.js";
import { newId, type TraceContext, traceparentOf } from "./trace.js";

/** The spans and the figures of the calls of a run. */
interface CallSpans {
  /** A call begins, below a span. */
  readonly begin: (call: Call, parent: string) => WatchedCall;
  /** How many calls have no span. */
  readonly leftOut: () => number;
}

/** The most spans of calls in one trace; the figures count all of them. */
const MOST_CALLS = 5_000;

/** No call was made yet; `keep` takes each span. */
export function makeCallSpans(options: {
  readonly trace: TraceContext;
  readonly random: Random;
  readonly now: Clock["now"];
  readonly figures: Figures;
  readonly keep: (span: TraceSpan) => void;
}): CallSpans {
  const { trace, random, now, figures, keep } = options;
  let calls = 0;

  return {
    begin({ method, operation }, parent) {
      const [id, start] = [newId(8, random), now()];
      const events: TraceEvent[] = [];
      let answer: number | null = null;
      let ready = start;
      return {
        headers: { traceparent: traceparentOf(trace, id) },
        leaving: () => {
          const at = now();
          const waited = Math.round(at - ready);
          if (waited > 0) events.push({ name: "waited", at, attributes: { "remit.wait_ms": waited } });
        },
        attempted: (status: number | null) => {
          answer = status;
          // A renewed token sends it again at once.
          ready = now();
          figures.add("remit_run_calls", 1, {
            method,
            operation,
            answer: status === null ? "none" : String(status),
          });
        },
        retried: ({ attempt, waiting }: Retry) => {
          figures.add("remit_run_retries", 1);
          figures.add("remit_run_waited_seconds", waiting / 1000);
          const attributes: Attributes = {
            "http.request.resend_count": attempt - 1,
            "remit.wait_ms": waiting,
            ...(answer === null ? {} : { "http.response.status_code": answer }),
          };
          events.push({ name: "retry", at: now(), attributes });
          ready = now() + waiting;
        },
        ended: (status: number | null) => {
          calls += 1;
          if (calls > MOST_CALLS) return;
          const attributes: Attributes = {
            "http.request.method": method,
            "remit.operation": operation,
            ...(status === null ? {} : { "http.response.status_code": status }),
          };
          const hasFailed = status === null || status >= 400;
          keep({
            id,
            parent,
            name: operation,
            isCall: true,
            start,
            end: now(),
            attributes,
            events,
            hasFailed,
          });
        },
      };
    },
    leftOut: () => Math.max(0, calls - MOST_CALLS),
  };
}
