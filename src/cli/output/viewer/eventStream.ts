import { eventLine, timestamp } from "../../../entry/session.js";
import type { World } from "../../outside/world.js";
import type { View } from "./view.js";

/** For a program: every event as it happens, a line of JSON each. */
export function eventStream({ stdout, stderr, clock }: World): View {
  return {
    hear: (event) => stdout.write(`${eventLine(event, timestamp(clock))}\n`),
    say: (text) => stderr.write(`${text}\n`),
    end: () => undefined,
  };
}
