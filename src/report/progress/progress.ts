import type { Event, Outcome } from "../../apply/event.js";
import { NO_OUTCOMES } from "../../apply/summary.js";
import { formatAddress } from "../../model/address.js";
import type { Action } from "../../plan/step.js";

/** A step that is under way. */
export interface Running {
  readonly address: string;
  readonly action: Action;
  /** When it started, in milliseconds of a clock that never goes back. */
  readonly since: number;
  /** Why it waits to be sent again, or looks for what it created, and until when; null if it does neither. */
  readonly waiting: Waiting | null;
}

type Waiting = { readonly why: string; readonly until: number } & (
  | { readonly as: "again"; readonly attempt: number }
  | { readonly as: "looking" }
);

/** The state of an apply at one moment. */
export interface Progress {
  readonly steps: number;
  /** The calls in the plan, and how many of them were answered. */
  readonly calls: number;
  readonly answered: number;
  readonly outcomes: Readonly<Record<Outcome, number>>;
  readonly retries: number;
  /** The longest running first. */
  readonly running: readonly Running[];
  readonly began: number;
  /** How many may be under way, and until when nothing starts; null before the service asked to slow down. */
  readonly throttled: { readonly width: number; readonly until: number } | null;
  /** Why a write to the store waits, and until when at most; null before one did. */
  readonly storeWait: {
    readonly as: "pace" | "away";
    readonly until: number;
    readonly why: string | null;
  } | null;
  readonly interrupted: string | null;
}

/** Before anything happened. */
export const NO_PROGRESS: Progress = {
  steps: 0,
  calls: 0,
  answered: 0,
  outcomes: NO_OUTCOMES,
  retries: 0,
  running: [],
  began: 0,
  throttled: null,
  storeWait: null,
  interrupted: null,
};

/** The same apply one event later; `now` is in milliseconds of a clock that never goes back. */
export function advance(progress: Progress, event: Event, now: number): Progress {
  switch (event.type) {
    case "run started":
      return { ...progress, steps: event.steps, calls: event.calls, began: now };
    case "step started": {
      const { action } = event;
      const step = { address: formatAddress(event.address), action, since: now, waiting: null };
      return { ...progress, running: [...progress.running, step] };
    }
    case "retried": {
      const { attempt, why } = event;
      const waiting = { as: "again", attempt, why, until: now + event.waiting } as const;
      const running = withStep(progress.running, formatAddress(event.address), waiting);
      return { ...progress, retries: progress.retries + 1, running };
    }
    case "looking": {
      const waiting = { as: "looking", why: event.why, until: now + event.milliseconds } as const;
      return { ...progress, running: withStep(progress.running, formatAddress(event.address), waiting) };
    }
    case "answered":
      return {
        ...progress,
        answered: progress.answered + 1,
        running: withStep(progress.running, formatAddress(event.address), null),
      };
    case "step finished": {
      const address = formatAddress(event.address);
      const outcomes = { ...progress.outcomes, [event.outcome]: progress.outcomes[event.outcome] + 1 };
      return { ...progress, outcomes, running: progress.running.filter((step) => step.address !== address) };
    }
    case "throttled":
      return { ...progress, throttled: { width: event.width, until: now + event.milliseconds } };
    case "interrupted":
      return { ...progress, interrupted: event.signal };
    case "looked again": {
      const { done, failed } = progress.outcomes;
      if (event.outcome === "done") return progress;
      return { ...progress, outcomes: { ...progress.outcomes, done: done - 1, failed: failed + 1 } };
    }
    case "store waits": {
      const { as, milliseconds, why } = event;
      return { ...progress, storeWait: { as, until: now + milliseconds, why } };
    }
    case "intended":
    case "run finished":
      return progress;
    default:
      return event satisfies never;
  }
}

/** How many steps have ended, with any outcome. */
export function ended({ outcomes }: Progress): number {
  return Object.values(outcomes).reduce((sum, count) => sum + count, 0);
}

/** Steps a second since the start, and seconds to the end at that rate; null while too little is known. */
export function rateOf(
  progress: Progress,
  now: number,
): { readonly rate: number; readonly left: number } | null {
  const seconds = (now - progress.began) / 1000;
  const count = ended(progress);
  if (seconds < 1 || count === 0) return null;
  const rate = count / seconds;
  return { rate, left: Math.max(0, progress.steps - count) / rate };
}

function withStep(
  running: readonly Running[],
  address: string,
  waiting: Running["waiting"],
): readonly Running[] {
  return running.map((step) => (step.address === address ? { ...step, waiting } : step));
}
