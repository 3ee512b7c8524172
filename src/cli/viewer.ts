import { timestamp } from "../apply/checkpoint.js";
import type { Recorder } from "../apply/event.js";
import { eventLine } from "../apply/stream.js";
import type { World } from "./world.js";

/** Shows an apply while it goes on. */
export interface Viewer {
  readonly record: Recorder;
  /** How many calls are under way. */
  readonly underWay: () => number;
  readonly end: () => void;
}

/** The viewer that fits who watches: a program, a person, or a log. */
export function viewerFor(
  world: World,
  { json }: { readonly json: boolean; readonly quiet: boolean },
): Viewer {
  let underWay = 0;
  return {
    record: async (event) => {
      if (event.type === "intended") underWay += 1;
      if (event.type === "answered") underWay -= 1;
      if (json) world.stdout.write(`${eventLine(event, timestamp(world.clock))}\n`);
    },
    underWay: () => underWay,
    end: () => undefined,
  };
}
