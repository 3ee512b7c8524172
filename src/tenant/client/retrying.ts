import type { Effort, Purpose } from "../../model/call.js";
import type { Clock, Random } from "../../model/clock.js";
import { ApiError, type Failure, NO_REPLY } from "./error.js";
import type { Governor } from "./pace/pace.js";
import type { Bad, Good } from "./reply.js";
import { allowance, backoff, LONGEST_RETRY_AFTER, type RetryRule, RULES, retryAfter } from "./retry.js";

/** A call is about to be tried once more, after so many milliseconds. */
export interface Retry {
  readonly attempt: number;
  readonly waiting: number;
  readonly why: string;
}

/** What every call of a run shares when it is tried again. */
interface Retrying {
  readonly pace: Governor;
  readonly clock: Clock;
  readonly random: Random;
  readonly retries: number;
  readonly heard: HeardAttempts;
}

/** What the calls of a run tell each other about the server. */
interface HeardAttempts {
  /** Whether the server ever replied: one that never did hangs, and a first timeout ends the wait for it. */
  any: boolean;
  /** When, by the clock's `elapsed`, the first call found no server there; null before. */
  missedAt: number | null;
}

/** Milliseconds that all calls of a run together wait for a server that was never there. */
const PATIENCE = 1_500;

/** What may be said with one call. */
export interface SendOptions extends Effort, Purpose {
  readonly signal?: AbortSignal;
  /** Waited for before each attempt leaves; what it throws, `send` throws. */
  readonly leaving?: (() => Promise<void>) | undefined;
  /** Called before each wait for another attempt. */
  readonly retried?: ((retry: Retry) => void) | undefined;
}

/** Makes attempts at a call until one is good, or the table of `retry.ts` says no; throws an `ApiError` then. */
export async function retrying(
  call: Failure["call"],
  attempt: () => Promise<Good | Bad>,
  { pace, clock, random, retries, heard }: Retrying,
  { signal, retried, once, retries: most = retries }: SendOptions = {},
): Promise<Good & { readonly attempts: number }> {
  const spent = new Map<RetryRule, number>();
  let uncertain = false;
  for (let attempts = 1; ; attempts += 1) {
    const started = await unlessAborted(() => pace.admit(signal), call, attempts - 1, uncertain, signal);
    const result = await attempt();
    if (result.as === "good" || result.progress === "replied") heard.any = true;
    if (isAnswer(result)) pace.answered(started);
    if (result.as === "good") return { ...result, attempts };
    const asked = retryAfter(result.retryAfter, clock);
    const wait = asked === null ? null : Math.min(asked, LONGEST_RETRY_AFTER);
    const problem = asked === wait ? result.problem : `${result.problem}; ${tooLong(asked)}`;
    const { status } = result;
    if (status !== null && asksForTime(status, wait)) pace.refused({ status, started, wait });
    uncertain ||= result.progress === "no reply" || result.ending === "unavailable";
    const rule = RULES[call.effect][result.ending];
    const used = spent.get(rule) ?? 0;
    const isHanging = result.fault === "timeout" && (once === true || !heard.any);
    const isSpent = used >= allowance(rule, Math.min(most, retries));
    const isOver = isSpent || signal?.aborted === true || isHanging;
    const waiting = isOver ? 0 : backoff(attempts, random);
    if (isOver || (result.fault === "not there" && isMissing(heard, clock.elapsed(), waiting))) {
      const progress = uncertain && result.progress === "never sent" ? "no reply" : result.progress;
      const next = rule === "find out" ? "find out" : "stop";
      const doubt =
        progress === "no reply" && call.effect !== "read" ? "; it may or may not have taken effect" : "";
      throw new ApiError(`${problem}${doubt}`, { ...result, call, attempts, progress, next });
    }
    spent.set(rule, used + 1);
    retried?.({ attempt: attempts + 1, waiting: Math.max(waiting, wait ?? 0), why: problem });
    await unlessAborted(() => clock.sleep(waiting, signal), call, attempts, uncertain, signal);
  }
}

/** Whether a server that never replied was waited for long enough. */
function isMissing(heard: HeardAttempts, now: number, waiting: number): boolean {
  heard.missedAt ??= now;
  return !heard.any && now + waiting - heard.missedAt > PATIENCE;
}

function tooLong(asked: number | null): string {
  return `the service asked for ${Math.ceil((asked ?? 0) / 1000)} s, remit waits ${LONGEST_RETRY_AFTER / 1000} s`;
}

/** Whether a reply asks to slow down: a 429 or a 503 always, a 502 or a 504 where it names a time. */
function asksForTime(status: number, wait: number | null): boolean {
  return status === 429 || status === 503 || ((status === 502 || status === 504) && wait !== null);
}

/** Whether the service did its work, whatever it says; a 404 to a first read is an answer, too. */
function isAnswer({ status }: Good | Bad): boolean {
  return status !== null && status < 500 && status !== 429;
}

async function unlessAborted<T>(
  wait: () => Promise<T>,
  call: Failure["call"],
  attempts: number,
  uncertain: boolean,
  signal: AbortSignal | undefined,
): Promise<T> {
  try {
    signal?.throwIfAborted();
    return await wait();
  } catch (error) {
    if (signal?.aborted !== true) throw error;
    const problem = attempts === 0 ? "stopped before it was sent" : "stopped before it was sent again";
    const progress = uncertain ? "no reply" : "never sent";
    throw new ApiError(problem, { ...NO_REPLY, call, progress, next: "stop", attempts });
  }
}
