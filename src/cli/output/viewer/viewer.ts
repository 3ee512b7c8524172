import { readVariable } from "../../../entry/values.js";
import type { World } from "../../outside/world.js";
import { paintFor } from "../diagnostics.js";
import { eventStream } from "./eventStream.js";
import { liveView } from "./liveView.js";
import { plainLines } from "./plainLines.js";
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
