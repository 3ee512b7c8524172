import type { Event } from "../apply/event.js";
import { type Address, formatAddress } from "../model/address.js";
import type { Call } from "../model/call.js";
import type { Clock, Random } from "../model/clock.js";
import type { Action } from "../plan/step.js";
import type { Retry } from "../tenant/client/retrying.js";
import type { WatchedCall } from "../tenant/client/watch.js";
import type { Figures } from "./figures.js";
import {
  type Attributes,
  newId,
  type TraceContext,
  type TraceEvent,
  type TraceSpan,
  traceparentOf,
} from "./trace.js";

/** The spans and the figures of the calls of a run. */
interface CallSpans {
  /** A call begins, below a span. */
  readonly begin: (call: Call, parent: string) => WatchedCall;
  /** How many calls have no span. */
  readonly leftOut: () => number;
}

/** The most spans of calls in one trace; the figures count all of them. */
const MOST_CALLS = 5_000;

/** The spans of the steps of an apply. A step begins with what is read for it, before its turn to write comes. */
interface StepSpans {
  /** The span that the calls of a step are below. */
  readonly of: (address: Address) => string;
  readonly started: (address: Address, action: Action) => void;
  /** Gives the span of a step; null for one that was not started. */
  readonly finished: (event: Extract<Event, { readonly type: "step finished" }>) => TraceSpan | null;
  /** Ends those that are open, so that no call is below a span that is nowhere. */
  readonly left: () => readonly TraceSpan[];
}

interface Begun extends Pick<TraceSpan, "id" | "parent" | "start"> {
  readonly address: Address;
  readonly action: Action | null;
}

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

/** No step has begun yet; `parentNow` gives the span that one which begins now is below. */
export function makeStepSpans(
  newSpan: () => string,
  now: () => number,
  parentNow: () => string | null,
): StepSpans {
  const open = new Map<string, Begun>();

  function begun(address: Address): Begun {
    const name = formatAddress(address);
    const known = open.get(name);
    if (known !== undefined) return known;
    const made = { id: newSpan(), parent: parentNow(), start: now(), address, action: null };
    open.set(name, made);
    return made;
  }

  return {
    of: (address) => begun(address).id,
    started(address, action) {
      open.set(formatAddress(address), { ...begun(address), action });
    },
    finished({ address, action, outcome }) {
      const name = formatAddress(address);
      const step = open.get(name);
      if (step === undefined) return null;
      open.delete(name);
      const hasFailed = outcome === "failed" || outcome === "uncertain" || outcome === "refused";
      return spanOf({ ...step, action }, now(), { "remit.step.outcome": outcome }, hasFailed);
    },
    left() {
      const spans = [...open.values()].map((step) => spanOf(step, now(), {}, true));
      open.clear();
      return spans;
    },
  };
}

function spanOf(
  { id, parent, start, address: { kind }, action }: Begun,
  end: number,
  ended: TraceSpan["attributes"],
  hasFailed: boolean,
): TraceSpan {
  const acted = action === null ? {} : { "remit.step.action": action };
  const name = action === null ? kind : `${action} ${kind}`;
  const attributes = { "remit.step.kind": kind, ...acted, ...ended };
  return { id, parent, name, isCall: false, start, end, attributes, events: [], hasFailed };
}
