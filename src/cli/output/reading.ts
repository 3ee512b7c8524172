import type { World } from "../outside/world.js";
import { isWatched } from "./viewer/viewer.js";

const EVERY_FRAME = 100;
const EVERY_LINE = 10_000;

/** Shows the progress of reading: on a terminal one line that is redrawn, in a log a line from time to time. */
export interface Reading {
  readonly progress: (done: number, total: number) => void;
  /** Removes the line from the terminal. */
  readonly end: () => void;
}

/** Starts to show the progress of reading the tenant. */
export function showReading(
  world: World,
  flags: { readonly quiet: boolean; readonly verbose: boolean },
): Reading {
  const { stderr, clock } = world;
  if (flags.quiet) return { progress: () => undefined, end: () => undefined };
  const isLive = isWatched(world) && !flags.verbose;
  let shown = isLive ? Number.NEGATIVE_INFINITY : clock.elapsed();
  let isDrawn = false;
  return {
    progress(done, total) {
      if (clock.elapsed() - shown < (isLive ? EVERY_FRAME : EVERY_LINE)) return;
      shown = clock.elapsed();
      isDrawn = isLive;
      stderr.write(isLive ? `\r\u001b[KReading ${done} of ${total}` : `Reading ${done} of ${total}\n`);
    },
    end() {
      if (isDrawn) stderr.write("\r\u001b[K");
      isDrawn = false;
    },
  };
}
