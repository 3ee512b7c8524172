import { monitorEventLoopDelay } from "node:perf_hooks";

/** How late this program itself handles what happens, so that a busy machine does not count as a slow service. */
export interface Lateness {
  /** Milliseconds on average since this was last asked; null where that is not known: watching begins with the first time. */
  read(): number | null;
  close(): void;
}

/** Milliseconds between two looks. */
const RESOLUTION = 10;

/** Makes a watch over the event loop of this process; it costs nothing before it is first read. */
export function makeLateness(): Lateness {
  let delays: ReturnType<typeof monitorEventLoopDelay> | null = null;
  return {
    read() {
      if (delays === null) {
        delays = monitorEventLoopDelay({ resolution: RESOLUTION });
        delays.enable();
        return null;
      }
      // The histogram holds the time between two looks.
      const late = delays.count === 0 ? null : Math.max(0, delays.mean / 1e6 - RESOLUTION);
      delays.reset();
      return late;
    },
    close() {
      delays?.disable();
    },
  };
}
