import { type CommandRun, type EndedRun, recordedCommand } from "../../apply/history.js";
import type { Run } from "../../cli/run/run.js";
import type { StateRecording } from "../../state/stateRecording.js";

/** Records this command in the history of a store, with what it did to objects. */
export function recordingOf(
  run: Run,
  store: Parameters<typeof recordedCommand>[0],
  steps: EndedRun["steps"] = [],
): StateRecording {
  return recordedCommand(store, commandOf(run), steps);
}

/** This command, as a history tells it. */
export function commandOf({ id, world, project, owner }: Run): CommandRun {
  return { run: id, owner, clock: world.clock, project: project.settings.project.value };
}
