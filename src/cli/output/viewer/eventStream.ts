import { safeJson } from "../../../entry/messages.js";
import { eventLine, timestamp } from "../../../entry/session.js";
import type { World } from "../../outside/world.js";
import type { View } from "./view.js";

/** For a program: a line of JSON for each event, when it happens. */
export function eventStream({ stdout, stderr, clock }: World): View {
  return {
    hear: (event) => stdout.write(`${safeJson(eventLine(event, timestamp(clock)))}\n`),
    say: (text) => stderr.write(`${text}\n`),
    end: () => undefined,
  };
}
