import type { World } from "../outside/world.js";
import { isWatched } from "./viewer/viewer.js";

const EVERY_FRAME = 100;
const EVERY_LINE = 10_000;

/** Reads the tenant, and shows that it goes on: on a terminal a line drawn anew, in a log one now and then. */
export async function whileReading<T>(
  world: World,
  flags: { readonly quiet: boolean; readonly verbose: boolean },
  work: (progress: (done: number) => void) => Promise<T>,
): Promise<T> {
  const { stderr, clock } = world;
  if (flags.quiet) return work(() => undefined);
  const isLive = isWatched(world) && !flags.verbose;
  let shown = isLive ? Number.NEGATIVE_INFINITY : clock.elapsed();
  let isDrawn = false;
  try {
    return await work((done) => {
      if (clock.elapsed() - shown < (isLive ? EVERY_FRAME : EVERY_LINE)) return;
      shown = clock.elapsed();
      isDrawn = isLive;
      stderr.write(isLive ? `\r\u001b[KReading: ${done} calls` : `reading: ${done} calls\n`);
    });
  } finally {
    if (isDrawn) stderr.write("\r\u001b[K");
  }
}
