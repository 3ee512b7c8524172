import type { Halt } from "./halt.js";

/** The creates of a run that wait for their turn: a few of them have their intents on record when it comes. */
export interface EarlyIntents {
  /** A create begins to wait; `record` is called once, or never where its turn comes first. */
  wait<T>(record: () => Promise<T>): WaitingCreate<T>;
  /** A step has ended: from the first one on, others wait because as many are under way as may be. */
  ended(): void;
}

/** A create that waits for its turn. */
interface WaitingCreate<T> {
  /** Its turn has come. Gives its intent where recording it had begun, else null: it is recorded in the turn then. */
  turn(): Promise<T | null>;
}

/**
 * A create that was recorded and never sent is looked for after a kill. For so few, that takes no longer than for those
 * under way; each turn of all others would be spent on the disk.
 */
const MOST = 2;

/** Makes the early intents of a run. None is recorded once it is stopped. */
export function makeEarlyIntents({ reason, lost }: Pick<Halt, "reason" | "lost">): EarlyIntents {
  const waiting = new Set<() => void>();
  let isBegun = false;
  let early = 0;

  function fill(): void {
    for (const begin of waiting) {
      if (!isBegun || early >= MOST || reason() !== null || lost() !== null) return;
      waiting.delete(begin);
      early += 1;
      begin();
    }
  }

  return {
    wait<T>(record: () => Promise<T>) {
      let recorded: Promise<T> | null = null;
      const begin = () => {
        recorded = record();
        // The turn hears of a failure.
        recorded.catch(() => undefined);
      };
      waiting.add(begin);
      fill();
      return {
        async turn() {
          if (!waiting.delete(begin)) early -= 1;
          fill();
          return recorded;
        },
      };
    },
    ended() {
      isBegun = true;
      fill();
    },
  };
}
