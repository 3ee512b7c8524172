import { createLogUpdate } from "log-update";
import { timestamp } from "../../../apply/journal/checkpoint.js";
import { eventLine } from "../../../apply/stream.js";
import { readVariable } from "../../../model/variables.js";
import { advance, NO_PROGRESS, type Progress } from "../../../report/progress/progress.js";
import { plainLine, renderProgress } from "../../../report/progress/render.js";
import type { Paint } from "../../../report/text/paint.js";
import { safeJson } from "../../../report/text/safeJson.js";
import type { Output, World } from "../../world/world.js";
import { paintFor } from "../diagnostics.js";
import type { View } from "./view.js";

/** The flags that choose the view. */
export interface ViewFlags {
  readonly json: boolean;
  readonly quiet: boolean;
  readonly verbose: boolean;
}

/** The view for the reader: a program, a person, a log, or none with `-q`. */
export function viewFor(world: World, flags: ViewFlags): View {
  if (flags.json) return eventStream(world);
  if (flags.quiet) return { hear: () => undefined, say: sayOn(world), end: () => undefined };
  // A line for every call would damage a view that is redrawn.
  if (isWatched(world) && !flags.verbose) return liveView(world, paintFor(world, world.stderr));
  return plainLines(world);
}

/** Whether standard error is a terminal that can be redrawn. */
export function isWatched({ stderr, env }: World): boolean {
  return stderr.isTerminal && readVariable(env, "CI") === undefined && readVariable(env, "TERM") !== "dumb";
}

function sayOn({ stderr }: World): View["say"] {
  return (text) => stderr.write(`${text}\n`);
}

/** For a program: a line of JSON for each event, when it happens. */
function eventStream({ stdout, stderr, clock }: World): View {
  return {
    hear: (event) => stdout.write(`${safeJson(eventLine(event, timestamp(clock)))}\n`),
    say: (text) => stderr.write(`${text}\n`),
    end: () => undefined,
  };
}

const EVERY = 1000;
/** A long apply prints fewer lines, so that the log of an apply of hours does not have thousands of them. */
const SHARE = 20;

/** For a log: a line of progress from time to time, at most one a second; a short apply prints none. */
function plainLines({ stderr, clock }: World): View {
  let progress: Progress = NO_PROGRESS;
  let told = clock.elapsed();
  return {
    hear(event) {
      const now = clock.elapsed();
      progress = advance(progress, event, now);
      if (now - told < Math.max(EVERY, (now - progress.began) / SHARE) || event.type === "run finished")
        return;
      told = now;
      stderr.write(`${plainLine(progress, now)}\n`);
    },
    say: (text) => stderr.write(`${text}\n`),
    end: () => undefined,
  };
}

/** Milliseconds from one frame to the next. */
const FRAME = 100;
/** Running steps with a line of their own. */
const MOST = 10;
/** Lines below the running steps: how many more, throttling, the bar, and the line of the cursor. */
const BELOW = 4;

/** For a person: the running steps and the progress, redrawn in place and removed at the end. */
function liveView({ stderr, clock }: World, paint: Paint): View {
  // The cursor is never hidden, so that even a kill leaves the terminal with one.
  const update = createLogUpdate(streamTo(stderr), { showCursor: true });
  const over = new AbortController();
  let progress: Progress = NO_PROGRESS;

  function draw(): void {
    const most = Math.min(MOST, Math.max(1, stderr.rows - BELOW));
    update(renderProgress(progress, { columns: stderr.columns, now: clock.elapsed(), paint, most }));
  }

  async function keepDrawing(): Promise<void> {
    while (!over.signal.aborted) {
      draw();
      await clock.sleep(FRAME, over.signal).catch(() => undefined);
    }
  }

  return {
    hear(event) {
      progress = advance(progress, event, clock.elapsed());
      if (event.type === "run started") void keepDrawing();
    },
    say: (text) => update.persist(text),
    end() {
      if (over.signal.aborted) return;
      over.abort();
      update.clear();
      update.done();
    },
  };
}

/** The parts of a stream that drawing needs. */
function streamTo(output: Output): NodeJS.WritableStream {
  const stream = {
    isTTY: true,
    write: (text: string) => output.write(text),
    get columns() {
      return output.columns;
    },
    get rows() {
      return output.rows;
    },
  };
  return stream as unknown as NodeJS.WritableStream;
}
