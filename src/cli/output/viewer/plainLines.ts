import { advance, NO_PROGRESS, type Progress, plainLine } from "../../../entry/reports.js";
import type { World } from "../../outside/world.js";
import type { View } from "./view.js";

const EVERY = 1000;
/** A long apply is told of less often: a log of hours is not to be one of thousands of lines. */
const SHARE = 20;

/** For a log: a line of where the apply stands, not more than one a second, and none for what is over before. */
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
