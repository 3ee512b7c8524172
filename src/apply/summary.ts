import { type Address, formatAddress } from "../model/address.js";
import type { Diagnostic } from "../model/diagnostic.js";
import type { Action } from "../plan/step.js";
import type { Event, Outcome } from "./event.js";

/** A step of which there is something to say: it did not end as planned, or has diagnostics. */
export interface NotableStep {
  readonly address: Address;
  readonly action: Action;
  readonly outcome: Outcome;
  /** Whether the tenant was already as the step wants, so that nothing of it was written. */
  readonly isAlreadySo: boolean;
  readonly diagnostics: readonly Diagnostic[];
}

/** What an apply came to. */
export interface Summary {
  readonly run: string;
  readonly steps: number;
  readonly outcomes: Readonly<Record<Outcome, number>>;
  readonly calls: number;
  /** The writes that the service answered. */
  readonly writes: number;
  readonly retries: number;
  /** Milliseconds during which the service's wish to slow down held calls back. */
  readonly throttled: number;
  /** The signal that interrupted it, or null. */
  readonly interrupted: string | null;
  readonly notable: readonly NotableStep[];
}

/** No step has ended yet. */
export const NO_OUTCOMES: Readonly<Record<Outcome, number>> = {
  done: 0,
  failed: 0,
  skipped: 0,
  refused: 0,
  left: 0,
  uncertain: 0,
};

/** Sums up an apply while it runs. */
export interface Summing {
  readonly tell: (event: Event) => void;
  /** The summary of the events so far. */
  readonly read: () => Summary;
}

/** Begins a summary. */
export function makeSummary(): Summing {
  const notable: NotableStep[] = [];
  const outcomes = { ...NO_OUTCOMES };
  let totals = { run: "", steps: 0, calls: 0, writes: 0, retries: 0, throttled: 0 };
  let interrupted: string | null = null;

  function tell(event: Event): void {
    switch (event.type) {
      case "run started":
        totals = { ...totals, run: event.run, steps: event.steps };
        return;
      case "step finished": {
        const { address, action, outcome, diagnostics } = event;
        const isAlreadySo = event.alreadySo === true;
        outcomes[outcome] += 1;
        if (outcome !== "done" || isAlreadySo || diagnostics.length > 0)
          notable.push({ address, action, outcome, isAlreadySo, diagnostics });
        return;
      }
      case "looked again": {
        const { address, action, outcome, diagnostics } = event;
        const name = formatAddress(address);
        const place = notable.findIndex((step) => formatAddress(step.address) === name);
        const [before] = place < 0 ? [] : notable.splice(place, 1);
        const ended = before?.outcome ?? "done";
        const now = outcome === "failed" ? outcome : ended;
        outcomes[ended] -= 1;
        outcomes[now] += 1;
        const all = [...(before?.diagnostics ?? []), ...diagnostics];
        notable.push({ address, action, outcome: now, isAlreadySo: false, diagnostics: all });
        return;
      }
      case "interrupted":
        interrupted = event.signal;
        return;
      case "run finished": {
        const { calls, retries, throttled } = event;
        totals = { ...totals, calls, retries, throttled };
        return;
      }
      case "answered":
        totals = { ...totals, writes: totals.writes + 1 };
        return;
      case "step started":
      case "intended":
      case "retried":
      case "looking":
      case "throttled":
      case "store waits":
        return;
      default:
        event satisfies never;
    }
  }

  return {
    tell,
    read: () => ({ ...totals, outcomes: { ...outcomes }, interrupted, notable: [...notable] }),
  };
}
