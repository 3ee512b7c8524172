import type { Effect } from "../../model/call.js";
import type { Clock, Random } from "../../model/clock.js";

/** How one attempt at a call can end badly, as far as sending it again is concerned. */
export type CallEnding =
  /** 429: the service did nothing and asks for time. */
  | "refused"
  /** The request cannot have reached the service. */
  | "never sent"
  /** The request may have been read; no reply, or only the beginning of one, came back. */
  | "no reply"
  /** 502, 503, 504: something on the way, or the service, was not up to it. */
  | "unavailable"
  /** 408, 499, 409 aborted (code 10): the service, or something on the way, gave up. */
  | "aborted"
  /** 409, the object exists already (code 6). */
  | "exists"
  /** 500 and the 5xx that have no row of their own. */
  | "broke"
  /** A good status over something that is not the service's reply: a web page, another envelope. */
  | "strange"
  /** Any other status, and faults that do not pass with time. */
  | "final";

/** What to do after such an ending. */
export type RetryRule = "again" | "again, twice" | "wait, again" | "find out" | "stop";

/** The one table of sending again: by what a second sending would mean, and how the last one ended. */
export const RULES = {
  read: {
    refused: "wait, again",
    "never sent": "again",
    "no reply": "again",
    unavailable: "again",
    aborted: "again",
    exists: "stop",
    broke: "again, twice",
    strange: "stop",
    final: "stop",
  },
  repeatable: {
    refused: "wait, again",
    "never sent": "again",
    "no reply": "again",
    unavailable: "again",
    aborted: "again",
    exists: "stop",
    broke: "stop",
    strange: "stop",
    final: "stop",
  },
  once: {
    refused: "wait, again",
    "never sent": "again",
    "no reply": "find out",
    unavailable: "find out",
    aborted: "find out",
    exists: "find out",
    broke: "find out",
    strange: "find out",
    final: "stop",
  },
} as const satisfies Readonly<Record<Effect, Readonly<Record<CallEnding, RetryRule>>>>;

/** Refusals do not count as failures: a call may be refused this many times as often as it may be repeated. */
const REFUSALS_PER_RETRY = 3;

/** How often a call may be sent again after an ending, all its earlier endings of that rule counted. */
export function allowance(rule: RetryRule, retries: number): number {
  switch (rule) {
    case "again":
      return retries;
    case "again, twice":
      return Math.min(2, retries);
    case "wait, again":
      return retries * REFUSALS_PER_RETRY;
    case "find out":
    case "stop":
      return 0;
    default:
      return rule satisfies never;
  }
}

/** gRPC's codes that tell one 409 from another. */
const ALREADY_EXISTS = 6;
const ABORTED = 10;

/** The ending that a bad status means, with the service's own code where it gave one. */
export function endingOf(status: number, code: number | null = null): CallEnding {
  if (status === 429) return "refused";
  if (status === 502 || status === 503 || status === 504) return "unavailable";
  if (status === 408 || status === 499 || (status === 409 && code === ABORTED)) return "aborted";
  if (status === 409 && code === ALREADY_EXISTS) return "exists";
  if (status >= 500 && status !== 501) return "broke";
  return "final";
}

const FIRST_WAIT = 250;
const LONGEST_WAIT = 30_000;

/** Full jitter: anywhere from nothing to a bound that doubles with each failure, 30 s at most. */
export function backoff(failures: number, random: Random): number {
  return random() * Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** Math.max(0, failures - 1));
}

/** The longest that a `Retry-After` is obeyed. */
export const LONGEST_RETRY_AFTER = 300_000;

const IS_DATE = /^[A-Za-z]{3,9},? /;

/** A `Retry-After` that is a date in seconds from the reply's own `Date`: the clock of this machine may be wrong. */
export function inSeconds(header: string | undefined, date: string | undefined): string | undefined {
  const text = header?.trim() ?? "";
  const left = IS_DATE.test(text) ? Date.parse(text) - Date.parse(date ?? "") : Number.NaN;
  return Number.isNaN(left) ? header : String(Math.max(0, left / 1000));
}

/** Milliseconds a `Retry-After` asks for, in seconds or as an HTTP date, however many; null where it says nothing sensible. */
export function retryAfter(header: string | undefined, clock: Pick<Clock, "now">): number | null {
  const text = header?.trim() ?? "";
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text) * 1000;
  if (!IS_DATE.test(text)) return null;
  const wanted = Date.parse(text) - clock.now();
  return Number.isNaN(wanted) ? null : Math.max(0, wanted);
}
