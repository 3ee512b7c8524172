import { timestamp } from "../../../apply/journal/checkpoint.js";
import { eventLine } from "../../../apply/stream.js";
import { advance, NO_PROGRESS, type Progress } from "../../../report/progress/progress.js";
import { plainLine } from "../../../report/progress/render.js";
import { safeJson } from "../../../report/text/safeJson.js";
import type { World } from "../../world/world.js";
import { paintFor } from "../diagnostics.js";
import { isWatched } from "./isWatched.js";
import type { Viewer } from "./view.js";

/** The flags that choose the view. */
interface ViewFlags {
  readonly json: boolean;
  readonly quiet: boolean;
  readonly verbose: boolean;
}

/** The view for the reader: a program, a person, a log, or none with `-q`. */
export async function viewFor(world: World, flags: ViewFlags): Promise<Viewer> {
  if (flags.json) return eventStream(world);
  if (flags.quiet) return { hear: () => undefined, say: sayOn(world), end: () => undefined };
  // A line for every call would damage a view that is redrawn.
  if (!isWatched(world) || flags.verbose) return plainLines(world);
  // What redraws a terminal is loaded only for one.
  const { liveView } = await import("./live.js");
  return liveView(world, paintFor(world, world.stderr));
}

function sayOn({ stderr }: World): Viewer["say"] {
  return (text) => stderr.write(`${text}\n`);
}

/** For a program: a line of JSON for each event, when it happens. */
function eventStream({ stdout, stderr, clock }: World): Viewer {
  return {
    hear: (event) => stdout.write(`${safeJson(eventLine(event, timestamp(clock)))}\n`),
    say: (text) => stderr.write(`${text}\n`),
    end: () => undefined,
  };
}

function isAway({ storeWait }: Progress, now: number): boolean {
  return storeWait?.as === "away" && storeWait.until > now;
}

const EVERY = 1000;
/** A long apply prints fewer lines, so that the log of an apply of hours does not have thousands of them. */
const SHARE = 20;

/** For a log: a line of progress from time to time, at most one a second; a short apply prints none. A wait for the store or for a list is a line at once. */
function plainLines({ stderr, clock }: World): Viewer {
  let progress: Progress = NO_PROGRESS;
  let told = clock.elapsed();
  return {
    hear(event) {
      const now = clock.elapsed();
      const wasAway = isAway(progress, now);
      progress = advance(progress, event, now);
      // A run may wait for minutes, and hears nothing else in them.
      const isNews = (isAway(progress, now) && !wasAway) || event.type === "looking";
      if (
        (!isNews && now - told < Math.max(EVERY, (now - progress.began) / SHARE)) ||
        event.type === "run finished"
      )
        return;
      told = now;
      stderr.write(`${plainLine(progress, now)}\n`);
    },
    say: (text) => stderr.write(`${text}\n`),
    end: () => undefined,
  };
}
