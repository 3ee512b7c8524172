import type { Diagnostic } from "../model/diagnostic.js";
import type { Lock, StoreWait } from "../state/store.js";
import { say } from "../words/say.js";
import { type Event, type Recorder, storeWaits } from "./event.js";
import { type HeardSteps, hearSteps } from "./heardSteps.js";
import type { Order } from "./order.js";
import type { SessionResult } from "./result.js";
import type { Session } from "./session.js";
import { type Unkept, underLock, type WorkResult, withAnswers } from "./underLock.js";

/** What a run works with while it has its lock. */
export interface RunHeld {
  readonly lock: Lock;
  /** Hears what the run does, for its record and for the caller. */
  readonly heard: HeardSteps;
  /** What was found on the way to the lock. */
  readonly found: readonly Diagnostic[];
}

/** A listener that is given nothing until it is certain that the run goes on. */
interface OnceIntended {
  readonly listener: Recorder;
  /** Gives what is kept back where the run was this one, and forgets it where the run begins anew. */
  readonly end: (isHeard: boolean) => Promise<void>;
}

/** Does the work of a run under its lock, once more where its first write should have acquired the lock and did not. */
export async function hold(
  { owner, lockTimeout: timeout, interrupt: signal, run, rescue, listener, asksAboutIntent }: Order,
  { store }: Session,
  work: (held: RunHeld) => Promise<WorkResult<SessionResult>>,
): Promise<SessionResult> {
  const told = (wait: StoreWait) => void listener(storeWaits(wait));
  const under = (isLazy: boolean, hears: Recorder, found: readonly Diagnostic[]) =>
    underLock(store, { owner, timeout, signal, run, rescue, told, isLazy }, (lock) =>
      work({ lock, heard: hearSteps(hears), found }),
    );
  // A lock that a person waits for is acquired before, and so is that of a run that plans anew under it.
  const isLazy = !asksAboutIntent;
  const once = onceIntended(listener);
  const first = await under(isLazy, isLazy ? once.listener : listener, []);
  await once.end(first !== null);
  const done = first ?? (await under(false, listener, [PLANNED_AGAIN]));
  if (done === null) throw new Error("a lock that is acquired at once cannot be missed later");
  return done.unkept === null ? done.value : withUnkept(done.value, done.unkept);
}

const PLANNED_AGAIN: Diagnostic = say("state/planned-again");

/** What an apply came to whose end could not be kept. */
function withUnkept(result: SessionResult, unkept: Unkept): SessionResult {
  const told = withAnswers(unkept.error.diagnostic, unkept);
  if (result.as === "applied") return { ...result, fault: told, rescue: unkept.rescue };
  // All that was applied is recorded: the next run finds that nothing is left of it.
  return { ...result, diagnostics: [...result.diagnostics, { ...told, severity: "warning" }] };
}

/**
 * Keeps events back until an intent is durable, so that no one hears of a run that begins anew because it did not acquire
 * its lock.
 */
function onceIntended(listener: Recorder): OnceIntended {
  let waiting: readonly Event[] = [];
  let isCertain = false;

  async function end(isHeard: boolean): Promise<void> {
    const events = isHeard ? waiting : [];
    waiting = [];
    for (const event of events) await listener(event);
    isCertain = true;
  }
  return {
    end,
    async listener(event) {
      if (event.type === "intended" && !isCertain) await end(true);
      if (isCertain) await listener(event);
      else waiting = [...waiting, event];
    },
  };
}
