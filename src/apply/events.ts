import type { Event, Recorder } from "./event.js";

/** How the engine speaks. */
export interface Events {
  /** Waits until the event is recorded; throws the recorder's `StateError`. */
  readonly mustRecord: Recorder;
  /** Waits until the event is recorded; where it cannot be, the run is halted. */
  readonly say: Recorder;
  /** Lets it be recorded when there is time. */
  readonly tell: (event: Event) => void;
  /** Waits until all events are recorded. */
  readonly quiet: () => Promise<void>;
}

/** Speaks to a listener, then to `keep`; `fail` hears of what could not be recorded. */
export function makeEvents(
  listen: (event: Event) => void,
  keep: Recorder,
  fail: (error: unknown) => void,
): Events {
  const telling = new Set<Promise<void>>();
  const record: Recorder = (event) => {
    listen(event);
    return keep(event);
  };
  const say: Recorder = (event) => record(event).catch(fail);
  return {
    mustRecord: record,
    say,
    tell(event) {
      const told = say(event).finally(() => telling.delete(told));
      telling.add(told);
    },
    async quiet() {
      await Promise.all(telling);
    },
  };
}
