import { interrupted } from "../exitCode.js";
import type { Signal, World } from "./world.js";

/** The signals that ask the run to stop. */
interface Interrupts {
  /** Aborted by the first signal, with its name as the reason. */
  readonly first: AbortSignal;
  /** The signal that came, or null. */
  readonly signal: () => Signal | null;
  readonly close: () => void;
}

/** What a signal needs of the view of a running apply. */
interface Shown {
  readonly say: (text: string) => void;
  readonly end: () => void;
}

const STOPPING = `
Stopping: the calls in flight finish, and nothing more starts.
Press Ctrl-C again to exit at once.`;

/** The first signal ends a run in order; the second one exits at once, and names the rescue file of the run. */
export function listenForInterrupts(
  world: World,
  shown: Shown,
  underWay: () => number,
  rescueFile: () => string | null,
): Interrupts {
  const controller = new AbortController();
  let signal: Signal | null = null;
  const close = world.onSignal((came) => {
    if (signal === null) {
      signal = came;
      controller.abort(came);
      shown.say(STOPPING);
      return;
    }
    const count = underWay();
    shown.end();
    world.stderr.write(
      count === 0
        ? "\nLeft. Nothing was under way.\n"
        : `\nLeft with ${count} under way. The next plan or apply finds out what became of them.\n`,
    );
    const file = rescueFile();
    if (file !== null) world.stderr.write(`${file}\n`);
    world.leave(interrupted(came));
  });
  return { first: controller.signal, signal: () => signal, close };
}

/** A run that only reads leaves at the first signal, and says that it changed nothing; gives what ends the listening. */
export function leaveOnInterrupt(world: World, shown: Pick<Shown, "end">): () => void {
  return world.onSignal((came) => {
    shown.end();
    world.stderr.write(
      `${world.stderr.isTerminal ? "\r" : ""}Interrupted. Nothing was changed in the tenant.\n`,
    );
    world.leave(interrupted(came));
  });
}
