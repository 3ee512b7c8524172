import type { Event, Recorder } from "./event.js";

/** A listener that is given nothing until it is certain that the run goes on. */
interface OnceIntended {
  readonly listener: Recorder;
  /** Gives what is kept back where the run was this one, and forgets it where the run begins anew. */
  readonly end: (isHeard: boolean) => Promise<void>;
}

/**
 * Keeps events back until an intent is durable, so that no one hears of a run that begins anew because it did not acquire
 * its lock.
 */
export function onceIntended(listener: Recorder): OnceIntended {
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
