import type { Event } from "../apply/event.js";
import { type Address, formatAddress } from "../model/address.js";
import type { Action } from "../plan/step.js";
import type { TraceSpan } from "./span.js";

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
