import type { Client } from "../../tenant/client/client.js";
import type { World } from "../world/world.js";
import { isWatched } from "./viewer/isWatched.js";

const EVERY_FRAME = 100;
const EVERY_LINE = 10_000;
/** A shorter wait is over before it is read. */
const WORTH_A_WORD = 1_000;

/** What tells of the waits that the service asks for. */
interface Waiting {
  readonly client: Pick<Client, "pace">;
}

/** Shows the progress of reading: on a terminal one line that is redrawn, in a log a line from time to time. */
interface Reading {
  readonly progress: (done: number, total: number) => void;
  /** Removes the line from the terminal, so that other text can stand there; the next progress draws it again. */
  readonly clear: () => void;
  /** Removes the line and ends the listening. */
  readonly end: () => void;
}

/** Starts to show the progress of reading the tenant; where the service asks to wait, it says so. */
export function showReading(
  world: World,
  flags: { readonly quiet: boolean; readonly verbose: boolean },
  tenant: Waiting | null,
): Reading {
  const { stderr, clock } = world;
  const silent = () => undefined;
  if (flags.quiet) return { progress: silent, clear: silent, end: silent };
  const isLive = isWatched(world) && !flags.verbose;
  let shown = isLive ? Number.NEGATIVE_INFINITY : clock.elapsed();
  let isDrawn = false;
  let text = "Reading";
  const draw = (line: string) => {
    shown = clock.elapsed();
    isDrawn = isLive;
    stderr.write(isLive ? `\r\u001b[K${line}` : `${line}\n`);
  };
  const clear = () => {
    if (isDrawn) stderr.write("\r\u001b[K");
    isDrawn = false;
  };
  const deaf = tenant?.client.pace.watch(({ milliseconds }) => {
    if (milliseconds >= WORTH_A_WORD && (isLive || clock.elapsed() - shown >= EVERY_LINE))
      draw(`${text}: waiting ${Math.ceil(milliseconds / 1000)} s, as the service asks`);
  });
  if (isLive && tenant !== null) {
    draw(`${text}: waiting for the first reply`);
    // The first progress takes its place at once.
    shown = Number.NEGATIVE_INFINITY;
  }
  return {
    progress(done, total) {
      text = `Reading ${done} of ${total}`;
      if (clock.elapsed() - shown >= (isLive ? EVERY_FRAME : EVERY_LINE)) draw(text);
    },
    clear,
    end() {
      deaf?.();
      clear();
    },
  };
}
