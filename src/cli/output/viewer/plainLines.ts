import { advance, NO_PROGRESS, type Progress, plainLine } from "../../../entry/reports.js";
import type { World } from "../../outside/world.js";
import type { View } from "./view.js";

const EVERY = 1000;
/** A long apply prints fewer lines, so that the log of an apply of hours does not have thousands of them. */
const SHARE = 20;

/** For a log: a line of progress from time to time, at most one a second; a short apply prints none. */
export function plainLines({ stderr, clock }: World): View {
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
