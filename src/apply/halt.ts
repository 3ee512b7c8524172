import type { Diagnostic } from "../model/diagnostic.js";
import { StateError } from "../state/store.js";
import type { Job } from "./job.js";

/** Why no more steps start; the fault is null where the user asked for it. */
interface HaltReason {
  readonly why: string;
  readonly fault: Diagnostic | null;
}

/** What stops a run from beginning anything more: what is under way is finished. */
export interface Halt {
  /** Null while nothing does; the first reason stays, but a fault takes the place of a wish. */
  readonly reason: () => HaltReason | null;
  /** Why nothing may leave any more, not even of what is under way: the lock is another's. Else null. */
  readonly lost: () => StateError | null;
  /** Resolves when the lock is certain for one more request; throws a `StateError` where it is not. */
  readonly confirm: () => Promise<void>;
  /** Halts for a state that cannot be kept; any other error is thrown on. */
  readonly fail: (error: unknown) => void;
  /** Stops listening. */
  readonly close: () => void;
}

/** Listens for the user's interrupt and for the loss of the lock. */
export function makeHalt(
  { interrupt, lost, confirm = async () => undefined }: Pick<Job, "interrupt" | "lost" | "confirm">,
  interrupted: (signal: string) => void,
): Halt {
  let reason: HaltReason | null = null;
  const fail = (error: unknown) => {
    if (!(error instanceof StateError)) throw error;
    if ((reason?.fault ?? null) === null) reason = { why: error.diagnostic.message, fault: error.diagnostic };
  };
  const onInterrupt = () => {
    const signal = String(interrupt?.reason);
    reason ??= { why: `${signal} came first`, fault: null };
    interrupted(signal);
  };
  const onLost = () => fail(lost?.reason);
  if (interrupt?.aborted === true) onInterrupt();
  if (lost?.aborted === true) onLost();
  interrupt?.addEventListener("abort", onInterrupt, { once: true });
  lost?.addEventListener("abort", onLost, { once: true });
  return {
    reason: () => reason,
    lost: () => (lost?.aborted === true && lost.reason instanceof StateError ? lost.reason : null),
    confirm,
    fail,
    close() {
      interrupt?.removeEventListener("abort", onInterrupt);
      lost?.removeEventListener("abort", onLost);
    },
  };
}
